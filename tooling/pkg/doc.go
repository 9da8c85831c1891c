// Package pkg manages packages as Futhark does: `skald pkg`. A package is a Git repository with a file futhark.pkg that names it and what
// it requires; its files lie below lib/ under its name, and so they do where it is used.
//
// Manifest is a futhark.pkg file. Repositories fetches packages with the `git` binary into a folder that is removed at the end. Solve
// chooses versions: for each package the highest of the minimal versions that are asked for. Project is a folder with a
// futhark.pkg, in which the commands work: only Sync and Init change lib/.
//
//	package github.com/sturluson/edda
//
//	require {
//	  github.com/athas/fut-foo 0.1.0 #d285563c25c5152b1ae80fc64de64ff2775fa733
//	}
//
// It imports tooling/artifact, and nothing of the compiler. Versions are compared by golang.org/x/mod/semver. A library that clones
// (go-git) would do without the binary, but not with people's own configuration of it: credentials, proxies, other hosts.
package pkg
