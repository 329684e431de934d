package conversation

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ui"
	"lcm-tui/views"
)

type (
	// matchMsg is what a search found.
	matchMsg struct {
		seq       int64
		ok        bool
		backwards bool
		wrapped   bool  // Past an end of the conversation.
		n, of     int64 // Of the messages that hold the text, the one found and all; 0 until counted.
	}
	// matchCountMsg is which match the message of a seq is, of how many.
	matchCountMsg struct {
		needle     string
		seq, n, of int64
	}
	// jumpMsg is where to go.
	jumpMsg struct {
		seq  int64
		note string
	}
)

// handleInput takes a key or a paste while text is taken.
func (v *Messages) handleInput(msg tea.Msg) tea.Cmd {
	switch {
	case v.searchInput.Typing():
		switch v.searchInput.Update(msg) {
		case ui.Accepted:
			v.needle = strings.TrimSpace(v.searchInput.Value())
			return v.findFrom(v.cursorSeq(), false, true)
		case ui.Dropped:
			v.needle = ""
		}
	case v.goToInput.Typing():
		if v.goToInput.Update(msg) == ui.Accepted {
			return v.goToTyped(strings.TrimSpace(v.goToInput.Value()))
		}
	}
	return nil
}

// cursorSeq returns the message under the cursor, or 0 where the list is empty.
func (v *Messages) cursorSeq() int64 {
	m, ok := v.List.Selected()
	if !ok {
		return 0
	}
	return m.Seq
}

// find goes to the next message with a match.
func (v *Messages) find(backwards bool) tea.Cmd { return v.findFrom(v.cursorSeq(), backwards, false) }

// findFrom searches from a seq, itself only if here, and once around the ends.
func (v *Messages) findFrom(seq int64, backwards, here bool) tea.Cmd {
	if v.needle == "" {
		return nil
	}
	return v.Env().Jobs.Start(v, "search", views.Read(searchMessages(v.Env().DB, v.Hub.Row.ID, v.needle, seq, backwards, here)))
}

// searchMessages returns the work of searching the messages of a conversation from a seq,
// itself only if here, and once around the ends.
func searchMessages(db *data.DB, conv int64, needle string, seq int64, backwards, here bool) func(context.Context) (matchMsg, error) {
	if here {
		seq--
	}
	return func(ctx context.Context) (m matchMsg, err error) {
		m.backwards = backwards
		m.seq, m.ok, err = lcm.FindMessage(ctx, db, conv, needle, seq, backwards)
		if !m.ok && err == nil {
			end := int64(math.MinInt64)
			if backwards {
				end = math.MaxInt64
			}
			m.seq, m.ok, err = lcm.FindMessage(ctx, db, conv, needle, end, backwards)
			m.wrapped = true
		}
		return m, err
	}
}

// countMatches counts the matches of a search that found a message. It reads the whole
// conversation, so the message is shown before.
func countMatches(e *views.Env, owner ui.Screen, conv int64, needle string, m matchMsg) tea.Cmd {
	if !m.ok {
		return nil
	}
	db := e.DB
	return e.Jobs.Quiet(owner, "matches", views.Read(func(ctx context.Context) (c matchCountMsg, err error) {
		c.needle, c.seq = needle, m.seq
		c.n, c.of, err = lcm.CountMatches(ctx, db, conv, needle, m.seq)
		return c, err
	}))
}

// setCount takes the count of this match.
func (m *matchMsg) setCount(c matchCountMsg, needle string) {
	if m.ok && m.seq == c.seq && needle == c.needle {
		m.n, m.of = c.n, c.of
	}
}

func (v *Messages) receiveMatch(m matchMsg) tea.Cmd {
	v.match = m
	count := countMatches(v.Env(), v, v.Hub.Row.ID, v.needle, m)
	switch {
	case !m.ok:
		return ui.Say(ui.StatusMsg{Text: "no message of this conversation holds “" + v.needle + "”", Kind: ui.Warn})
	case m.wrapped && m.seq == v.cursorSeq():
		return tea.Batch(count, ui.Say(ui.StatusMsg{Text: "this is the only message that holds “" + v.needle + "”"}))
	case m.wrapped:
		return tea.Batch(v.goTo(m.seq), count, ui.Say(ui.StatusMsg{Text: "went around the end of the conversation"}))
	}
	return tea.Batch(v.goTo(m.seq), count)
}

// matchText returns which match a search has found, of how many; empty until that is counted.
func (m matchMsg) matchText() string {
	if m.of == 0 {
		return ""
	}
	return ui.Num(m.n) + " of " + ui.Num(m.of)
}

// jump goes to a place that has to be looked for.
func (v *Messages) jump(find ui.Work) tea.Cmd { return v.Env().Jobs.Start(v, "go to", find) }

// goToTyped goes where the user says: a seq, the id of a message, or a time.
func (v *Messages) goToTyped(text string) tea.Cmd {
	if text == "" {
		return nil
	}
	db, conv := v.Env().DB, v.Hub.Row.ID
	if seq, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64); err == nil {
		if seq < v.ends.First || seq > v.ends.Last {
			v.goToInput.Refuse("there is no message of seq " + ui.Num(seq) + "; they go from " + ui.Num(v.ends.First) + " to " + ui.Num(v.ends.Last))
			return nil
		}
		return v.jump(seqPlace(db, conv, seq))
	}
	if id, ok := messageIDIn(text); ok {
		return v.jump(idPlace(db, conv, id))
	}
	if t, ok := timeIn(text, v.Env().Now().Location()); ok {
		return v.jump(timePlace(v.Env(), conv, t))
	}
	v.goToInput.Refuse("“" + text + "” is no seq (2937), id (id 123) or date (2026-01-05 or 2026-01-05 14:30)")
	return nil
}

// messageIDIn reads "id 123" and "id123".
func messageIDIn(text string) (int64, bool) {
	rest, ok := strings.CutPrefix(strings.ToLower(text), "id")
	id, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
	return id, ok && err == nil
}

// timeIn reads a date or a time as people write it, in a zone.
func timeIn(text string, zone *time.Location) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339} {
		if t, err := data.ParseInZone(layout, text, zone); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// seqPlace returns the work of finding a message by its seq; one that a gap has in its place leads nowhere.
func seqPlace(db *data.DB, conv, seq int64) ui.Work {
	return func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		ms, err := lcm.Messages(ctx, db, conv, lcm.Page{Before: seq + 1, Limit: 1, Clip: 1})
		if err != nil {
			return nil, err
		}
		if len(ms) == 0 || ms[0].Seq != seq {
			return ui.StatusMsg{Text: "there is no message of seq " + ui.Num(seq) + " in this conversation", Kind: ui.Warn}, nil
		}
		return jumpMsg{seq: seq}, nil
	}
}

// idPlace returns the work of finding a message by its id.
func idPlace(db *data.DB, conv, id int64) ui.Work {
	return func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		m, err := lcm.ReadMessage(ctx, db, id)
		if err != nil {
			return nil, err
		}
		if m.Conversation != conv {
			return ui.StatusMsg{Text: "message " + views.Itoa(id) + " is in " + lcm.Label(ctx, db, m.Conversation) + ", seq " + ui.Num(m.Seq), Kind: ui.Warn}, nil
		}
		return jumpMsg{seq: m.Seq}, nil
	}
}

// timePlace returns the work of finding the first message of a time or later.
func timePlace(env *views.Env, conv int64, t time.Time) ui.Work {
	db := env.DB
	return views.Read(func(ctx context.Context) (jumpMsg, error) {
		seq, ok, err := lcm.SeqAt(ctx, db, conv, t)
		if !ok {
			return jumpMsg{math.MaxInt64, "no message is from " + env.Stamp(data.Time{Time: t}) + " or later; this is the last"}, err
		}
		return jumpMsg{seq: seq}, err
	})
}

// GoTo puts the cursor on a message.
func (v *Messages) GoTo(to views.Target) tea.Cmd {
	if to.Marked {
		v.role, v.MarkedRef, v.wholeLine = 0, to.ID, wholeLine{}
	}
	if to.Marked || to.Needle != "" {
		v.needle = to.Needle
	}
	if to.Seq != nil {
		v.targetSeq = to.Seq
		return nil
	}
	id, err := strconv.ParseInt(to.ID, 10, 64)
	if err != nil {
		return nil
	}
	return v.jump(idPlace(v.Env().DB, v.Hub.Row.ID, id))
}
