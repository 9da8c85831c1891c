package document

import (
	"html"
	"strings"
)

// markdown turns the Markdown of comments into HTML. link returns the address of a name in a space, or "".
type markdown struct {
	link func(s space, name string) string
	out  strings.Builder
}

func (m *markdown) write(parts ...string) {
	for _, p := range parts {
		m.out.WriteString(p)
	}
}

// blocks turns text into paragraphs, headings, lists and code.
func (m *markdown) blocks(text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for len(lines) > 0 {
		line := lines[0]
		switch {
		case strings.TrimSpace(line) == "":
			lines = lines[1:]
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			lines = m.fenced(lines[1:])
		case strings.HasPrefix(line, "    "):
			lines = m.indented(lines)
		case heading(line) > 0:
			n := heading(line)
			tag := "h" + string(rune('0'+min(n+2, 6)))
			m.write("<", tag, ">")
			m.inline(strings.TrimSpace(line[n:]))
			m.write("</", tag, ">\n")
			lines = lines[1:]
		case isItem(line):
			lines = m.list(lines)
		default:
			lines = m.paragraph(lines)
		}
	}
}

// heading is the depth of the heading that a line is, or 0.
func heading(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n > 0 && n <= 6 && strings.HasPrefix(line[n:], " ") {
		return n
	}
	return 0
}

// isItem reports whether an item of a list begins at the line.
func isItem(line string) bool {
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "- ")
}

func (m *markdown) fenced(lines []string) (rest []string) {
	n := 0
	for n < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[n]), "```") {
		n++
	}
	m.code(lines[:n])
	return lines[min(n+1, len(lines)):]
}

func (m *markdown) indented(lines []string) (rest []string) {
	n := 0
	for n < len(lines) && (strings.HasPrefix(lines[n], "    ") || strings.TrimSpace(lines[n]) == "") {
		n++
	}
	code := make([]string, n)
	for i, line := range lines[:n] {
		code[i] = strings.TrimPrefix(line, "    ")
	}
	m.code(code)
	return lines[n:]
}

func (m *markdown) code(lines []string) {
	m.write("<pre><code>", html.EscapeString(strings.TrimRight(strings.Join(lines, "\n"), "\n ")), "</code></pre>\n")
}

// list takes items with the lines that continue them.
func (m *markdown) list(lines []string) (rest []string) {
	m.write("<ul>\n")
	for len(lines) > 0 && isItem(lines[0]) {
		text := strings.TrimLeft(lines[0], " ")[2:]
		lines = lines[1:]
		for len(lines) > 0 && strings.TrimSpace(lines[0]) != "" && !isItem(lines[0]) {
			text += " " + strings.TrimSpace(lines[0])
			lines = lines[1:]
		}
		m.write("<li>")
		m.inline(text)
		m.write("</li>\n")
		for len(lines) > 1 && strings.TrimSpace(lines[0]) == "" && isItem(lines[1]) {
			lines = lines[1:]
		}
	}
	m.write("</ul>\n")
	return lines
}

func (m *markdown) paragraph(lines []string) (rest []string) {
	n := 0
	for n < len(lines) {
		line := lines[n]
		special := isItem(line) || heading(line) > 0 || strings.HasPrefix(strings.TrimSpace(line), "```")
		if strings.TrimSpace(line) == "" || n > 0 && special {
			break
		}
		n++
	}
	m.write("<p>")
	m.inline(strings.Join(lines[:n], "\n"))
	m.write("</p>\n")
	return lines[n:]
}

// inline turns the text of a block into HTML.
func (m *markdown) inline(text string) {
	for text != "" {
		i := strings.IndexAny(text, "`*[")
		if i < 0 {
			break
		}
		m.write(html.EscapeString(text[:i]))
		text = text[i:]
		n := 0
		switch text[0] {
		case '`':
			n = m.quoted(text)
		case '*':
			n = m.emphasis(text)
		case '[':
			n = m.hyperlink(text)
		}
		if n == 0 {
			m.write(html.EscapeString(text[:1]))
			n = 1
		}
		text = text[n:]
	}
	m.write(html.EscapeString(text))
}

// quoted writes code in backticks, as a link if its space follows. It returns the length of what it took.
func (m *markdown) quoted(text string) int {
	code, after, ok := strings.Cut(text[1:], "`")
	if !ok {
		return 0
	}
	n := len(code) + 2
	inner := "<code>" + html.EscapeString(code) + "</code>"
	for _, s := range []space{mtype, term, typ} {
		if !strings.HasPrefix(after, "@"+string(s)) {
			continue
		}
		n += 1 + len(s)
		// A file may follow; the name is found without it.
		if rest := after[1+len(s):]; strings.HasPrefix(rest, "@\"") {
			if file, _, ok := strings.Cut(rest[2:], "\""); ok {
				n += len(file) + 3
			}
		}
		if to := m.link(s, code); to != "" {
			inner = "<a href=\"" + html.EscapeString(to) + "\">" + inner + "</a>"
		}
		break
	}
	m.write(inner)
	return n
}

// emphasis writes *text* and **text**.
func (m *markdown) emphasis(text string) int {
	mark, tag := "*", "em"
	if strings.HasPrefix(text, "**") {
		mark, tag = "**", "strong"
	}
	inner, _, ok := strings.Cut(text[len(mark):], mark)
	if !ok || inner == "" || strings.TrimSpace(inner) != inner {
		return 0
	}
	m.write("<", tag, ">")
	m.inline(inner)
	m.write("</", tag, ">")
	return len(inner) + 2*len(mark)
}

// hyperlink writes [text](address). Addresses with a scheme other than that of web pages stay text.
func (m *markdown) hyperlink(text string) int {
	label, rest, ok := strings.Cut(text[1:], "](")
	if !ok || strings.ContainsAny(label, "[]") {
		return 0
	}
	to, _, ok := strings.Cut(rest, ")")
	web := strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "http://")
	if !ok || !web && strings.Contains(to, ":") {
		return 0
	}
	m.write("<a href=\"", html.EscapeString(to), "\">")
	m.inline(label)
	m.write("</a>")
	return len(label) + len(to) + 4
}
