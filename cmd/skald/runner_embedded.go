//go:build embedded && !runner

package main

import _ "embed"

// embeddedRunner is the runner, compressed: scripts/build.sh puts it there.
//
//go:embed runner.gz
var embeddedRunner []byte
