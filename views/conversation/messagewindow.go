package conversation

import (
	"cmp"
	"context"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ui"
	"lcm-tui/views"
)

const (
	windowPage   = 200     // Messages that are read at once in one direction.
	windowMax    = 1000    // Messages that are kept.
	previewBytes = 2 << 10 // Bytes of each text in the list.
	windowEdge   = 40      // More are read when the cursor is as near to an end.
)

// messageWindow is the messages in memory, by seq, and whether there are none before or
// after them.
type messageWindow struct {
	items          []lcm.Message
	atStart, atEnd bool
}

func (w messageWindow) first() int64 { return w.items[0].Seq }
func (w messageWindow) last() int64  { return w.items[len(w.items)-1].Seq }

// nearest returns the message with this seq, or the first after it, or the last.
func (w messageWindow) nearest(seq int64) *lcm.Message {
	i, _ := slices.BinarySearchFunc(w.items, seq, func(m lcm.Message, seq int64) int { return cmp.Compare(m.Seq, seq) })
	return &w.items[min(i, len(w.items)-1)]
}

// windowMsg is another window. With at the cursor goes to the message nearest to
// it, else it stays on its message.
type windowMsg struct {
	messageWindow
	ends lcm.SeqRange
	at   *int64
}

// moreMessagesMsg is more messages at one end.
type moreMessagesMsg struct {
	older bool
	edge  int64 // The seq next to which they belong.
	items []lcm.Message
}

// goTo puts the cursor on the message with this seq, or the next one after it.
func (v *Messages) goTo(seq int64) tea.Cmd {
	if v.role != 0 && !slices.ContainsFunc(v.window.items, func(m lcm.Message) bool { return m.Seq == seq }) {
		v.role = 0
	}
	v.targetSeq = &seq
	return v.reload()
}

// goToEnd goes to the first or the last message.
func (v *Messages) goToEnd(first bool) tea.Cmd {
	switch {
	case len(v.window.items) == 0:
		return nil
	case first && v.window.atStart:
		v.List.Move(-v.List.Len())
		return nil
	case !first && v.window.atEnd:
		v.List.Move(v.List.Len())
		return nil
	}
	at := int64(math.MaxInt64)
	if first {
		at = math.MinInt64
	}
	v.targetSeq = &at
	return v.reload()
}

func (v *Messages) nextRole() tea.Cmd {
	v.role = (v.role + 1) % len(messageRoles)
	if m, ok := v.List.Selected(); ok && v.targetSeq == nil {
		v.targetSeq = &m.Seq
	}
	return v.reload()
}

// isFollowing reports whether the cursor is on the newest message, and so goes
// along with those that come.
func (v *Messages) isFollowing() bool {
	return v.window.atEnd && v.List.Index() == v.List.Len()-1
}

// reload reads the window around targetSeq, or the present one again.
func (v *Messages) reload() tea.Cmd {
	v.Env().Jobs.Cancel(v, "older", "newer")
	db, conv, role, at := v.Env().DB, v.Hub.Row.ID, messageRoles[v.role], v.targetSeq
	if at == nil && (!v.loaded || len(v.window.items) == 0 || v.isFollowing()) {
		newest := int64(math.MaxInt64)
		at = &newest
	}
	was, page := v.window, lcm.SeqPage{Role: role, Limit: windowPage, Clip: previewBytes}
	return v.Env().Jobs.Read(v, "load", views.Read(func(ctx context.Context) (m windowMsg, err error) {
		if m.ends, err = lcm.ReadSeqRange(ctx, db, conv); err != nil {
			return m, err
		}
		if m.at = at; at != nil {
			m.messageWindow, err = readAround(ctx, db, conv, *at, page)
			return m, err
		}
		limit := min(len(was.items)+windowPage, windowMax)
		m.items, err = lcm.MessagesFrom(ctx, db, conv, lcm.SeqPage{From: was.first(), Role: role, Limit: limit, Clip: previewBytes})
		m.atStart, m.atEnd = was.atStart, len(m.items) < limit
		return m, err
	}))
}

// readAround reads a page of messages up to a seq, and a page from there on.
func readAround(ctx context.Context, db *data.DB, conv, at int64, page lcm.SeqPage) (w messageWindow, err error) {
	page.From, page.Back = at, true
	if w.items, err = lcm.MessagesFrom(ctx, db, conv, page); err != nil {
		return w, err
	}
	w.atStart, w.atEnd = len(w.items) < page.Limit, true
	if at == math.MaxInt64 {
		return w, nil
	}
	page.From, page.Back = at+1, false
	after, err := lcm.MessagesFrom(ctx, db, conv, page)
	w.items, w.atEnd = append(w.items, after...), len(after) < page.Limit
	return w, err
}

// readMore reads a page of messages at one end of a window.
func readMore(ctx context.Context, db *data.DB, conv, edge int64, older bool, page lcm.SeqPage) (moreMessagesMsg, error) {
	if page.From = edge + 1; older {
		page.From, page.Back = edge-1, true
	}
	items, err := lcm.MessagesFrom(ctx, db, conv, page)
	return moreMessagesMsg{older, edge, items}, err
}

// add adds messages at one end, if that is still the end for which they were read, and
// drops those beyond limit at the other. page is how many were asked for.
func (w *messageWindow) add(m moreMessagesMsg, page, limit int) {
	switch {
	case len(w.items) == 0:
	case m.older && m.edge == w.first():
		w.atStart = len(m.items) < page
		w.items = slices.Concat(m.items, w.items)
		if len(w.items) > limit {
			w.items, w.atEnd = w.items[:limit], false
		}
	case !m.older && m.edge == w.last():
		w.atEnd = len(m.items) < page
		w.items = slices.Concat(w.items, m.items)
		if over := len(w.items) - limit; over > 0 {
			w.items, w.atStart = w.items[over:], false
		}
	}
}

func (v *Messages) receiveWindow(m windowMsg) {
	v.window, v.ends, v.loaded, v.targetSeq = m.messageWindow, m.ends, true, nil
	v.List.Empty = "no messages: the host stores the first one when the agent gets it"
	if role := messageRoles[v.role]; role != "" {
		v.List.Empty = "no " + role + " messages in this conversation; r shows the other roles"
	}
	v.setItems(m.items)
	if m.at != nil && len(m.items) > 0 {
		v.CenterRow(messageID(m.nearest(*m.at)))
	}
}

// readAtEdge reads more where the cursor is near an end of the window.
func (v *Messages) readAtEdge() tea.Cmd {
	jobs := v.Env().Jobs
	if !v.loaded || len(v.window.items) == 0 || jobs.Running(v, "load") {
		return nil
	}
	var cmds []tea.Cmd
	if !v.window.atStart && v.List.Index() < windowEdge && !jobs.Running(v, "older") {
		cmds = append(cmds, v.readMoreAt(true))
	}
	if !v.window.atEnd && v.List.Index() >= v.List.Len()-windowEdge && !jobs.Running(v, "newer") {
		cmds = append(cmds, v.readMoreAt(false))
	}
	return tea.Batch(cmds...)
}

func (v *Messages) readMoreAt(older bool) tea.Cmd {
	db, conv, w := v.Env().DB, v.Hub.Row.ID, v.window
	name, edge := "newer", w.last()
	if older {
		name, edge = "older", w.first()
	}
	page := lcm.SeqPage{Role: messageRoles[v.role], Limit: windowPage, Clip: previewBytes}
	return v.Env().Jobs.Quiet(v, name, views.Read(func(ctx context.Context) (moreMessagesMsg, error) {
		return readMore(ctx, db, conv, edge, older, page)
	}))
}

// receiveMore adds messages at one end of the window.
func (v *Messages) receiveMore(m moreMessagesMsg) {
	v.window.add(m, windowPage, windowMax)
	v.setItems(v.window.items)
}

// setItems gives the list its messages, and their column of tokens its width.
func (v *Messages) setItems(items []lcm.Message) {
	v.tokensWidth = 0
	for _, m := range items {
		v.tokensWidth = max(v.tokensWidth, len(ui.Tokens(m.Tokens)))
	}
	v.SetRows(views.PointersTo(items))
}

// readFull reads the whole of a message of which the list has only the start.
func readFull(db *data.DB, m *lcm.Message) views.DetailReader[*lcm.Message] {
	if !shortened(m) {
		return nil
	}
	return func(ctx context.Context) (*lcm.Message, error) {
		whole, err := lcm.ReadMessage(ctx, db, m.ID)
		return &whole, err
	}
}

// shortened reports whether a message of the list isn't whole.
func shortened(m *lcm.Message) bool {
	const sure = previewBytes - 4 // A rune may have been cut off.
	return m.Clipped() || slices.ContainsFunc(m.Parts, func(p lcm.Part) bool {
		return max(len(p.Text), len(p.ToolInput), len(p.ToolOutput), len(p.Metadata)) >= sure
	})
}

// completed returns a message of the list, whole if it was read.
func completed(m, whole *lcm.Message) *lcm.Message {
	if whole != nil && shortened(m) {
		return whole
	}
	return m
}
