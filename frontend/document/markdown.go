package document

import (
	"bytes"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	markhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown turns the Markdown of comments into HTML. link finds the address of a name in a space, or "".
type markdown struct {
	link func(s space, name string) string
	mark goldmark.Markdown
}

// newMarkdown has all of CommonMark but HTML, which is text: comments say x<y more often than they have tags. Tables are the only
// extension.
func newMarkdown(link func(s space, name string) string) *markdown {
	m := &markdown{link: link}
	p := parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(
			util.Prioritized(m, 50),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500)),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithASTTransformers(util.Prioritized(below{}, 100)))
	m.mark = goldmark.New(goldmark.WithParser(p), goldmark.WithExtensions(extension.Table),
		goldmark.WithRenderer(renderer.NewRenderer(renderer.WithNodeRenderers(
			util.Prioritized(codeRenderer{}, 100), util.Prioritized(markhtml.NewRenderer(), 1000)))))
	return m
}

// blocks turns text into paragraphs, headings, lists and code.
func (m *markdown) blocks(comment string) string {
	var out strings.Builder
	if err := m.mark.Convert([]byte(comment), &out); err != nil {
		panic(err) // a builder takes everything
	}
	return out.String()
}

// first is the text of the first paragraph.
func (m *markdown) first(comment string) string {
	src := []byte(comment)
	p := m.mark.Parser().Parse(text.NewReader(src)).FirstChild()
	if p == nil {
		return ""
	}
	var out bytes.Buffer
	if err := m.mark.Renderer().Render(&out, src, p); err != nil {
		panic(err)
	}
	inner, isParagraph := strings.CutPrefix(out.String(), "<p>")
	if !isParagraph {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSpace(inner), "</p>")
}

// below makes headings of comments smaller than those of the page.
type below struct{}

// Transform is called with each comment.
func (below) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			h.Level = min(h.Level+2, 6)
		}
	}
}

// reference is a name in backticks with its space behind it, and maybe a file; the name is found without that.
var reference = regexp.MustCompile("^`([^`\n]+)`@(term|type|mtype)(?:@\"[^\"\n]*\")?")

// Trigger says where references begin.
func (m *markdown) Trigger() []byte { return []byte{'`'} }

// Parse makes a link of a reference, or code if nothing of that name is documented.
func (m *markdown) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	found := reference.FindSubmatchIndex(line)
	if found == nil {
		return nil
	}
	code := ast.NewCodeSpan()
	code.AppendChild(code, ast.NewTextSegment(text.NewSegment(segment.Start+found[2], segment.Start+found[3])))
	block.Advance(found[1])
	to := m.link(space(line[found[4]:found[5]]), string(line[found[2]:found[3]]))
	if to == "" {
		return code
	}
	link := ast.NewLink()
	link.Destination = []byte(to)
	link.AppendChild(link, code)
	return link
}

// codeRenderer highlights blocks of code, which are Futhark unless they say otherwise.
type codeRenderer struct{}

// RegisterFuncs is how the library asks for what is rendered here.
func (r codeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindCodeBlock, r.render)
	reg.Register(ast.KindFencedCodeBlock, r.render)
}

func (codeRenderer) render(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	code := strings.TrimRight(string(n.Lines().Value(src)), "\n")
	language := "futhark"
	if fenced, ok := n.(*ast.FencedCodeBlock); ok && fenced.Info != nil {
		language = string(fenced.Language(src))
	}
	var err error
	if language == "futhark" {
		_, err = w.WriteString(format(blockCode, tokens(code)) + "\n")
	} else {
		_, err = w.WriteString("<pre><code>" + html.EscapeString(code) + "</code></pre>\n")
	}
	return ast.WalkSkipChildren, err
}
