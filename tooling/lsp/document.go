package lsp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/source"
)

// document is a text that a client has open, as it was checked last.
type document struct {
	server  *server
	path    string
	address protocol.DocumentURI
	version int32
	file    *source.File
	check   *check.Incremental
	parts   []*check.Part
	said    []*diag.Diagnostic
	// byFile are the parts by the version in which they were checked, by place; nil if it is not known yet.
	byFile map[*source.File][]*check.Part
	// read are the files that were read for it, as they were then.
	read map[string]stamp
	// stale says that it is to be checked from its beginning, since a file that it imports has changed.
	stale bool
	// unfinished says that not all has been checked that the last edit asks for.
	unfinished bool
	// told are the other files about which the client was told something on account of this one.
	told map[string]bool
}

// stamp tells whether a file is what it was.
type stamp struct {
	open    *source.File
	size    int64
	changed time.Time
}

// Load implements check.Loader: texts that are open in the editor are taken as they are there.
func (d *document) Load(path string) (*source.File, error) {
	d.read[path] = d.server.stamp(path)
	if other := d.server.docs[path]; other != nil {
		return other.file, nil
	}
	return check.OS{}.Load(path)
}

func (s *server) stamp(path string) stamp {
	if d := s.docs[path]; d != nil {
		return stamp{open: d.file}
	}
	info, err := os.Stat(filepath.FromSlash(path))
	if err != nil {
		return stamp{}
	}
	return stamp{size: info.Size(), changed: info.ModTime()}
}

// outdated reports whether a file that was read for the document has changed since.
func (d *document) outdated() bool {
	for path, then := range d.read {
		if d.server.stamp(path) != then {
			return true
		}
	}
	return false
}

// maxChecks is how many declarations are checked, and values seen through module types, before what they left behind is given up.
const maxChecks = 20_000

// maxAnswered is how many declarations are checked again before an edit is answered, besides those that were edited: 10 ms of work. What
// is left is checked after the answer, as many at a time, and the client is told again.
const maxAnswered = 100

// update checks the document's text, or some of it, and tells the client what is wrong with it.
func (d *document) update() {
	d.recheck(maxAnswered)
	d.publish()
}

// finish checks what is left to be checked.
func (d *document) finish() {
	if d.stale || d.unfinished || d.outdated() {
		d.recheck(0)
		d.publish()
	}
}

// recheck checks the document's text, or with a limit some of it.
func (d *document) recheck(limit int) {
	if d.stale || d.check == nil || d.outdated() || d.check.Left() > maxChecks {
		d.restart()
	}
	var done bool
	d.parts, d.said, done = d.check.CheckSome(d.file, limit)
	d.unfinished = !done
	d.byFile = nil
}

// restart forgets what was checked.
func (d *document) restart() {
	d.stale = false
	d.read = map[string]stamp{}
	d.check = check.NewIncremental(d, d.path)
}

// open is the document of an address, if the client has opened it.
func (s *server) open(address protocol.DocumentURI) (*document, error) {
	if d := s.docs[pathOf(address)]; d != nil {
		return d, nil
	}
	return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the document "+string(address)+" is not open")
}

func (s *server) didOpen(p *protocol.DidOpenTextDocumentParams) (any, error) {
	path := pathOf(p.TextDocument.URI)
	d := &document{server: s, path: path, address: p.TextDocument.URI, version: p.TextDocument.Version, told: map[string]bool{}}
	d.file = source.NewFile(path, p.TextDocument.Text)
	s.docs[path] = d
	d.update()
	s.filesChanged()
	return nil, nil
}

// change is one change of a document: of a range, or of everything.
type change struct {
	Range *protocol.Range `json:"range"`
	Text  string          `json:"text"`
}

type didChangeParams struct {
	TextDocument   protocol.VersionedTextDocumentIdentifier `json:"textDocument"`
	ContentChanges []change                                 `json:"contentChanges"`
}

func (s *server) didChange(p *didChangeParams) (any, error) {
	d, err := s.open(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	for _, c := range p.ContentChanges {
		text := c.Text
		if c.Range != nil {
			from, to := offsetOf(d.file, c.Range.Start), offsetOf(d.file, c.Range.End)
			if from > to {
				return nil, errors.New("a change ends before it begins")
			}
			text = d.file.Text()[:from] + c.Text + d.file.Text()[to:]
		}
		d.file = source.NewFile(d.path, text)
	}
	d.version = p.TextDocument.Version
	d.update()
	s.filesChanged()
	return nil, nil
}

func (s *server) didSave(*protocol.DidSaveTextDocumentParams) (any, error) {
	s.filesChanged()
	return nil, nil
}

func (s *server) didClose(p *protocol.DidCloseTextDocumentParams) (any, error) {
	d, err := s.open(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	delete(s.docs, d.path)
	for path := range d.told {
		s.tell(addressOf(path), 0, nil)
	}
	s.tell(d.address, 0, nil)
	s.filesChanged()
	return nil, nil
}

// filesChanged has those documents checked again that import what has changed, or are not finished, when there is nothing else to do.
func (s *server) filesChanged() {
	waiting := false
	for _, d := range s.docs {
		d.stale = d.stale || d.outdated()
		waiting = waiting || d.stale || d.unfinished
	}
	if !waiting {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// recheck checks documents again after messages have been answered, one at a time.
func (s *server) recheck(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		for s.recheckOne() {
			time.Sleep(time.Millisecond) // whoever waits goes first
		}
	}
}

func (s *server) recheckOne() (more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.docs {
		if d.stale || d.unfinished {
			d.guard(d.update)
			return true
		}
	}
	return false
}

// guard runs something outside of a request, of which a fault of ours is logged.
func (d *document) guard(f func()) {
	defer func() {
		if r := recover(); r != nil {
			d.stale, d.unfinished = false, false
			d.server.log(protocol.MessageTypeError, "internal error: cannot check "+d.path)
		}
	}()
	f()
}

// publish tells the client what there is to say of the document, and of files that it imports and that are not open themselves.
func (d *document) publish() {
	byFile := map[string][]protocol.Diagnostic{d.path: {}}
	for path := range d.told {
		byFile[path] = []protocol.Diagnostic{}
	}
	for _, m := range d.messages() {
		path := d.path
		if m.Span.Valid() {
			path = m.Span.File.Name()
		}
		if path != d.path && d.server.docs[path] != nil {
			continue // said where it is open
		}
		byFile[path] = append(byFile[path], d.describe(m))
	}
	d.told = map[string]bool{}
	paths := make([]string, 0, len(byFile))
	for path := range byFile {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		if path == d.path {
			d.server.tell(d.address, d.version, byFile[path])
			continue
		}
		if len(byFile[path]) > 0 {
			d.told[path] = true
		}
		d.server.tell(addressOf(path), 0, byFile[path])
	}
}

func (s *server) tell(address protocol.DocumentURI, version int32, list []protocol.Diagnostic) {
	if list == nil {
		list = []protocol.Diagnostic{}
	}
	s.notify(protocol.MethodTextDocumentPublishDiagnostics, &protocol.PublishDiagnosticsParams{
		URI: address, Version: uint32(version), Diagnostics: list,
	})
}

// messages are all diagnostics about the document, at the places of its present text.
func (d *document) messages() []*diag.Diagnostic {
	out := slices.Clone(d.said)
	for _, p := range d.parts {
		for _, m := range p.Diagnostics {
			moved := *m
			moved.Span = d.present(m.Span)
			moved.Notes = slices.Clone(m.Notes)
			for i, n := range m.Notes {
				moved.Notes[i].Span = d.present(n.Span)
			}
			if m.Fix != nil {
				moved.Fix = &diag.Fix{Span: d.present(m.Fix.Span), Text: m.Fix.Text}
			}
			out = append(out, &moved)
		}
	}
	return out
}

// describe is a diagnostic as the protocol has it.
func (d *document) describe(m *diag.Diagnostic) protocol.Diagnostic {
	out := protocol.Diagnostic{Severity: protocol.DiagnosticSeverityError, Code: m.Code.String(), Source: "skald", Message: m.Message}
	switch {
	case m.Severity == diag.Warning:
		out.Severity = protocol.DiagnosticSeverityWarning
	case m.Severity == diag.Remark:
		out.Severity = protocol.DiagnosticSeverityInformation
	}
	if m.Hint != "" {
		out.Message += "\nhint: " + m.Hint
	}
	if m.Code != nil && m.Code.ID == "unused-name" {
		out.Tags = []protocol.DiagnosticTag{protocol.DiagnosticTagUnnecessary}
	}
	if m.Span.Valid() {
		out.Range = rangeOf(m.Span)
	}
	for _, n := range m.Notes {
		if !n.Span.Valid() {
			out.Message += "\nnote: " + n.Message
			continue
		}
		out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{
			Location: d.server.location(n.Span), Message: n.Message,
		})
	}
	return out
}
