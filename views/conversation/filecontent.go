package conversation

import (
	"bytes"
	"context"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
	"lcm-tui/views"
)

const (
	contentMost = 512 << 10 // Bytes of a file that are read.
	hexMost     = 1 << 10   // Bytes of a binary file that are shown.
)

// FileContent is the start of a large file, as text or in hexadecimal.
type FileContent struct {
	env   *views.Env
	file  lcm.LargeFile
	pager *ui.Pager
	note  string
	text  string // What Y copies.
}

var _ ui.Screen = (*FileContent)(nil)

func newFileContent(env *views.Env, f lcm.LargeFile) *FileContent {
	return &FileContent{env: env, file: f, pager: ui.NewPager(env.Styles), note: "reading…"}
}

// Title implements ui.Screen.
func (c *FileContent) Title() string { return ui.LineN(fileName(&c.file), 40) }

// Purpose implements ui.Screen.
func (c *FileContent) Purpose() string {
	return "The content of a large file. Only what lies in the files folder is read, and of a long file the start."
}

// Actions implements ui.Screen.
func (c *FileContent) Actions() []ui.Action {
	return append(c.pager.Actions(), views.KeyCopyText.In("Read").Off(c.text != "", "there is no text"))
}

// Init implements ui.Screen.
func (c *FileContent) Init() tea.Cmd {
	f, folder := c.file, c.env.Files
	return c.env.Jobs.Start(c, "read file", views.Read(func(context.Context) (contentMsg, error) {
		b, more, err := lcm.ReadLargeFile(f, folder, contentMost)
		m := contentMsg{more: more, err: err, binary: binary(b)}
		if m.binary {
			m.text = hex.Dump(b[:min(len(b), hexMost)])
			return m, nil
		}
		m.raw = strings.ToValidUTF8(string(b), "�")
		m.text = ui.Sanitize(m.raw)
		return m, nil
	}))
}

type contentMsg struct {
	text, raw    string
	more, binary bool
	err          error
}

// binary reports whether bytes are none of a text.
func binary(b []byte) bool {
	head := b[:min(len(b), 8<<10)]
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	bad := 0
	for s := string(head); s != ""; {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || r < ' ' && !strings.ContainsRune("\n\r\t\f\x1b\b", r) {
			bad++
		}
		s = s[n:]
	}
	return bad > len(head)/10
}

// Typing implements ui.Typer.
func (c *FileContent) Typing() bool { return c.pager.Typing() }

// Escape implements ui.Escaper.
func (c *FileContent) Escape() bool { return c.pager.Escape() }

// Copy implements ui.Copier.
func (c *FileContent) Copy() string { return c.file.ID }

// Update implements ui.Screen.
func (c *FileContent) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case contentMsg:
		c.receive(msg)
	case ui.FailedMsg:
		c.note = "not read"
	case tea.KeyPressMsg:
		if !c.pager.Typing() && key.Matches(msg, views.KeyCopyText.Key) && c.text != "" {
			return views.CopyToClipboard(c.text, ui.Size(int64(len(c.text))))
		}
		return c.pager.Update(msg)
	case tea.MouseWheelMsg, tea.PasteMsg:
		return c.pager.Update(msg)
	}
	return nil
}

func (c *FileContent) receive(m contentMsg) {
	c.text = m.raw
	switch {
	case m.err != nil:
		c.note = "not read"
		c.pager.Show(c.failure(m.err))
	case m.text == "":
		c.note = "the file is empty"
	case m.binary:
		c.note = "binary; the first " + ui.Size(min(hexMost, c.file.Bytes))
		c.pager.Show(m.text)
	default:
		c.note = ""
		if m.more {
			c.note = "the first " + ui.Size(contentMost)
		}
		c.pager.Show(m.text)
	}
}

// failure says why the file can't be read, and what to do.
func (c *FileContent) failure(err error) string {
	s := c.env.Styles
	text := s.Bad.Render("! ") + ui.Line(err.Error())
	if next := hint.Of(err); next != "" {
		text += "\n\n" + ui.Line(next)
	}
	return text
}

// View implements ui.Screen.
func (c *FileContent) View(width, height int) string {
	s := c.env.Styles
	facts := []string{" " + ui.Line(c.file.ID), ui.LineN(c.file.MIME, 24), ui.Size(c.file.Bytes)}
	if c.note != "" {
		facts = append(facts, c.note)
	}
	return s.Muted.Render(ui.Cut(strings.Join(facts, "   "), width)) + "\n" + c.pager.View(width, height-1)
}
