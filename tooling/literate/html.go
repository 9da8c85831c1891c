package literate

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	unsafehtml "github.com/yuin/goldmark/renderer/html"
)

// style makes a page readable without anything from elsewhere.
const style = `body { max-width: 50em; margin: 2em auto; padding: 0 1em; font-family: sans-serif; line-height: 1.5; }
pre { background: #f4f4f4; padding: 0.6em; overflow-x: auto; } img, video { max-width: 100%; }`

// HTML makes a page for browsers of Markdown. HTML in the Markdown is kept: directives put sounds and videos there, and the program is
// the user's own.
func HTML(title, markdown string) (string, error) {
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(unsafehtml.WithUnsafe()),
	)
	var body bytes.Buffer
	if err := md.Convert([]byte(markdown), &body); err != nil {
		return "", err
	}
	return strings.Join([]string{
		"<!DOCTYPE html>", `<html><head><meta charset="utf-8"><title>` + html.EscapeString(title) + "</title>",
		"<style>" + style + "</style></head><body>", body.String() + "</body></html>", "",
	}, "\n"), nil
}
