package document_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/frontend/diag"
	"skald/frontend/document"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// pages makes the pages of texts by name, without types.
func pages(t *testing.T, texts ...[2]string) map[string]string {
	t.Helper()
	var files []*syntax.File
	for _, text := range texts {
		var sink diag.Sink
		files = append(files, syntax.Parse(source.NewFile(text[0], text[1]), &sink))
		if sink.HasErrors() {
			t.Fatal(sink.All()[0].Message)
		}
	}
	out := map[string]string{}
	for _, p := range document.Pages(files, func(source.Span) string { return "" }) {
		out[p.Path] = p.Text
	}
	return out
}

// wants checks that the page holds all the parts, in order.
func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, p := range parts {
		_, after, ok := strings.Cut(rest, p)
		if !ok {
			t.Fatalf("the page lacks, in its place,\n%s\nIt is\n%s", p, text)
		}
		rest = after
	}
}

func TestEachDeclarationIsListedInItsPlace(t *testing.T) {
	out := pages(t, [2]string{"a.fut", `-- | About the file.

-- | A value.
def x [n] 't (a: [n]t) : i32 = 1
local def hidden = 1
def (<+>) (a: i32) (b: i32) = a
type~ t 'a = []a
-- | A module.
module m = { def y = 2 module k = { type u = i32 } }
module s : { val z : i32 } = { def z = 1 def gone = 2 }
module type S = { -- | Inside.
  type t val f 'a : a -> t }
open m
`})
	wants(t, out["a.html"],
		"<p>About the file.</p>",
		`<pre id="term-x">def x [n] &#39;t (a: [n]t) : i32</pre>`, "<p>A value.</p>",
		`<pre id="term-&lt;+&gt;">def (&lt;+&gt;)`,
		`<pre id="type-t">type~ t &#39;a = []a</pre>`,
		`<pre id="term-m">module m</pre>`, "<p>A module.</p>", `<pre id="term-m.y">`, `<pre id="term-m.k">`, `<pre id="type-m.k.u">`,
		`<pre id="term-s">module s : { ... }</pre>`, `<pre id="term-s.z">val z : i32`,
		`<pre id="mtype-S">module type S = { ... }</pre>`, "<p>Inside.</p>", `<pre id="term-S.f">val f &#39;a : a -&gt; t</pre>`,
		"<pre>open m</pre>")
	for _, gone := range []string{"hidden", "gone"} {
		if strings.Contains(out["a.html"], gone) {
			t.Errorf("%s is not exported, but on the page", gone)
		}
	}
	wants(t, out["index.html"], `<a href="a.html">a</a> About the file.`, `<a href="a.html#mtype-S">`, `<a href="a.html#term-m.y">`)
}

func TestPagesLinkToEachOther(t *testing.T) {
	out := pages(t,
		[2]string{"lib/sub/b.fut", "" +
			"-- | File.\n\n-- | See `f`@term, `S`@mtype@\"../a\", `nothing`@type and `S`.\ndef g = 1\nmodule a = import \"../a\"\n"},
		[2]string{"lib/a.fut", "def f = 1\nmodule type S = {}\n"},
		[2]string{"lib/c.fut", "-- | ignore\n\n-- | x\ndef h = 1\n"})
	wants(t, out["sub/b.html"],
		`<a href="../index.html">`, `<a href="../a.html#term-f"><code>f</code></a>`, `<a href="../a.html#mtype-S"><code>S</code></a>,`,
		`<code>nothing</code> and <code>S</code>.`, `<a href="../a.html">module a = import &#34;../a&#34;</a>`)
	if _, ok := out["c.html"]; ok || strings.Contains(out["index.html"], "term-h") {
		t.Error("a file that says ignore has a page")
	}
}

func TestCommentsAreMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"one\ntwo\n\nthree":                "<p>one\ntwo</p>\n<p>three</p>\n",
		"# Title\ntext":                    "<h3>Title</h3>\n<p>text</p>\n",
		"list:\n* a *b*\n  more\n* **c**":  "<p>list:</p>\n<ul>\n<li>a <em>b</em> more</li>\n<li><strong>c</strong></li>\n</ul>\n",
		"x\n\n    code <b>\n\n    more\ny": "<p>x</p>\n<pre><code>code &lt;b&gt;\n\nmore</code></pre>\n<p>y</p>\n",
		"```\na * b\n":                     "<pre><code>a * b</code></pre>\n",
		"a * b ` c [d] <e>":                "<p>a * b ` c [d] &lt;e&gt;</p>\n",
		"[t](https://x.org/a) [u](b.html)": `<p><a href="https://x.org/a">t</a> <a href="b.html">u</a></p>` + "\n",
		"[t](javascript:x)":                "<p>[t](javascript:x)</p>\n",
	} {
		comment := "-- | File.\n\n-- | " + strings.ReplaceAll(in, "\n", "\n-- ") + "\ndef x = 1\n"
		page := pages(t, [2]string{"a.fut", comment})["a.html"]
		_, page, _ = strings.Cut(page, "<dd>\n")
		page, _, _ = strings.Cut(page, "</dd>")
		if d := cmp.Diff(want, page); d != "" {
			t.Errorf("%q:\n%s", in, d)
		}
	}
}
