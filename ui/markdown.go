package ui

import (
	"fmt"
	"strings"
	"sync"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/styles"
	"github.com/charmbracelet/x/ansi"
)

// maxMarkdownBytes is the size in bytes from which markdown is shown as plain text: it
// would take longer to lay out than one wants to wait for a page.
const maxMarkdownBytes = 256 << 10

// renderers makes a markdown renderer when the first text needs it, and keeps
// one, since nearly all texts come in the same width.
type renderers struct {
	mu    sync.Mutex
	width int
	dark  bool
	last  *glamour.TermRenderer
}

var markdown renderers

// bulletWidth is what glamour forgets of the width of a list's lines.
const bulletWidth = 2

// Markdown lays out text, which may be anything, in width cells. Text that
// cannot be laid out comes back wrapped and plain, and what looks like a tag of HTML is
// shown as it is: it may be what somebody wrote about. No control code of the text
// and no hyperlink survives. It may be called from a job.
func Markdown(text string, width int, dark bool) string {
	text, width = Sanitize(text), max(1, width)
	if len(text) > maxMarkdownBytes {
		return ansi.Wrap(text, width, "")
	}
	bracket := string(unusedRune(text))
	out, err := markdown.render(strings.ReplaceAll(text, "<", bracket), max(1, width-bulletWidth), dark)
	if err != nil {
		return ansi.Wrap(text, width, "")
	}
	out = strings.ReplaceAll(out, bracket, "<")
	return ansi.Wrap(strings.Trim(dropLinks(out), "\n"), width, "") // Lists may exceed it.
}

// unusedRune is a private rune, one cell wide, that the text doesn't hold.
func unusedRune(text string) rune {
	r := '\uE000'
	for strings.ContainsRune(text, r) {
		r++
	}
	return r
}

func (r *renderers) render(text string, width int, dark bool) (out string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() {
		if p := recover(); p != nil { // The text is not ours.
			r.last, err = nil, fmt.Errorf("lay out markdown: %v", p)
		}
	}()
	if r.last == nil || r.width != width || r.dark != dark {
		if r.last, err = newRenderer(width, dark); err != nil {
			return "", err
		}
		r.width, r.dark = width, dark
	}
	return r.last.Render(text)
}

func newRenderer(width int, dark bool) (*glamour.TermRenderer, error) {
	look := styles.LightStyleConfig
	if dark {
		look = styles.DarkStyleConfig
	}
	none := uint(0)
	look.Document.Margin = &none
	look.Code.Prefix, look.Code.Suffix = "", "" // Blanks around it would stand before commas.
	return glamour.NewTermRenderer(glamour.WithStyles(look), glamour.WithWordWrap(width))
}

// dropLinks takes out every escape sequence but colours and attributes.
func dropLinks(s string) string {
	var b strings.Builder
	for _, p := range splitPieces(s) {
		if p.code && len(p.text) > 1 && !strings.HasSuffix(p.text, "m") {
			continue
		}
		if p.code && strings.HasPrefix(p.text, "\x1b]") {
			continue
		}
		b.WriteString(p.text)
	}
	return b.String()
}
