package transcripts

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

func (v *SessionFiles) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "", Width: 1},
		{Title: "agent", Width: 8, From: 56},
		{Title: "session"},
		{Title: "conversation", Width: 14, From: 90},
		{Title: "state", Width: 13},
		{Title: "new", Width: 7, Right: true},
		{Title: "messages", Width: 8, Right: true, From: 64},
		{Title: "size", Width: 8, Right: true, From: 76},
		{Title: "changed", Width: 8, Right: true},
	}, width)
}

func (v *SessionFiles) row(s *sessionFile, width int, _ bool) string {
	st := v.env.Styles
	n, counted := v.counted[s.ref()]
	known := counted && !s.gone && n.err == nil
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "":
			return views.TextWhen(v.marked[s.path], st.Accent.Render("✓"))
		case "agent":
			return st.Muted.Render(ui.LineN(agentName(s), 8))
		case "session":
			before := views.TextWhen(s.archived, "archived ")
			return st.Muted.Render(before) + ui.CutMiddle(ui.Line(s.name()), v.columns(width).Width(title)-len(before))
		case "conversation":
			if !s.found {
				return st.Muted.Render("none yet")
			}
			return ui.LineN(v.env.Name(s.conv), 40)
		case "state":
			return v.state(s)
		case "new":
			if !known || n.Messages == 0 {
				return ""
			}
			return st.Good.Render("+" + ui.Num(int64(n.Messages)))
		case "messages":
			if !known {
				return ""
			}
			return ui.Num(int64(n.Stored + n.Messages))
		case "size":
			return views.TextWhen(!s.gone, ui.Size(s.size))
		}
		return st.Muted.Render(views.Ago(s.at, v.env.Now()))
	})
}

// agentName returns the agent whose session it is: OpenClaw has several, each with a folder of its own; else the program
// that wrote the session.
func agentName(s *sessionFile) string {
	file := views.FirstNonEmpty(s.database, s.path)
	if folder := filepath.Dir(filepath.Dir(file)); filepath.Base(filepath.Dir(folder)) == "agents" && (s.kind == "" || s.kind == transcript.OpenClaw) {
		return filepath.Base(folder)
	}
	switch s.kind {
	case "":
		return ""
	case transcript.ClaudeCode:
		return "claude"
	}
	return string(s.kind)
}

// state says how much of a session file is stored.
func (v *SessionFiles) state(s *sessionFile) string {
	st := v.env.Styles
	switch n, counted := v.counted[s.ref()]; {
	case s.gone:
		return st.Warn.Render("~ file gone")
	case !counted:
		return st.Faint.Render("counting …")
	case n.leftOut() != "":
		return st.Muted.Render("left out")
	case n.err != nil:
		return st.Bad.Render("! unreadable")
	case n.Messages == 0:
		return "stored"
	case n.Stored == 0:
		return "new"
	}
	return "partly stored"
}

// factName is the width of the names of facts.
const factName = 13

func (v *SessionFiles) describe(s *sessionFile, _ views.NoDetail, width int) string {
	st := v.env.Styles
	var b strings.Builder
	fact := func(name, value string) {
		b.WriteString(st.Muted.Render(ui.Pad(name, factName)) + ui.Line(value) + "\n")
	}
	whole := func(name, value string) { // It is copied with the mouse, so it never breaks at a hyphen.
		if value = ui.Line(value); factName+ansi.StringWidth(value) > width {
			b.WriteString(st.Muted.Render(name) + "\n" + ansi.Hardwrap(value, max(1, width), true) + "\n")
			return
		}
		fact(name, value)
	}
	b.WriteString(st.Title.Render(ansi.Hardwrap(ui.Line(s.name()), max(1, width), true)) + "\n")
	whole("in", views.ShortenHome(views.FirstNonEmpty(s.database, filepath.Dir(s.path))))
	if s.gone {
		fact("state", "the file is gone; what was read of it is stored")
	} else {
		agent := string(s.kind)
		if name := agentName(s); s.kind == transcript.OpenClaw && name != agent {
			agent = name + ", of " + agent
		}
		fact("agent", agent)
		fact("size", ui.Size(s.size))
		fact("changed", v.env.Stamp(data.Time{Time: s.at, Raw: "x"}))
	}
	whole("session", s.id)
	if s.archived {
		fact("archived", "the host put it aside")
	}
	if s.ended {
		fact("ended", "another session has its key now")
	}
	fact("conversation", v.conversationOf(s))
	b.WriteString("\n" + v.numbers(s, width))
	if n := len(v.problems); n > 0 {
		b.WriteString("\n" + st.Warn.Render(fmt.Sprintf("~ %s left out", plural.Count(n, "file is", "files are"))) + "\n")
		for _, p := range v.problems[:min(n, 5)] {
			b.WriteString(st.Faint.Render(ui.Line(p.Error())) + "\n")
		}
	}
	return b.String()
}

func (v *SessionFiles) conversationOf(s *sessionFile) string {
	if !s.found {
		if v.counted[s.ref()].leftOut() != "" {
			return "none"
		}
		return "none yet; importing makes one"
	}
	name := v.env.Name(s.conv) + " #" + views.Itoa(s.conv.ID)
	if !s.conv.Active {
		name += ", archived"
	}
	return name
}

// numbers say what of a session file is stored.
func (v *SessionFiles) numbers(s *sessionFile, width int) string {
	st := v.env.Styles
	n, counted := v.counted[s.ref()]
	var unknown *transcript.UnknownError
	switch {
	case !counted:
		return st.Muted.Render("counting its messages …") + "\n"
	case n.leftOut() != "":
		return ansi.Wrap("left out on purpose: "+ui.Line(n.leftOut()), max(1, width), " ") + "\n"
	case errors.As(n.err, &unknown):
		return st.Bad.Render("! it is no session file any more") + "\n"
	case n.err != nil:
		return st.Bad.Render("! "+ui.Line(n.err.Error())) + "\n"
	case s.gone:
		return plural.Count(n.Stored, "message is", "messages are") + " stored\n"
	}
	where := "the file"
	if s.database != "" {
		where = "the session"
	}
	out := plural.Count(n.Stored+n.Messages, "message", "messages") + " in " + where + ", " + ui.Num(int64(n.Stored)) + " stored\n"
	if n.Messages > 0 {
		out += st.Good.Render("+ "+ui.Num(int64(n.Messages))+" to import, "+ui.Tokens(n.Tokens)) + st.Muted.Render("   I imports them") + "\n"
	}
	for _, note := range n.Notes {
		out += st.Warn.Render("~ "+ui.Line(note)) + "\n"
	}
	return out
}
