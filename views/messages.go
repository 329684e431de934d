package views

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// Messages is a conversation as it was spoken: a window of it, which moves with
// the cursor, and the whole of the message under the cursor.
type Messages struct {
	tab
	pane beside
	list *ui.List[data.Message]

	stretch stretch
	ends    data.SeqRange // Of the whole conversation.
	loaded  bool
	target  *int64 // Where goTo wants to go, until that is loaded.
	role    int    // Of messageRoles.

	full     data.Message // The last that was read whole.
	fetching int64        // The id of the last that was asked for.
	version  int          // Counts what was loaded.
	unfolded bool

	search *ui.Input
	jump   *ui.Input
	needle string
}

// messageRoles is what the list can be limited to; the first is no limit.
var messageRoles = []string{"", "user", "assistant", "tool", "system"}

var _ ui.Screen = (*Messages)(nil)

func newMessages(t tab) ui.Screen {
	v := &Messages{tab: t}
	s := v.env().Styles
	v.pane = newBeside(s, 0.57)
	v.list = ui.NewList(s, messageID, v.row, nil)
	v.list.Keys.Filter = key.Binding{}
	v.list.Divider = v.day
	v.search = ui.NewInput(s, "search in this conversation:")
	v.jump = ui.NewInput(s, "go to seq, id 123, or 2026-01-05 14:30:")
	return v
}

func messageID(m data.Message) string { return itoa(m.ID) }

// Purpose implements ui.Screen.
func (v *Messages) Purpose() string {
	return "Every message of the conversation as it was stored, with its parts, and whether the model still sees it, sees a summary of it, or neither."
}

var (
	keySeek      = ui.Act("/", "/", "search")
	keyNextMatch = ui.Act("n", "n", "next match")
	keyPrevMatch = ui.Act("N", "N", "previous match")
	keyGoTo      = ui.Act("#", "#", "go to seq, id or date")
	keyRole      = ui.Act("r", "r", "role")
	keyCover     = ui.Act("s", "s", "its summary")
	keyFold      = ui.Act("t", "t", "unfold")
	keyOldest    = ui.Act("g home", "g", "first message")
	keyNewest    = ui.Act("G end", "G", "last message")
	keyNextMsg   = ui.Act("right l", "→", "next message")
	keyPrevMsg   = ui.Act("left h", "←", "previous message")
	keyCopyText  = ui.Act("Y", "Y", "copy the text")
)

// Actions implements ui.Screen.
func (v *Messages) Actions() []ui.Action {
	m, some := v.list.Selected()
	const none, searched = "there are no messages", "nothing was searched"
	fold := keyFold
	if v.unfolded {
		fold = ui.Act("t", "t", "fold")
	}
	next, prev := keyNextMatch.In("Find").Off(v.needle != "", searched), keyPrevMatch.In("Find").Off(v.needle != "", searched)
	if v.needle != "" {
		next, prev = next.InFooter(), prev.InFooter()
	}
	var own []ui.Action
	if v.pane.on {
		own = append(own, keyBackList.In("Read").InFooter(),
			keyPrevMsg.In("Read").InFooter().Off(some, none), keyNextMsg.In("Read").InFooter().Off(some, none))
	}
	own = append(own,
		keyRead.In("Read").InFooter().Off(some && !v.pane.on, none),
		keySeek.In("Find").InFooter().Off(some, none),
		next, prev,
		keyGoTo.In("Find").InFooter().Off(some, none),
		keyRole.In("Find").InFooter(),
		keyCover.In("Look").InFooter().Off(len(m.SummaryIDs) > 0, "no summary covers this message"),
		fold.In("Read").InFooter().Off(some, none),
		keyCopyText.In("Read").Off(some, none),
	)
	own = append(own, v.pane.actions(v.list.Actions())...)
	if v.Typing() {
		own = append(own, ui.Act("enter", "⏎", "go").In(ui.Typing).InFooter(), ui.Act("esc", "esc", "leave").In(ui.Typing).InFooter())
	}
	return append(own, v.tabActions()...)
}

// Init implements ui.Screen.
func (v *Messages) Init() tea.Cmd { return tea.Batch(v.label(v), v.reload()) }

// Typing implements ui.Typer.
func (v *Messages) Typing() bool { return v.search.Typing() || v.jump.Typing() }

// Escape implements ui.Escaper.
func (v *Messages) Escape() bool {
	if v.pane.close() {
		return true
	}
	was := v.needle != ""
	v.needle = ""
	return was
}

// Copy implements ui.Copier.
func (v *Messages) Copy() string {
	m, ok := v.list.Selected()
	if !ok {
		return ""
	}
	return messageID(m)
}

// Update implements ui.Screen.
func (v *Messages) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case labelsMsg:
		v.hear(msg)
	case stretchMsg:
		v.take(msg)
	case moreMsg:
		v.takeMore(msg)
	case wholeMsg:
		v.full = data.Message(msg)
		v.version++
	case foundMsg:
		cmd = v.found(msg)
	case placeMsg:
		cmd = v.goTo(msg.seq)
		if msg.note != "" {
			cmd = tea.Batch(cmd, ui.Say(ui.StatusMsg{Text: msg.note}))
		}
	case ui.FailedMsg:
		v.target = nil
	case ui.ChangedMsg:
		cmd = tea.Batch(v.label(v), v.reload())
	case ui.OpenMsg:
		v.pane.on = true
	case tea.KeyPressMsg:
		cmd = v.key(msg)
	case tea.PasteMsg:
		v.typed(msg)
	case tea.MouseWheelMsg, tea.MouseClickMsg:
		cmd = v.mouse(msg)
	}
	return tea.Batch(cmd, v.extend(), v.fetch())
}

func (v *Messages) mouse(msg tea.Msg) tea.Cmd {
	if cmd, taken := v.tabClick(msg, v.pane.width); taken {
		return cmd
	}
	if msg = v.pane.mouse(msg); msg != nil {
		return v.list.Update(msg)
	}
	return nil
}

func (v *Messages) key(msg tea.KeyPressMsg) tea.Cmd {
	if v.Typing() {
		return v.typed(msg)
	}
	is := func(a ui.Action) bool { return key.Matches(msg, a.Key) }
	switch {
	case is(keySeek):
		v.search.Open(v.needle)
	case is(keyGoTo):
		v.jump.Open("")
	case is(keyNextMatch):
		return v.find(false)
	case is(keyPrevMatch):
		return v.find(true)
	case is(keyRole):
		return v.nextRole()
	case is(keyCover):
		return v.cover()
	case is(keyFold):
		v.unfolded = !v.unfolded
	case is(keyCopyText):
		return v.copyText()
	case v.pane.on && is(keyNextMsg):
		v.list.Move(1)
	case v.pane.on && is(keyPrevMsg):
		v.list.Move(-1)
	case v.pane.key(msg):
	case is(keyRead):
		v.pane.on = v.list.Len() > 0
	case is(keyOldest):
		return v.end(true)
	case is(keyNewest):
		return v.end(false)
	default:
		if cmd := v.tabKey(msg); cmd != nil {
			return cmd
		}
		return v.list.Update(msg)
	}
	return nil
}

func (v *Messages) copyText() tea.Cmd {
	m, ok := v.shown()
	if !ok || m.Clipped() {
		return nil
	}
	return tea.Batch(tea.SetClipboard(m.Content),
		ui.Say(ui.StatusMsg{Text: "copied the text of message " + messageID(m) + ", " + ui.Size(int64(len(m.Content))), Kind: ui.Done}))
}

// cover goes to the leaf that covers the message, among the summaries.
func (v *Messages) cover() tea.Cmd {
	m, ok := v.list.Selected()
	if !ok || len(m.SummaryIDs) == 0 {
		return nil
	}
	return v.showSummary(m.SummaryIDs[0])
}

// showSummary goes to a summary in its tab.
func (t *tab) showSummary(id string) tea.Cmd {
	if s, ok := t.hub.Tab(tabSummaries).(interface{ show(id string) }); ok {
		s.show(id)
	}
	return t.hub.show(tabSummaries)
}

// View implements ui.Screen.
func (v *Messages) View(width, height int) string {
	v.list.Blurred = v.pane.on
	body := v.pane.view(v.listView, v.write, width, height-2, 2)
	return v.tabLine(width) + "\n" + v.bar(width) + "\n" + body
}

func (v *Messages) listView(width, height int) string {
	v.list.Head = v.columns(width - 1).head(v.env().Styles.Muted)
	return v.list.View(width, height)
}

// bar says where one is, or takes what is typed.
func (v *Messages) bar(width int) string {
	s := v.env().Styles
	switch {
	case v.search.Typing():
		return " " + v.search.View(width-1)
	case v.jump.Typing():
		return " " + v.jump.View(width-1)
	}
	right := "# go to   / search   r role: " + first(messageRoles[v.role], "all") + " "
	if v.needle != "" {
		right = "/ " + ui.LineN(v.needle, width/3) + "   esc clears "
	}
	room := max(0, width-lipgloss.Width(right))
	return s.Muted.Render(ui.Cut(ui.Pad(" "+v.where(room-3), room)+right, width))
}

// where is the place of the cursor in the conversation, as far as there is room.
func (v *Messages) where(room int) string {
	m, ok := v.list.Selected()
	if !ok {
		return ""
	}
	out := "seq " + ui.Num(m.Seq) + " of " + ui.Num(v.ends.Last)
	more := []string{""}
	if role := messageRoles[v.role]; role != "" {
		more = append(more, "only "+role)
	}
	if m.CreatedAt.Valid() {
		more = append(more, v.env().local(m.CreatedAt.Time).Format("Mon 2006-01-02"))
	}
	for n := len(more); n > 0; n-- {
		if s := out + strings.Join(more[:n], "   "); lipgloss.Width(s) <= room {
			return s
		}
	}
	return out
}
