package clean

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/ops/space"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Space is the screen of what fills the file: tables, conversations, agents, lanes, months and
// kinds of rows with their bytes, and down to single messages. It shows numbers while they are
// still being measured.
type Space struct {
	env     *views.Env
	list    *ui.List[*spaceRow]
	report  *space.Report // What is known so far; nil before the first numbers.
	running *spaceReading // The measuring that runs; nil is none.
	endedBy string        // Why the last one ended early, or empty.
	version int64         // Of the file when it was measured.
	stale   bool          // The file has changed since.
	place   spacePlace
	// leversOf are the conversations that the levers are about; none are all.
	leversOf []int64
	largest  int64 // The bytes of the largest row: those of a full bar.
	drawn    int   // Cells of the last frame's width.
}

var _ ui.Screen = (*Space)(nil)

// spaceTabs are what the screen groups by; the last tab lists what cleaning gives back.
var spaceTabs = []struct {
	by   space.By
	name string
}{
	{space.ByTable, "Tables"},
	{space.ByConversation, "Conversations"},
	{space.ByAgent, "Agents"},
	{space.ByLane, "Lanes"},
	{space.ByMonth, "Months"},
	{space.ByKind, "Kinds"},
	{"", "Cleaning"},
}

// NewSpace returns the screen of what fills the file.
func NewSpace(env *views.Env) *Space {
	v := &Space{env: env}
	v.list = ui.NewList(env.Styles, (*spaceRow).id, v.render, (*spaceRow).text)
	v.list.SetSorts(
		ui.Sort[*spaceRow]{Name: "size"},
		ui.Sort[*spaceRow]{Name: "name", Less: func(a, b *spaceRow) bool { return a.name < b.name }},
		ui.Sort[*spaceRow]{Name: "rows", Less: func(a, b *spaceRow) bool { return a.rows > b.rows }},
	)
	return v
}

// NewCleanings returns the screen at what cleaning gives back.
func NewCleanings(env *views.Env) *Space {
	v := NewSpace(env)
	v.place.tab = len(spaceTabs) - 1
	return v
}

// Title implements ui.Screen.
func (v *Space) Title() string {
	parts := []string{"Space"}
	for _, l := range v.place.levels {
		parts = append(parts, ui.LineN(l.title, 40))
	}
	return strings.Join(parts, " › ")
}

// Purpose implements ui.Screen.
func (v *Space) Purpose() string {
	return "What fills the file, by table, conversation, agent, lane, month and kind of row, down to single messages; and what each way of cleaning would give back. Nothing is changed from here without a review."
}

// Init implements ui.Screen.
func (v *Space) Init() tea.Cmd {
	if v.report != nil || v.running != nil {
		return nil
	}
	return v.measure()
}

// Typing implements ui.Typer.
func (v *Space) Typing() bool { return v.list.Typing() }

// Escape implements ui.Escaper: it clears a filter, then closes what was opened.
func (v *Space) Escape() bool { return v.list.Escape() || v.closeLevel() }

// Position implements ui.Positioner.
func (v *Space) Position() string { return v.list.Position() }

// Copy implements ui.Copier.
func (v *Space) Copy() string {
	r, ok := v.list.Selected()
	if !ok {
		return ""
	}
	return r.copied()
}

// Update implements ui.Screen. What a host writes doesn't begin another measuring, which may
// take long: the screen only says that there is news.
func (v *Space) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case spaceMsg:
		return v.receive(msg)
	case spaceLeversMsg:
		v.receiveLevers(msg)
	case spaceMessagesMsg:
		v.receiveMessages(msg)
	case spaceVersionMsg:
		v.stale = v.running == nil && msg.version != v.version
	case views.TargetMsg:
		return v.env.Arrive(msg)
	case ui.FailedMsg:
		v.failed(msg)
	case ui.ChangedMsg:
		if msg.External {
			return v.compareVersion()
		}
		return v.measure()
	case ui.OpenMsg:
		cmd, _ := views.RunAction(v.actions(), ui.Press("enter"))
		return cmd
	case tea.KeyPressMsg:
		return v.key(msg)
	case tea.MouseClickMsg, tea.MouseWheelMsg:
		return v.mouse(msg)
	default:
		return v.list.Update(msg)
	}
	return nil
}

// key runs the action of a key, else the list takes it.
func (v *Space) key(msg tea.KeyPressMsg) tea.Cmd {
	if !v.list.Typing() {
		for i, k := range spaceTabKeys {
			if key.Matches(msg, k.Key) {
				return v.showTab(i)
			}
		}
		if cmd, found := views.RunAction(v.actions(), msg); found {
			return cmd
		}
	}
	return v.list.Update(msg)
}

// mouse chooses a tab, or goes to the list.
func (v *Space) mouse(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(tea.MouseClickMsg); ok && m.Y == spaceTabLine {
		if i, hit := v.place.tabLine().Hit(m.X, v.drawn); hit {
			return v.showTab(i)
		}
		return nil
	}
	return v.list.Update(ui.ShiftMouse(msg, 0, -spaceHeadLines))
}

// setRows shows the rows of the present tab or level.
func (v *Space) setRows() {
	rows := v.place.rows(v.report)
	v.largest = 0
	for _, r := range rows {
		v.largest = max(v.largest, r.bytes)
	}
	v.list.SetItems(rows)
	v.list.Empty = v.emptyReason()
}

// emptyReason says why no row is listed.
func (v *Space) emptyReason() string {
	switch {
	case v.running != nil || v.report == nil && v.endedBy == "":
		return "measuring"
	case v.report == nil:
		return v.endedBy + ": ctrl+r measures again"
	case v.place.innermost().reading:
		return "reading the largest messages"
	case spaceTabs[v.place.tab].by == "" && v.env.Jobs.Running(v, "levers"):
		return "looking for what may go"
	case spaceTabs[v.place.tab].by == "" && v.report != nil && v.report.IsServer:
		return "only files are cleaned; a file that is known here can be opened with :db"
	case spaceTabs[v.place.tab].by == "":
		return "no cleaning would give anything back"
	}
	return "there is nothing of the kind in this file"
}

// endOf says why a measuring ended, in words.
func endOf(err error) string {
	if isCancelled(err) {
		return "the measuring was cancelled"
	}
	return "it can't be measured: " + ui.Line(data.ProblemOf(err))
}
