module skald/testsuite/lab

go 1.26.0

replace skald => ../..

require (
	github.com/google/go-cmp v0.7.0
	golang.org/x/sync v0.24.0
	golang.org/x/term v0.47.0
	skald v0.0.0
)

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
