package views

import (
	"cmp"
	"context"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
)

const (
	stretchPage = 200     // Messages that are read at once in one direction.
	stretchMost = 1000    // Messages that are kept.
	stretchClip = 2 << 10 // Bytes of each text in the list.
	stretchEdge = 40      // More are read when the cursor is as near to an end.
)

// stretch is the messages in memory, by seq, and whether there are none before or
// after them.
type stretch struct {
	items          []data.Message
	atStart, atEnd bool
}

func (s stretch) first() int64 { return s.items[0].Seq }
func (s stretch) last() int64  { return s.items[len(s.items)-1].Seq }

// nearest is the message with this seq, or the first after it, or the last.
func (s stretch) nearest(seq int64) data.Message {
	i, _ := slices.BinarySearchFunc(s.items, seq, func(m data.Message, seq int64) int { return cmp.Compare(m.Seq, seq) })
	return s.items[min(i, len(s.items)-1)]
}

// stretchMsg is a new stretch. With at the cursor goes to the message nearest to
// it, else it stays on its message.
type stretchMsg struct {
	stretch
	ends data.SeqRange
	at   *int64
}

// moreMsg is more messages at one end.
type moreMsg struct {
	older bool
	edge  int64 // The seq next to which they belong.
	items []data.Message
}

// goTo puts the cursor on the message with this seq, or the next one after it.
func (v *Messages) goTo(seq int64) tea.Cmd {
	if v.role != 0 && !slices.ContainsFunc(v.stretch.items, func(m data.Message) bool { return m.Seq == seq }) {
		v.role = 0
	}
	v.target = &seq
	return v.reload()
}

// end goes to the first or the last message.
func (v *Messages) end(first bool) tea.Cmd {
	switch {
	case len(v.stretch.items) == 0:
		return nil
	case first && v.stretch.atStart:
		v.list.Move(-v.list.Len())
		return nil
	case !first && v.stretch.atEnd:
		v.list.Move(v.list.Len())
		return nil
	}
	at := int64(math.MaxInt64)
	if first {
		at = math.MinInt64
	}
	v.target = &at
	return v.reload()
}

func (v *Messages) nextRole() tea.Cmd {
	v.role = (v.role + 1) % len(messageRoles)
	if m, ok := v.list.Selected(); ok && v.target == nil {
		v.target = &m.Seq
	}
	return v.reload()
}

// following reports whether the cursor is on the newest message, and so goes
// along with those that come.
func (v *Messages) following() bool {
	return v.stretch.atEnd && v.list.Index() == v.list.Len()-1
}

// reload reads the stretch around the target, or the present one again.
func (v *Messages) reload() tea.Cmd {
	v.env().Jobs.Cancel(v, "older", "newer")
	db, conv, role, at := v.env().DB, v.hub.row.ID, messageRoles[v.role], v.target
	if at == nil && (!v.loaded || len(v.stretch.items) == 0 || v.following()) {
		newest := int64(math.MaxInt64)
		at = &newest
	}
	was := v.stretch
	return v.env().Jobs.Read(v, "load", read(func(ctx context.Context) (m stretchMsg, err error) {
		if m.ends, err = db.SeqRange(ctx, conv); err != nil {
			return m, err
		}
		if m.at = at; at != nil {
			m.stretch, err = readAround(ctx, db, conv, role, *at)
			return m, err
		}
		limit := min(len(was.items)+stretchPage, stretchMost)
		m.items, err = db.MessagesFrom(ctx, conv, data.SeqPage{From: was.first(), Role: role, Limit: limit, Clip: stretchClip})
		m.atStart, m.atEnd = was.atStart, len(m.items) < limit
		return m, err
	}))
}

// readAround reads a page up to a seq and a page from there on.
func readAround(ctx context.Context, db *data.DB, conv int64, role string, at int64) (s stretch, err error) {
	w := data.SeqPage{From: at, Back: true, Role: role, Limit: stretchPage, Clip: stretchClip}
	if s.items, err = db.MessagesFrom(ctx, conv, w); err != nil {
		return s, err
	}
	s.atStart, s.atEnd = len(s.items) < w.Limit, true
	if at == math.MaxInt64 {
		return s, nil
	}
	w.From, w.Back = at+1, false
	after, err := db.MessagesFrom(ctx, conv, w)
	s.items, s.atEnd = append(s.items, after...), len(after) < w.Limit
	return s, err
}

func (v *Messages) takeNew(m stretchMsg) {
	v.stretch, v.ends, v.loaded, v.target = m.stretch, m.ends, true, nil
	v.list.Empty = "no messages: the host stores the first one when the agent gets it"
	if role := messageRoles[v.role]; role != "" {
		v.list.Empty = "no " + role + " messages in this conversation; r shows the other roles"
	}
	v.setRows(m.items)
	if m.at != nil && len(m.items) > 0 {
		v.centerRow(messageID(m.nearest(*m.at)))
	}
}

// extend reads more where the cursor is near an end of the stretch.
func (v *Messages) extend() tea.Cmd {
	jobs := v.env().Jobs
	if !v.loaded || len(v.stretch.items) == 0 || jobs.Running(v, "load") {
		return nil
	}
	var cmds []tea.Cmd
	if !v.stretch.atStart && v.list.Index() < stretchEdge && !jobs.Running(v, "older") {
		cmds = append(cmds, v.more(true))
	}
	if !v.stretch.atEnd && v.list.Index() >= v.list.Len()-stretchEdge && !jobs.Running(v, "newer") {
		cmds = append(cmds, v.more(false))
	}
	return tea.Batch(cmds...)
}

func (v *Messages) more(older bool) tea.Cmd {
	db, conv := v.env().DB, v.hub.row.ID
	name, edge := "newer", v.stretch.last()
	w := data.SeqPage{From: edge + 1, Role: messageRoles[v.role], Limit: stretchPage, Clip: stretchClip}
	if older {
		name, edge = "older", v.stretch.first()
		w.From, w.Back = edge-1, true
	}
	return v.env().Jobs.Quiet(v, name, read(func(ctx context.Context) (moreMsg, error) {
		items, err := db.MessagesFrom(ctx, conv, w)
		return moreMsg{older, edge, items}, err
	}))
}

// takeMore adds messages at one end and lets go of those beyond the limit at the
// other.
func (v *Messages) takeMore(m moreMsg) {
	s := &v.stretch
	switch {
	case len(s.items) == 0:
		return
	case m.older && m.edge == s.first():
		s.atStart = len(m.items) < stretchPage
		s.items = slices.Concat(m.items, s.items)
		if len(s.items) > stretchMost {
			s.items, s.atEnd = s.items[:stretchMost], false
		}
	case !m.older && m.edge == s.last():
		s.atEnd = len(m.items) < stretchPage
		s.items = slices.Concat(s.items, m.items)
		if over := len(s.items) - stretchMost; over > 0 {
			s.items, s.atStart = s.items[over:], false
		}
	}
	v.setRows(s.items)
}

// full reads the whole of a message of which the list has only the start.
func (v *Messages) full(m data.Message) detailReader[data.Message] {
	if !shortened(m) {
		return nil
	}
	db := v.env().DB
	return func(ctx context.Context) (data.Message, error) { return db.Message(ctx, m.ID) }
}

// shortened reports whether a message of the list isn't whole.
func shortened(m data.Message) bool {
	const sure = stretchClip - 4 // A rune may have been cut off.
	return m.Clipped() || slices.ContainsFunc(m.Parts, func(p data.Part) bool {
		return max(len(p.Text), len(p.ToolInput), len(p.ToolOutput), len(p.Metadata)) >= sure
	})
}

// complete is a message of the list, whole if it was read.
func (v *Messages) complete(m data.Message, whole *data.Message) data.Message {
	if whole != nil && shortened(m) {
		return *whole
	}
	return m
}
