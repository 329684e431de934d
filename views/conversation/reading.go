package conversation

import (
	"context"
	"math"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/search"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Reading is a conversation as running text: every message under its role and time, and
// calls of tools in a line each unless they are unfolded. It reads a window of the
// messages, which moves with the text, so that a conversation of any length opens at once.
// The list that it was opened from follows it.
type Reading struct {
	env  *views.Env
	conv lcm.Conversation

	window   messageWindow
	ends     lcm.SeqRange // Of the whole conversation.
	loaded   bool
	notRead  string        // Why nothing is loaded; empty while that goes on.
	target   *readingPlace // Where to go once the messages there are read; nil is nowhere.
	top      readingPlace  // The first line on screen.
	current  int64         // The seq of the message under the cursor.
	unfolded bool

	laid   map[int64][]string // The lines of messages, by seq, as laid out for drawn.
	drawn  readingLayout
	height int

	input  *ui.Input // Takes what is searched.
	needle string
	marks  func(string) []search.Span // Finds what a search of the whole file found; may be nil.
	match  matchMsg                   // The message that was found last,
	// matchAt is the line in it.
	matchAt readingPlace
}

// readingPlace is a line of a message.
type readingPlace struct {
	seq  int64
	line int
	// match says that the place is the first line from there on, or the last one if
	// backwards, that holds what is searched.
	match, backwards bool
}

// readingLayout is what the lines of a message depend on.
type readingLayout struct {
	width          int
	unfolded, dark bool
	needle         string
}

const (
	readingPage  = 60       // Messages that are read at once in one direction.
	readingMax   = 360      // Messages that are kept.
	readingBytes = 24 << 10 // Bytes of each text.
	readingEdge  = 20       // More messages are read when the screen is as near to an end.
)

var _ ui.Screen = (*Reading)(nil)

// newReading returns the reading view of a conversation, at the message of a seq.
func newReading(env *views.Env, conv lcm.Conversation, seq int64) *Reading {
	return &Reading{
		env: env, conv: conv, current: seq, target: &readingPlace{seq: seq}, height: 1,
		input: ui.NewInput(env.Styles, "search in this conversation:"), laid: map[int64][]string{},
	}
}

// Title implements ui.Screen.
func (*Reading) Title() string { return "Reading" }

// Purpose implements ui.Screen.
func (*Reading) Purpose() string {
	return "The conversation as running text, every message under its role and time. Calls and answers of tools take a line each until they are unfolded."
}

// Init implements ui.Screen.
func (v *Reading) Init() tea.Cmd { return v.load() }

// load reads the messages around the target place, or around the top of the screen.
func (v *Reading) load() tea.Cmd {
	at := v.top.seq
	if v.target != nil {
		at = v.target.seq
	}
	v.notRead = ""
	v.env.Jobs.Cancel(v, "older", "newer")
	db, conv := v.env.DB, v.conv.ID
	return v.env.Jobs.Read(v, "load", views.Read(func(ctx context.Context) (m windowMsg, err error) {
		if m.ends, err = lcm.ReadSeqRange(ctx, db, conv); err == nil {
			m.messageWindow, err = readAround(ctx, db, conv, at, lcm.SeqPage{Limit: readingPage, Clip: readingBytes})
		}
		return m, err
	}))
}

// readAtEdge reads more messages where the screen is near an end of the window.
func (v *Reading) readAtEdge() tea.Cmd {
	jobs, w := v.env.Jobs, v.window
	if !v.loaded || len(w.items) == 0 || jobs.Running(v, "load") {
		return nil
	}
	var cmds []tea.Cmd
	if at := v.index(v.top.seq); !w.atStart && at < readingEdge && !jobs.Running(v, "older") {
		cmds = append(cmds, v.readMore(true))
	} else if !w.atEnd && len(w.items)-at < readingEdge+v.height && !jobs.Running(v, "newer") {
		cmds = append(cmds, v.readMore(false))
	}
	return tea.Batch(cmds...)
}

func (v *Reading) readMore(older bool) tea.Cmd {
	db, conv := v.env.DB, v.conv.ID
	name, edge := "newer", v.window.last()
	if older {
		name, edge = "older", v.window.first()
	}
	return v.env.Jobs.Quiet(v, name, views.Read(func(ctx context.Context) (moreMessagesMsg, error) {
		return readMore(ctx, db, conv, edge, older, lcm.SeqPage{Limit: readingPage, Clip: readingBytes})
	}))
}

// Update implements ui.Screen.
func (v *Reading) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case windowMsg:
		v.receive(msg)
	case moreMessagesMsg:
		v.window.add(msg, readingPage, readingMax)
	case ui.FailedMsg:
		if msg.Name == "load" {
			v.notRead = views.NotRead(msg.Err)
		}
	case matchMsg:
		cmd = v.receiveMatch(msg)
	case matchCountMsg:
		v.match.setCount(msg, v.needle)
	case ui.ChangedMsg:
		clear(v.laid)
		return v.load()
	case tea.PasteMsg:
		v.input.Update(msg)
	case tea.MouseWheelMsg:
		v.scroll(map[bool]int{true: -3, false: 3}[msg.Button == tea.MouseWheelUp])
	case tea.KeyPressMsg:
		cmd = v.key(msg)
	}
	return tea.Batch(cmd, v.readAtEdge())
}

// receive takes the messages around a place and goes there.
func (v *Reading) receive(m windowMsg) {
	v.window, v.ends, v.loaded = m.messageWindow, m.ends, true
	clear(v.laid)
	if len(v.window.items) == 0 {
		return
	}
	if v.target == nil { // It was read again: the text and the cursor stay.
		current := v.current
		v.show(v.top)
		v.current = v.window.items[v.index(current)].Seq
		return
	}
	at := *v.target
	if !at.match || v.drawn.width > 0 { // Without a width no match has a line yet.
		v.target = nil
	}
	v.show(at)
}

// goTo goes to a place, which is read first where it isn't in the window.
func (v *Reading) goTo(at readingPlace) tea.Cmd {
	w := v.window
	inside := len(w.items) > 0 && (at.seq >= w.first() || w.atStart) && (at.seq <= w.last() || w.atEnd)
	if inside {
		v.show(at)
		return nil
	}
	v.target = &at
	return v.load()
}

// Typing implements ui.Typer.
func (v *Reading) Typing() bool { return v.input.Typing() }

// Escape implements ui.Escaper.
func (v *Reading) Escape() bool {
	had := v.needle != ""
	v.needle, v.match = "", matchMsg{}
	return had
}

// Copy implements ui.Copier.
func (v *Reading) Copy() string {
	m, ok := v.message()
	if !ok {
		return ""
	}
	return messageID(m)
}

// Position implements ui.Positioner.
func (v *Reading) Position() string {
	if !v.loaded || len(v.window.items) == 0 {
		return ""
	}
	return "#" + ui.Num(v.current) + " of " + ui.Num(v.ends.Last)
}

// message returns the message under the cursor.
func (v *Reading) message() (m *lcm.Message, ok bool) {
	if len(v.window.items) == 0 {
		return m, false
	}
	return v.window.nearest(v.current), true
}

// goToEnd goes to the first message, or to the end of the last.
func (v *Reading) goToEnd(first bool) tea.Cmd {
	if first {
		return v.goTo(readingPlace{seq: v.ends.First})
	}
	return v.goTo(readingPlace{seq: v.ends.Last, line: math.MaxInt32})
}
