// Package lsp is a language server: `skald lsp`. Editors send it the texts that people edit, by the Language Server Protocol, and it
// answers with diagnostics, types, places, names and edits.
//
// Serve reads messages and answers one after the other. The text of each open document is checked after every edit by
// check.Incremental, which checks only what an edit can have changed; what an answer needs is then there. Documents that import an
// edited one are checked again after the edit has been answered.
//
// Messages and their types are those of go.lsp.dev/protocol and its jsonrpc2. What that decodes wrongly is declared here: the parameters
// of `initialize`, since capabilities of clients that are newer than the library need not fit its types, and changes of a document,
// where it cannot tell a whole text from an insertion at the beginning.
//
// It imports the front end, and package compiler for what it finds at a place; neither the middle end nor devices.
package lsp
