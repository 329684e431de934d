package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/work"
)

// Memory is what coding agents are remembered by: when each hook ran, how far session files are saved, the work that
// hooks asked for, and what was handed to sessions. Rows unfold.
type Memory struct {
	views.ListScreen[*row, views.NoDetail]
	env    *views.Env
	state  *state // Nil until it is read.
	folded map[section]bool
	asked  bool // Whether sessions may be imported into this database was asked.
}

var _ ui.Screen = (*Memory)(nil)

// New returns the screen of the memory of coding agents.
func New(env *views.Env) *Memory {
	v := &Memory{env: env, folded: map[section]bool{}}
	list := ui.NewList(env.Styles, (*row).id, v.render, (*row).text)
	list.Empty = "reading what hooks noted"
	v.ListScreen = views.NewListScreen(v, env, 0.6, list, (*row).id, v.describe)
	v.LayoutColumns, v.HeaderLines = v.columns, v.header
	return v
}

// Title implements ui.Screen.
func (v *Memory) Title() string { return "Memory of coding agents" }

// Purpose implements ui.Screen.
func (v *Memory) Purpose() string {
	return "Whether Claude Code, Codex and Gemini CLI are remembered: hooks, session files, the work that waits, and what was handed to sessions. " +
		"Only running work and saving sessions write, as they do on the command line."
}

// memoryKeys are the screen's own keys.
var memoryKeys = struct{ Open, Save, Run, Pause, Entries ui.Action }{
	Open:    ui.Act("enter", "⏎", "unfold, or open"),
	Save:    ui.Act("s", "s", "save sessions now"),
	Run:     ui.Act("r", "r", "run the work now"),
	Pause:   ui.Act("p", "p", "pause the work, or let it go on"),
	Entries: ui.Act("e", "e", "promoted memory"),
}

// OwnActions implements views.ListOwner.
func (v *Memory) OwnActions() []views.Action {
	r, some := v.List.Selected()
	open := views.TextWhen(!some, "there is nothing to open")
	if some && !r.isHead && r.conversation == 0 && len(r.summaries) == 0 {
		open = "no conversation is known for it"
	}
	cannot := views.FirstNonEmpty(views.TextWhen(v.env.Agents.Run == nil, "this program can't start itself"), v.env.ReadOnly())
	k, paused := memoryKeys, v.state != nil && v.state.paused != ""
	notes := views.TextWhen(v.env.Agents.Notes == "", "there is no folder for notes")
	return []views.Action{
		{Action: k.Open.In("Look").InFooter().Off(open == "" && !v.TextFocused, views.FirstNonEmpty(views.TextWhen(v.TextFocused, views.TextHasKeys), open)), Run: func() tea.Cmd { return v.open(r) }},
		{Action: k.Entries.In("Look").InFooter(), Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: NewEntries(v.env)}) }},
		{Action: k.Save.In("Change").InFooter().Off(cannot == "", cannot), Run: v.save},
		{Action: k.Run.In("Change").InFooter().Off(cannot == "" && !paused, views.FirstNonEmpty(cannot, "the work is paused: p lets it go on")), Run: func() tea.Cmd { return v.run("run the work", "work", "--once", "--json") }},
		{Action: k.Pause.In("Change").InFooter().Off(notes == "", notes), Run: func() tea.Cmd { return v.pause(!paused) }},
	}
}

// open folds or unfolds a section, or opens the conversation of a row.
func (v *Memory) open(r *row) tea.Cmd {
	switch {
	case r.isHead:
		v.folded[r.section] = !v.folded[r.section]
		v.set()
		v.List.Select(r.id())
		return nil
	case len(r.summaries) > 0:
		return visitSummary(v.env, v, r.summaries[0])
	}
	return v.env.Visit(v, r.conversation, views.Target{Tab: views.TabMessages})
}

// save imports what session files have more; into another database than this program's own at the second press only.
func (v *Memory) save() tea.Cmd {
	if question := v.env.Agents.AskBeforeImport("s"); question != "" && !v.asked {
		v.asked = true
		return ui.Say(ui.StatusMsg{Text: question, Kind: ui.Warn})
	}
	return v.run("save sessions", "follow", "--apply", "--once")
}

// run runs a command of this program, and says in its last line what came of it.
func (v *Memory) run(name string, args ...string) tea.Cmd {
	run := v.env.Agents.Run
	return v.env.Jobs.Start(v, name, func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		out, err := run(ctx, args...)
		if err != nil {
			return nil, err
		}
		return ui.ChangedMsg{Note: views.FirstNonEmpty(outcome(out), ui.LastLine(out), "nothing was to be done")}, nil
	})
}

// outcome returns what became of the work, by what lcm-tui work --json prints; empty for what another command prints.
func outcome(out string) string {
	var r struct {
		Database string     `json:"database"`
		Ended    []work.Job `json:"ended"`
	}
	if json.Unmarshal([]byte(out), &r) != nil || r.Database == "" {
		return ""
	}
	number := map[work.State]int{}
	for _, j := range r.Ended {
		number[j.State]++
	}
	return fmt.Sprintf("%s, %d skipped, %d failed", plural.Count(number[work.Done], "job is done", "jobs are done"), number[work.Skipped], number[work.Failed])
}

// pause pauses the work, or lets it go on.
func (v *Memory) pause(paused bool) tea.Cmd {
	folder := v.env.Agents.Notes
	return v.env.Jobs.Start(v, "pause", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		notes, err := work.Open(ctx, folder)
		if err != nil {
			return nil, err
		}
		defer notes.Close()
		text := "the work goes on when a hook runs"
		if paused {
			text = "the work is paused; hooks still save sessions"
		}
		return ui.ChangedMsg{Note: text}, notes.Pause(ctx, paused)
	})
}

// Load implements views.ListOwner.
func (v *Memory) Load() tea.Cmd { return v.env.Jobs.Read(v, "load", v.read()) }

// read returns the work of reading all that is shown.
func (v *Memory) read() ui.Work {
	db, agents := v.env.DB, v.env.Agents
	set, _ := v.env.KnownSettings() // Without any, no session is left out by its key.
	return views.Read(func(ctx context.Context) (*state, error) { return readState(ctx, db, agents, set.SessionFilter()) })
}

// Receive implements views.ListOwner.
func (v *Memory) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case *state:
		if v.state == nil {
			v.folded[sectionFiles] = len(m.files) > mostUnfolded
		}
		v.state = m
		v.set()
		if pause := v.env.Agents.Refresh; pause > 0 {
			return v.env.Jobs.QuietAfter(v, "load again", pause, v.read())
		}
	case summaryMsg:
		return v.env.Visit(v, m.conversation, views.Target{Tab: views.TabSummaries, ID: m.id})
	case views.TargetMsg:
		return v.env.Arrive(m)
	}
	return nil
}

// mostUnfolded is of how many session files the list begins folded.
const mostUnfolded = 12

// set lists the rows. The cursor stays where it is.
func (v *Memory) set() {
	now := v.env.Now()
	var rows []*row
	for s := range sections {
		head, inside := v.state.rows(s, now)
		head.isOpen = !v.folded[s]
		if rows = append(rows, head); head.isOpen {
			rows = append(rows, inside...)
		}
	}
	v.List.SetItems(rows)
	v.Dirty = true
}

// header says which model makes summaries and what it may cost, and that the work is paused.
func (v *Memory) header(width, _ int) []string {
	s, a := v.env.Styles, v.env.Agents
	if v.state == nil {
		return []string{"", ""}
	}
	spend := v.state.spend
	text := "summaries by " + ui.Line(views.FirstNonEmpty(a.Model, "nobody")) + ", today " + ui.Num(int64(spend.Calls)) + " of " + plural.Count(a.Calls, "call", "calls")
	text += ", " + dollars(spend.Dollars) + limitText(a.Dollars)
	line := s.Muted.Render(" " + text)
	if v.state.paused != "" {
		line = s.Warn.Render(" ~ paused") + s.Muted.Render(" since "+v.env.Local(parsed(v.state.paused)).Format("2006-01-02 15:04")+";") + line
	}
	return []string{ui.Cut(line, width), ""}
}

func limitText(most float64) string {
	if most == 0 {
		return ""
	}
	return " of " + dollars(most)
}

func dollars(amount float64) string { return "$" + strconv.FormatFloat(amount, 'f', 2, 64) }
