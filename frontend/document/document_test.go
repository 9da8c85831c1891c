package document_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/frontend/diag"
	"skald/frontend/document"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// facts are what the checker would know: the members of one module.
type facts struct{}

func (facts) TypeOf(source.Span) string { return "" }

func (facts) Members(f *syntax.File, module string) []document.Member {
	if module != "made" {
		return nil
	}
	return []document.Member{
		{Type: true, Name: "t", Text: "type t"},
		{Name: "x", Text: "val x : t", At: f.Source.Span(0, 1)},
		{Module: true, Name: "k", Text: "module k", Members: []document.Member{{Name: "y", Text: "val y : i32"}}},
	}
}

// colours are the classes of tokens, which most tests have no interest in.
var colours = regexp.MustCompile(`<span class="[a-z0-9]*">|</span>`)

// pages makes the pages of texts by name, without types and colours.
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
	for _, p := range document.Pages(files, facts{}) {
		out[p.Path] = colours.ReplaceAllString(p.Text, "")
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
		`<pre id="term-&lt;&#43;&gt;">def (&lt;+&gt;)`,
		`<pre id="type-t">type~ t &#39;a = []a</pre>`,
		`<pre id="term-m">module m</pre>`, "<p>A module.</p>", `<pre id="term-m.y">`, `<pre id="term-m.k">`, `<pre id="type-m.k.u">`,
		`<pre id="term-s">module s : { ... }</pre>`, `<pre id="term-s.z">val z : i32`,
		`<pre id="mtype-S">module type S = { ... }</pre>`, "<p>Inside.</p>", `<pre id="term-S.f">val f &#39;a : a -&gt; t</pre>`,
		`<pre>open <a href="#term-m">m</a></pre>`)
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

func TestModulesThatAreNotWrittenOutHaveMembers(t *testing.T) {
	out := pages(t, [2]string{"a.fut", `-- | File.

module type S = { type t
  -- | About x.
  val x : t }
module mk (p: S) : S = p
module made = mk { type t = i32 def x = 1i32 }
`})
	wants(t, out["a.html"],
		`<pre id="term-mk">module mk (p: <a href="#mtype-S">S</a>) : <a href="#mtype-S">S</a></pre>`,
		`<pre id="term-made">module made = <a href="#term-mk">mk</a> { ... }</pre>`, `<pre id="type-made.t">type t</pre>`,
		`<pre id="term-made.x">val x : t</pre>`, `href="src/a.html#L1"`, "<p>About x.</p>",
		`<pre id="term-made.k">module k</pre>`, `<pre id="term-made.k.y">val y : i32</pre>`)
}

func TestDeclarationsLinkToTheirSource(t *testing.T) {
	out := pages(t, [2]string{"lib/sub/b.fut", "-- | File.\n\ndef f = 1\n\ndef g = \"<\"\n"}, [2]string{"lib/a.fut", "def x = 2\n"})
	wants(t, out["sub/b.html"],
		`<a href="../src/sub/b.html">source</a>`, `<a class="source" href="../src/sub/b.html#L3">`, `src/sub/b.html#L5"`)
	wants(t, out["src/sub/b.html"],
		`<a href="../../index.html">`, `<a href="../../sub/b.html">documentation</a>`, `<span class="ln" id="L5">`, `&#34;&lt;&#34;`)
	wants(t, out["src/a.html"], "def x = 2")
}

func TestCommentsAreMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"one\ntwo\n\nthree":                "<p>one\ntwo</p>\n<p>three</p>\n",
		"# Title\ntext":                    "<h3>Title</h3>\n<p>text</p>\n",
		"list:\n* a *b*\n  more\n* **c**":  "<p>list:</p>\n<ul>\n<li>a <em>b</em>\nmore</li>\n<li><strong>c</strong></li>\n</ul>\n",
		"```c\na * b\n```":                 "<pre><code>a * b</code></pre>\n",
		"a * b ` c [d] <e>":                "<p>a * b ` c [d] &lt;e&gt;</p>\n",
		"<b>x</b>\n\n<p>y":                 "<p>&lt;b&gt;x&lt;/b&gt;</p>\n<p>&lt;p&gt;y</p>\n",
		"[t](https://x.org/a) [u](b.html)": `<p><a href="https://x.org/a">t</a> <a href="b.html">u</a></p>` + "\n",
		"[t](javascript:x)":                `<p><a href="">t</a></p>` + "\n",
		"|a|\n|-|\n|b|": "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n" +
			"<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n",
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

func TestCodeIsHighlighted(t *testing.T) {
	var sink diag.Sink
	file := syntax.Parse(source.NewFile("a.fut", "-- | File.\n\n-- | As in\n--\n--     def y = 1 -- one\n--     ???§\ndef x = 2i32\n"), &sink)
	page := document.Pages([]*syntax.File{file}, facts{})[1].Text
	wants(t, page, ".chroma .k {", "prefers-color-scheme: dark", `<span class="k">def</span>`, `<span class="nf">x</span>`,
		`<span class="nf">y</span>`, `<span class="m">1</span>`, `<span class="c1">-- one</span>`, "§")
}
