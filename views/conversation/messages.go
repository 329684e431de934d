package conversation

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Messages is a conversation as it was spoken: a window of it, which moves with
// the cursor, and the whole of the message under the cursor.
type Messages struct {
	views.Tab
	views.ListScreen[*lcm.Message, *lcm.Message]

	window    messageWindow
	ends      lcm.SeqRange // Of the whole conversation.
	loaded    bool
	targetSeq *int64 // Where the cursor goes once the messages there are read; nil is nowhere.
	role      int    // Of messageRoles.
	unfolded  bool

	tokensWidth int // Cells of the largest number of tokens.

	searchInput *ui.Input
	goToInput   *ui.Input
	needle      string
	match       matchMsg // Of the last search.
	wholeLine   wholeLine
	reading     *Reading // The reading view that was opened from here; nil where there is none.
}

// messageRoles is what the list can be limited to; the first is no limit.
var messageRoles = []string{"", "user", "assistant", "tool", "system"}

var _ ui.Screen = (*Messages)(nil)

// NewMessages returns the tab of the messages.
func NewMessages(t views.Tab) ui.Screen {
	v := &Messages{Tab: t}
	s := v.Env().Styles
	list := ui.NewList(s, messageID, v.row, nil)
	list.Keys.Filter, list.Keys.Top, list.Keys.Bottom = key.Binding{}, key.Binding{}, key.Binding{}
	list.Divider = func(prev, next *lcm.Message) string { return dayDivider(v.Env(), prev, next) }
	v.ListScreen = views.NewListScreen(v, v.Env(), 0.57, list, messageID, v.describe)
	v.Tabs, v.LayoutColumns, v.HeaderLines, v.AfterUpdate = &v.Tab, v.columns, v.bar, v.readAtEdge
	v.ReadDetailOf, v.MaxDetails = func(m *lcm.Message) views.DetailReader[*lcm.Message] { return readFull(v.Env().DB, m) }, 1
	v.searchInput = ui.NewInput(s, "search in this conversation:")
	v.goToInput = ui.NewInput(s, "go to seq, id 123, or 2026-01-05 14:30:")
	return v
}

func messageID(m *lcm.Message) string { return views.Itoa(m.ID) }

// Purpose implements ui.Screen.
func (v *Messages) Purpose() string {
	return "Every message of the conversation as it was stored, with its parts, and whether the model still sees it, sees a summary of it, or neither."
}

var (
	keySearch          = ui.Act("/", "/", "search")
	keyNextMatch       = ui.Act("n", "n", "next match")
	keyPrevMatch       = ui.Act("N", "N", "previous match")
	keyGoTo            = ui.Act("#", "#", "go to seq, id or date")
	keyRole            = ui.Act("r", "r", "role")
	keyCoveringSummary = ui.Act("s", "s", "its summary")
	keyReading         = ui.Act("v", "v", "read as text")
	keyFold            = ui.Act("t", "t", "unfold").Named("unfold-tools")
	keyOldest          = ui.Act("g home", "g", "first message")
	keyNewest          = ui.Act("G end", "G", "last message")
	keyNextMsg         = ui.Act("right l", "→", "next message")
	keyPrevMsg         = ui.Act("left h", "←", "previous message")
)

// Actions implements ui.Screen.
func (v *Messages) Actions() []ui.Action {
	out := v.ListScreen.Actions()
	if v.Typing() {
		out = append(out, ui.Act("enter", "⏎", "go").In(ui.Typing).InFooter(), ui.Act("esc", "esc", "leave").In(ui.Typing).InFooter())
	}
	return out
}

// OwnActions implements views.ListOwner.
func (v *Messages) OwnActions() (out []views.Action) {
	m, some := v.List.Selected()
	if !some {
		m = &lcm.Message{}
	}
	const none, searched, reads = "there are no messages", "nothing was searched", "the text has the keys: esc goes back to the list"
	next, prev := keyNextMatch.In("Find").Off(v.needle != "", searched), keyPrevMatch.In("Find").Off(v.needle != "", searched)
	next.Footer, prev.Footer = v.needle != "", v.needle != ""
	fold := keyFold
	if v.unfolded {
		fold = ui.Act("t", "t", "fold").Named(keyFold.ID())
	}
	if v.TextFocused {
		out = []views.Action{
			{Action: keyPrevMsg.In("Read").InFooter().Off(some, none), Run: func() tea.Cmd { v.List.Move(-1); return nil }},
			{Action: keyNextMsg.In("Read").InFooter().Off(some, none), Run: func() tea.Cmd { v.List.Move(1); return nil }},
		}
	}
	return append(out, []views.Action{
		v.ReadAction(none),
		{Action: keyReading.In("Read").InFooter().Off(some, none), Run: func() tea.Cmd { return v.readAsText(m.Seq) }},
		{Action: keySearch.In("Find").InFooter().Off(some, none), Run: func() tea.Cmd { v.searchInput.Open(v.needle); return nil }},
		{Action: next, Run: func() tea.Cmd { return v.find(false) }},
		{Action: prev, Run: func() tea.Cmd { return v.find(true) }},
		{Action: keyGoTo.In("Find").InFooter().Off(some, none), Run: func() tea.Cmd { v.goToInput.Open(""); return nil }},
		{Action: keyRole.In("Find").InFooter(), Run: v.nextRole},
		{Action: keyCoveringSummary.In("Look").InFooter().Off(len(m.SummaryIDs) > 0, "no summary covers this message"), Run: func() tea.Cmd { return showSummary(&v.Tab, m.SummaryIDs[0]) }},
		{Action: keyTraceMessage.In("Look").InFooter().Off(some, none), Run: func() tea.Cmd { return traceMessage(v.Env(), v.Hub.Row, v.Hub.Budget, m.ID) }},
		{Action: views.KeyCompare.In("Look"), Run: func() tea.Cmd { return v.Env().Compare(v.Hub.Row) }},
		{Action: fold.In("Read").InFooter().Off(some, none), Run: func() tea.Cmd { v.unfolded = !v.unfolded; return nil }},
		{Action: views.KeyCopyText.In("Read").Off(some, none), Run: func() tea.Cmd { return v.copyText(m) }},
		{Action: keyOldest.In("Move").Off(!v.TextFocused, reads), Run: func() tea.Cmd { return v.goToEnd(true) }},
		{Action: keyNewest.In("Move").Off(!v.TextFocused, reads), Run: func() tea.Cmd { return v.goToEnd(false) }},
	}...)
}

// Typing implements ui.Typer.
func (v *Messages) Typing() bool { return v.searchInput.Typing() || v.goToInput.Typing() }

// Escape implements ui.Escaper.
func (v *Messages) Escape() bool {
	had := v.ListScreen.Escape()
	if !had {
		had, v.needle, v.Dirty = v.needle != "", "", true
	}
	return had
}

// Position implements ui.Positioner. The line above the list says where the cursor is in
// the conversation, of which the list holds only a window.
func (v *Messages) Position() string {
	if v.TextFocused {
		return v.ListScreen.Position()
	}
	return ""
}

// Place implements ui.Placer. By the time it is restored, other messages may be read than
// those around the cursor.
func (v *Messages) Place() func() tea.Cmd {
	restorePane, seq, role, needle := v.ListScreen.Place(), v.cursorSeq(), v.role, v.needle
	return func() tea.Cmd {
		cmd := restorePane()
		sameRole := v.role == role
		v.role, v.needle, v.targetSeq = role, needle, nil
		if seq != 0 && (!sameRole || v.cursorSeq() != seq) {
			v.targetSeq = &seq
		}
		return tea.Batch(cmd, v.reload())
	}
}

// readAsText opens the conversation as running text, at a message. Its cursor is that of
// the list when the user comes back.
func (v *Messages) readAsText(seq int64) tea.Cmd {
	v.reading = newReading(v.Env(), v.Hub.Row, seq)
	v.reading.needle, v.reading.marks = v.needle, v.Hub.Marks
	v.reading.target.match = finderOf(v.needle, v.Hub.Marks) != nil
	return ui.Say(ui.PushMsg{Screen: v.reading})
}

// Update implements ui.Screen.
func (v *Messages) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case ui.ShownMsg:
		if r := v.reading; r != nil {
			v.reading = nil
			return v.goTo(r.current)
		}
	case tea.KeyPressMsg, tea.PasteMsg:
		if v.Typing() {
			v.Dirty = true
			return v.handleInput(msg)
		}
	}
	return v.ListScreen.Update(msg)
}

// Load implements views.ListOwner.
func (v *Messages) Load() tea.Cmd { return tea.Batch(v.Label(v), v.reload()) }

// Receive implements views.ListOwner.
func (v *Messages) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case windowMsg:
		v.receiveWindow(msg)
	case moreMessagesMsg:
		v.receiveMore(msg)
	case matchMsg:
		return v.receiveMatch(msg)
	case matchCountMsg:
		v.match.setCount(msg, v.needle)
	case jumpMsg:
		if msg.note == "" {
			return v.goTo(msg.seq)
		}
		return tea.Batch(v.goTo(msg.seq), ui.Say(ui.StatusMsg{Text: msg.note}))
	case ui.FailedMsg:
		v.targetSeq = nil
	}
	return nil
}

func (v *Messages) copyText(m *lcm.Message) tea.Cmd {
	if m = completed(m, v.Details[messageID(m)].Detail); m.Clipped() {
		return nil
	}
	return views.CopyToClipboard(m.Content, "the text of message "+messageID(m)+", "+ui.Size(int64(len(m.Content))))
}

// showSummary goes to a summary in its tab.
func showSummary(t *views.Tab, id string) tea.Cmd {
	if s, ok := t.Hub.Tab(views.TabSummaries).(interface{ show(id string) }); ok {
		s.show(id)
	}
	return t.Hub.Show(views.TabSummaries)
}

// bar says where one is, or takes what is typed.
func (v *Messages) bar(width, _ int) []string {
	s := v.Env().Styles
	switch {
	case v.searchInput.Typing():
		return []string{" " + v.searchInput.View(width-1)}
	case v.goToInput.Typing():
		return []string{" " + v.goToInput.View(width-1)}
	}
	right := "# go to   / search   r role: " + views.FirstNonEmpty(messageRoles[v.role], "all") + " "
	if v.needle != "" {
		right = "/ " + ui.LineN(v.needle, width/3) + "   " + strings.TrimLeft(v.match.matchText()+"   ", " ") + "esc clears "
	}
	room := max(0, width-lipgloss.Width(right))
	return []string{s.Muted.Render(ui.Cut(ui.Pad(" "+v.placeText(room-3), room)+right, width))}
}

// placeText returns the place of the cursor in the conversation, as far as there is room.
func (v *Messages) placeText(room int) string {
	m, ok := v.List.Selected()
	if !ok {
		return ""
	}
	out := "seq " + ui.Num(m.Seq) + " of " + ui.Num(v.ends.Last)
	more := []string{""}
	if role := messageRoles[v.role]; role != "" {
		more = append(more, "only "+role)
	}
	if m.CreatedAt.Valid() {
		more = append(more, v.Env().Local(m.CreatedAt.Time).Format("Mon 2006-01-02"))
	}
	for n := len(more); n > 0; n-- {
		if s := out + strings.Join(more[:n], "   "); lipgloss.Width(s) <= room {
			return s
		}
	}
	return out
}
