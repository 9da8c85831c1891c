package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Serve answers the messages of a client until it says to end, or goes away. It returns an error unless the client has said that it
// would end, as the protocol has it.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, version string) error {
	garbage := newCollector()
	defer garbage.stop()
	s := &server{
		version: version, docs: map[string]*document{}, wake: make(chan struct{}, 1), ended: make(chan struct{}), garbage: garbage,
	}
	defer s.removePrelude()
	conn := jsonrpc2.NewConn(jsonrpc2.NewStream(stream{in, out}))
	s.conn = conn
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn.Go(ctx, s.handle)
	go s.recheck(ctx)
	select {
	case <-s.ended:
	case <-conn.Done():
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.stopped:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case conn.Err() != nil && !errors.Is(conn.Err(), io.EOF):
		return fmt.Errorf("the client sent what is no message: %w", conn.Err())
	default:
		return errors.New("the client has gone without saying that it would (shutdown)")
	}
}

// stream is standard input and output as one.
type stream struct {
	io.ReadCloser
	out io.WriteCloser
}

func (s stream) Write(p []byte) (int, error) { return s.out.Write(p) }
func (s stream) Close() error                { return errors.Join(s.ReadCloser.Close(), s.out.Close()) }

// server is the state between messages.
type server struct {
	version string
	conn    jsonrpc2.Conn
	// ended is closed when the client says to end.
	ended   chan struct{}
	endOnce sync.Once
	// wake says that there are documents to be checked again.
	wake    chan struct{}
	garbage *collector // Note [Collecting between edits]

	mu sync.Mutex // guards what follows
	// stopped says that the client has announced the end.
	stopped bool
	ready   bool
	folders []string
	docs    map[string]*document
	// prelude is the folder of files of the prelude that were shown, "" before the first.
	prelude string
}

// method answers a request, or takes a notification.
type method func(s *server, params json.RawMessage) (any, error)

// with makes a method of a function of decoded parameters.
func with[P any](f func(s *server, p *P) (any, error)) method {
	return func(s *server, params json.RawMessage) (any, error) {
		p := new(P)
		if err := json.Unmarshal(params, p); err != nil {
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
		}
		return f(s, p)
	}
}

// methods are all methods by their names.
var methods = map[string]method{
	protocol.MethodInitialize:                         with((*server).initialize),
	protocol.MethodInitialized:                        func(*server, json.RawMessage) (any, error) { return nil, nil },
	protocol.MethodShutdown:                           func(s *server, _ json.RawMessage) (any, error) { s.stopped = true; return nil, nil },
	protocol.MethodTextDocumentDidOpen:                with((*server).didOpen),
	protocol.MethodTextDocumentDidChange:              with((*server).didChange),
	protocol.MethodTextDocumentDidSave:                with((*server).didSave),
	protocol.MethodTextDocumentDidClose:               with((*server).didClose),
	protocol.MethodWorkspaceDidChangeWatchedFiles:     func(s *server, _ json.RawMessage) (any, error) { s.filesChanged(); return nil, nil },
	protocol.MethodWorkspaceDidChangeWorkspaceFolders: with((*server).didChangeFolders),
	protocol.MethodTextDocumentHover:                  with((*server).hover),
	protocol.MethodTextDocumentDefinition:             with((*server).definition),
	protocol.MethodTextDocumentReferences:             with((*server).references),
	protocol.MethodTextDocumentDocumentHighlight:      with((*server).highlight),
	protocol.MethodTextDocumentPrepareRename:          with((*server).prepareRename),
	protocol.MethodTextDocumentRename:                 with((*server).rename),
	protocol.MethodTextDocumentCompletion:             with((*server).completion),
	protocol.MethodCompletionItemResolve:              with((*server).resolve),
	protocol.MethodTextDocumentDocumentSymbol:         with((*server).documentSymbols),
	protocol.MethodWorkspaceSymbol:                    with((*server).workspaceSymbols),
	protocol.MethodTextDocumentFormatting:             with((*server).formatting),
	protocol.MethodTextDocumentCodeAction:             with((*server).codeActions),
	protocol.MethodSemanticTokensFull:                 with((*server).semanticTokens),
}

// errNotReady is the answer to requests before `initialize`.
var errNotReady = jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the server was not initialized")

// handle answers a message. They come one at a time.
func (s *server) handle(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
	defer s.garbage.later()
	if req.Method() == protocol.MethodExit {
		s.endOnce.Do(func() { close(s.ended) })
		return reply(ctx, nil, nil)
	}
	m := methods[req.Method()]
	if m == nil {
		return reply(ctx, nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, "there is no method "+req.Method()))
	}
	result, err := s.answer(m, req)
	return reply(ctx, result, err)
}

// answer calls a method. A fault of ours becomes an error of the request, and the session goes on.
func (s *server) answer(m method, req jsonrpc2.Request) (result any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			s.log(protocol.MessageTypeError, fmt.Sprintf("internal error in %s: %v\n%s", req.Method(), r, debug.Stack()))
			result, err = nil, jsonrpc2.NewError(jsonrpc2.InternalError, fmt.Sprintf("internal error: %v", r))
		}
	}()
	switch {
	case s.stopped && req.Method() != protocol.MethodShutdown:
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the session has been ended (shutdown)")
	case !s.ready && req.Method() != protocol.MethodInitialize && req.Method() != protocol.MethodShutdown:
		return nil, errNotReady
	}
	return m(s, req.Params())
}

// log tells the client something that it shows in its log.
func (s *server) log(kind protocol.MessageType, text string) {
	s.notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: text})
}

// notify tells the client something. If it has gone, its stream says so.
func (s *server) notify(name string, params any) {
	_ = s.conn.Notify(context.Background(), name, params)
}

// initializeParams are those parts of the parameters that matter here.
type initializeParams struct {
	RootURI          protocol.DocumentURI       `json:"rootUri"`
	WorkspaceFolders []protocol.WorkspaceFolder `json:"workspaceFolders"`
}

func (s *server) initialize(p *initializeParams) (any, error) {
	s.ready = true
	for _, f := range p.WorkspaceFolders {
		s.addFolder(f.URI)
	}
	if len(s.folders) == 0 && p.RootURI != "" {
		s.addFolder(string(p.RootURI))
	}
	return &protocol.InitializeResult{
		ServerInfo: &protocol.ServerInfo{Name: "skald", Version: s.version},
		Capabilities: protocol.ServerCapabilities{
			TextDocumentSync: &protocol.TextDocumentSyncOptions{
				OpenClose: true, Change: protocol.TextDocumentSyncKindIncremental, Save: &protocol.SaveOptions{},
			},
			CompletionProvider:         &protocol.CompletionOptions{TriggerCharacters: []string{"."}, ResolveProvider: true},
			HoverProvider:              true,
			DefinitionProvider:         true,
			ReferencesProvider:         true,
			DocumentHighlightProvider:  true,
			RenameProvider:             &protocol.RenameOptions{PrepareProvider: true},
			DocumentSymbolProvider:     true,
			WorkspaceSymbolProvider:    true,
			DocumentFormattingProvider: true,
			CodeActionProvider:         &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{protocol.QuickFix}},
			SemanticTokensProvider:     tokensOptions(),
			Workspace: &protocol.ServerCapabilitiesWorkspace{
				WorkspaceFolders: &protocol.ServerCapabilitiesWorkspaceFolders{Supported: true, ChangeNotifications: true},
			},
		},
	}, nil
}

func (s *server) addFolder(address string) {
	if path := pathOf(protocol.DocumentURI(address)); filepath.IsAbs(filepath.FromSlash(path)) {
		s.folders = append(s.folders, path)
	}
}

func (s *server) didChangeFolders(p *protocol.DidChangeWorkspaceFoldersParams) (any, error) {
	for _, f := range p.Event.Removed {
		path := pathOf(protocol.DocumentURI(f.URI))
		for i, have := range s.folders {
			if have == path {
				s.folders = append(s.folders[:i:i], s.folders[i+1:]...)
				break
			}
		}
	}
	for _, f := range p.Event.Added {
		s.addFolder(f.URI)
	}
	return nil, nil
}
