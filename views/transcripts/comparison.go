package transcripts

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/compare"
	"lcm-tui/ops/backfill"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Comparison is the transcript of a conversation beside what is stored of it and what the
// context holds.
type Comparison struct {
	views.ListScreen[*compare.Row, views.NoDetail]
	env   *views.Env
	conv  lcm.Conversation
	path  string // Of the transcript; empty looks for it.
	shown string // The path whose comparison is shown.
	found *compare.Comparison
}

var _ ui.Screen = (*Comparison)(nil)

// NewComparison returns the screen of a conversation and its transcript, which lies at path or is looked
// for.
func NewComparison(env *views.Env, conv lcm.Conversation, path string) *Comparison {
	v := &Comparison{env: env, conv: conv, path: path}
	text := func(r *compare.Row) string {
		return r.Role + " " + r.Preview + " " + string(r.Place) + " " + r.Summary
	}
	list := ui.NewList(env.Styles, comparisonID, v.row, text)
	v.ListScreen = views.NewListScreen(v, env, 0.6, list, comparisonID, v.describe)
	v.LayoutColumns, v.HeaderLines = v.columns, v.summary
	v.Path = views.NewPathPrompt(env.Styles, "Transcript:", "a session file, or PATH#SESSION of a transcript database; it is only read", "compare", "compare", func(path string) tea.Cmd {
		v.path = path
		return v.Init()
	})
	list.Empty = "looking for the transcript"
	return v
}

// Title implements ui.Screen.
func (v *Comparison) Title() string { return v.env.Name(v.conv) + " › transcript" }

// Purpose implements ui.Screen.
func (v *Comparison) Purpose() string {
	return "What the host wrote of this conversation, entry by entry, beside the context item that holds it or the summary that covers it; + stands in the context only."
}

var (
	keyDifference = ui.Act("!", "!", "next difference")
	keyTranscript = ui.Act("f", "f", "name a file")
)

// OwnActions implements views.ListOwner.
func (v *Comparison) OwnActions() []views.Action {
	return []views.Action{
		v.ReadAction("there is no transcript"),
		{Action: keyDifference.In("Look").InFooter().Off(v.difference() != nil, "the context leads to every entry, and the transcript has every message"), Run: v.nextDifference},
		{Action: keyTranscript.In("Look").InFooter(), Run: func() tea.Cmd { v.Path.Open(v.shown); return nil }},
	}
}

// difference returns the next row after the cursor that only one of both has, or that the context
// doesn't lead to; nil where there is none.
func (v *Comparison) difference() *compare.Row {
	rows, from := v.List.Items(), 0
	if r, ok := v.List.Selected(); ok {
		from = slices.Index(rows, r) + 1
	}
	for i := range rows {
		r := rows[(from+i)%len(rows)]
		if r.Place == compare.Missing || r.Place == compare.Forgotten || r.Place == compare.Extra {
			return r
		}
	}
	return nil
}

// nextDifference goes to it, round the end of the list.
func (v *Comparison) nextDifference() tea.Cmd {
	if r := v.difference(); r != nil {
		v.List.Escape()
		v.List.Select(comparisonID(r))
	}
	return nil
}

// comparisonID identifies a row in the list.
func comparisonID(r *compare.Row) string { return views.Itoa(r.Line) + "/" + views.Itoa(r.Message) }

type comparisonMsg struct{ *compare.Comparison }

// Load implements views.ListOwner.
func (v *Comparison) Load() tea.Cmd {
	env, conv, path := v.env, v.conv, v.path
	return env.Jobs.Start(v, "compare", views.Read(func(ctx context.Context) (comparisonMsg, error) {
		var err error
		if path == "" {
			path, err = backfill.TranscriptOf(ctx, env.DB, env.Sessions, conv)
		}
		if err != nil {
			return comparisonMsg{}, err
		}
		c, err := compare.Compare(ctx, env.DB, conv.ID, path)
		return comparisonMsg{c}, err
	}))
}

// Receive implements views.ListOwner.
func (v *Comparison) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case comparisonMsg:
		v.found, v.shown = m.Comparison, m.Path
		v.List.Empty = "the transcript holds no message"
		v.SetRows(views.PointersTo(m.Rows))
	case ui.FailedMsg:
		if m.Name != "compare" {
			break
		}
		v.path = v.shown
		v.List.Empty = views.NotRead(m.Err)
		if !errors.Is(m.Err, compare.ErrNoTranscript) {
			break
		}
		v.List.Empty = "no transcript of this conversation was found: f names the file, and `.` then `T` in the list of conversations lists those of this machine"
	}
	return nil
}

// summary says what the comparison comes to.
func (v *Comparison) summary(width, _ int) (lines []string) {
	if v.found == nil {
		return nil
	}
	for _, l := range views.WrapAtMost(v.found.Counts(), width-1, views.StateLines) {
		lines = append(lines, v.env.Styles.Muted.Render(" "+l))
	}
	return lines
}

func (v *Comparison) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "line", Width: 6, Right: true},
		{Title: "role", Width: 10},
		{Title: "transcript"},
		{Title: "context", Width: 26},
	}, width)
}

func (v *Comparison) row(r *compare.Row, width int, _ bool) string {
	s := v.env.Styles
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "line":
			if r.Line == 0 {
				return ""
			}
			return s.Faint.Render(ui.Num(r.Line))
		case "role":
			return s.Role(r.Role).Render(ui.LineN(r.Role, 10))
		case "context":
			return v.place(r)
		}
		if r.Place == compare.Extra {
			return ""
		}
		return ui.LineN(r.Preview, width)
	})
}

// place returns what of the context holds an item, with a mark.
func (v *Comparison) place(r *compare.Row) string {
	s, ordinal, doubt := v.env.Styles, "", ""
	if r.Ordinal != nil {
		ordinal = views.Itoa(*r.Ordinal) + " "
	}
	if r.Ambiguous {
		doubt = "~ "
	}
	switch r.Place {
	case compare.InContext:
		return doubt + ordinal + "#" + views.Itoa(r.Message)
	case compare.Covered:
		return doubt + ordinal + views.ShortID(r.Summary, views.IDWidth)
	case compare.Forgotten:
		return s.Warn.Render("! forgotten #" + views.Itoa(r.Message))
	case compare.Missing:
		return s.Bad.Render("! not stored")
	case compare.Redacted:
		return s.Muted.Render("no text")
	case compare.Elsewhere:
		return s.Muted.Render("elsewhere #" + views.Itoa(r.Message))
	case compare.LeftOut:
		return s.Muted.Render("left out")
	}
	return s.Accent.Render("+ " + ordinal + "#" + views.Itoa(r.Message))
}

// meanings say what a place means.
var meanings = map[compare.Place]string{
	compare.InContext: "it is stored, and stands in the context itself",
	compare.Covered:   "it is stored, and a summary in the context covers it",
	compare.Forgotten: "it is stored, but the context doesn't lead to it: the model has forgotten it",
	compare.Missing:   "it isn't stored; importing the session file adds it",
	compare.Redacted:  "the transcript holds no readable text of it",
	compare.Extra:     "it stands in the context, and not in the transcript",
	compare.Elsewhere: "another conversation of the same session has it",
	compare.LeftOut:   "hosts don't store such an entry",
}

func (v *Comparison) describe(r *compare.Row, _ views.NoDetail, _ int) string {
	s := v.env.Styles
	lines := []string{s.Title.Render(ui.Line(r.Role)) + "  " + v.place(r), s.Muted.Render(meanings[r.Place])}
	if r.Ambiguous {
		lines = append(lines, s.Muted.Render("the same text stands several times: it may be another of them"))
	}
	if r.Masked {
		lines = append(lines, s.Muted.Render("the transcript hides a secret that the message has"))
	}
	if r.Why != "" {
		lines = append(lines, s.Muted.Render(ui.Line(r.Why)))
	}
	if !r.At.IsZero() {
		lines = append(lines, s.Muted.Render(v.env.Stamp(data.Time{Time: r.At})))
	}
	return strings.Join(append(lines, "", ui.Sanitize(r.Preview)), "\n")
}
