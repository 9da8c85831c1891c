package lsp_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"skald/tooling/lsp"
)

// client is an editor at the other end of two pipes.
type client struct {
	t    testing.TB
	conn jsonrpc2.Conn
	done chan error
	in   io.Closer

	mu   sync.Mutex
	told map[protocol.DocumentURI][]protocol.PublishDiagnosticsParams
	news chan struct{}
}

// start begins a session whose folder is dir.
func start(t testing.TB, dir string) *client {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	c := &client{
		t: t, done: make(chan error, 1), in: toServer,
		told: map[protocol.DocumentURI][]protocol.PublishDiagnosticsParams{}, news: make(chan struct{}, 1000),
	}
	go func() { c.done <- lsp.Serve(context.Background(), fromClient, toClient, "test") }()
	c.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(pipes{fromServer, toServer}))
	c.conn.Go(context.Background(), c.handle)
	t.Cleanup(func() { _ = toServer.Close() })
	c.call(protocol.MethodInitialize, map[string]any{"processId": nil, "rootUri": uri.File(dir), "capabilities": map[string]any{}}, nil)
	c.notify(protocol.MethodInitialized, map[string]any{})
	return c
}

type pipes struct {
	*io.PipeReader
	*io.PipeWriter
}

func (p pipes) Read(b []byte) (int, error)  { return p.PipeReader.Read(b) }
func (p pipes) Write(b []byte) (int, error) { return p.PipeWriter.Write(b) }
func (p pipes) Close() error                { return p.PipeWriter.Close() }

func (c *client) handle(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
	switch req.Method() {
	case protocol.MethodTextDocumentPublishDiagnostics:
		var p protocol.PublishDiagnosticsParams
		if err := json.Unmarshal(req.Params(), &p); err != nil {
			c.t.Error(err)
		}
		c.mu.Lock()
		c.told[p.URI] = append(c.told[p.URI], p)
		c.mu.Unlock()
		c.news <- struct{}{}
	case protocol.MethodWindowLogMessage:
		c.t.Errorf("the server logs %s", req.Params())
	}
	return reply(ctx, nil, nil)
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := c.conn.Call(ctx, method, params, result)
	return err
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// text is a document of the client.
type text struct {
	c       *client
	uri     protocol.DocumentURI
	content string
	version int
}

func (c *client) open(path, content string) *text {
	d := &text{c: c, uri: uri.File(path), content: content}
	c.notify(protocol.MethodTextDocumentDidOpen, map[string]any{
		"textDocument": map[string]any{"uri": d.uri, "languageId": "futhark", "version": 0, "text": content},
	})
	return d
}

// edit replaces a part of the text that occurs once, and waits for what the server says.
func (d *text) edit(old, now string) []protocol.Diagnostic {
	d.c.t.Helper()
	if strings.Count(d.content, old) != 1 {
		d.c.t.Fatalf("%q occurs %d times", old, strings.Count(d.content, old))
	}
	at := strings.Index(d.content, old)
	change := map[string]any{"range": protocol.Range{Start: d.position(at), End: d.position(at + len(old))}, "text": now}
	d.content = d.content[:at] + now + d.content[at+len(old):]
	d.version++
	d.c.notify(protocol.MethodTextDocumentDidChange, map[string]any{
		"textDocument": map[string]any{"uri": d.uri, "version": d.version}, "contentChanges": []any{change},
	})
	return d.said(d.version)
}

// said waits for the diagnostics of a version.
func (d *text) said(version int) []protocol.Diagnostic {
	d.c.t.Helper()
	return d.await(func(p protocol.PublishDiagnosticsParams) bool { return int(p.Version) == version })
}

// await waits for diagnostics that are such.
func (d *text) await(such func(protocol.PublishDiagnosticsParams) bool) []protocol.Diagnostic {
	d.c.t.Helper()
	deadline := time.After(time.Minute)
	for {
		d.c.mu.Lock()
		list := d.c.told[d.uri]
		d.c.mu.Unlock()
		if len(list) > 0 && such(list[len(list)-1]) {
			return list[len(list)-1].Diagnostics
		}
		select {
		case <-d.c.news:
		case <-deadline:
			d.c.t.Fatalf("the server has said of %s: %v", d.uri, list)
		}
	}
}

// position is that of a byte of the text.
func (d *text) position(at int) protocol.Position {
	before := d.content[:at]
	line := strings.LastIndexByte(before, '\n') + 1
	n := 0
	for _, r := range before[line:] {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return protocol.Position{Line: uint32(strings.Count(before, "\n")), Character: uint32(n)}
}

// at is a request's parameters about the place marked by | in a part of the text that occurs once without it.
func (d *text) at(marked string) map[string]any {
	d.c.t.Helper()
	plain := strings.Replace(marked, "|", "", 1)
	if strings.Count(d.content, plain) != 1 {
		d.c.t.Fatalf("%q occurs %d times", plain, strings.Count(d.content, plain))
	}
	p := d.position(strings.Index(d.content, plain) + strings.IndexByte(marked, '|'))
	return map[string]any{"textDocument": map[string]any{"uri": d.uri}, "position": p}
}

// quote is the text of a range, with its line.
func (d *text) quote(r protocol.Range) string {
	lines := strings.Split(d.content, "\n")
	line := lines[r.Start.Line]
	return line[:r.Start.Character] + "<" + line[r.Start.Character:r.End.Character] + ">" + line[r.End.Character:]
}
