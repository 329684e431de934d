package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// maxMarkdownBytes is the size in bytes from which markdown is shown as plain text: it
// would take longer to lay out than one wants to wait for a page.
const maxMarkdownBytes = 256 << 10

// Markdown lays out text, which may be anything, in width cells. Text that
// cannot be laid out comes back wrapped and plain, and what looks like a tag of HTML is
// shown as it is: it may be what somebody wrote about. Nothing that can be read in the
// text is left out, no line is wider than width (a character of two cells needs a width of
// two), no control code of the text and no hyperlink survives. It may be called from a job.
func Markdown(text string, width int, dark bool) string {
	text, width = Sanitize(text), max(1, width)
	if len(text) > maxMarkdownBytes {
		return ansi.Wrap(text, width, "")
	}
	source := []byte(text + "\n") // The parser loses the language of a fence at the very end.
	document := parseMarkdown(source)
	if document == nil {
		return ansi.Wrap(text, width, "")
	}
	w := markdownWriter{source: source, width: width, palette: newMarkdownPalette(dark)}
	w.out.Grow(len(text) + len(text)/4)
	w.children(document, true)
	return strings.TrimRight(w.out.String(), "\n")
}
