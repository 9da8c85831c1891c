//go:build embedded && !runner

package main

import _ "embed"

// embeddedRunner is the runner: scripts/build.sh puts it there.
//
//go:embed runner
var embeddedRunner []byte
