package repair

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops/repair/draft"
)

// merge brings the history of an archived conversation into the one that goes on under its
// key. It is the one repair that renumbers seqs: by time, from 1.
type merge struct {
	state *state              // The archived conversation.
	ended *draft.Conversation // The same.
	live  *draft.Conversation // The conversation that goes on.
	seqs  map[int64]int64     // New seqs of messages.
}

// mergeConversation merges, where the user chose it; nothing else is repaired then, since all
// else is another matter afterwards.
func mergeConversation(ctx context.Context, s *state) error {
	for _, f := range s.found.of(integrity.HistorySplit) {
		if s.found.choice(f) != "merge" || len(f.Rows) < 2 {
			continue
		}
		s.found.keepOnly(integrity.HistorySplit, s.found.of(integrity.HistorySplit)...)
		live, err := draft.Load(ctx, s.db, id(f.Rows[0]), nil, draft.NewRows(s.db.Schema()))
		if err != nil {
			return err
		}
		ended := &draft.Conversation{ID: s.op.Conversation, Messages: s.messages, Graph: s.graph, Context: s.context}
		m := merge{state: s, ended: ended, live: live, seqs: map[int64]int64{}}
		why, err := m.plan(ctx)
		if err != nil {
			return err
		}
		if why != "" {
			s.found.leave(f, why)
			continue
		}
		s.found.markRepaired(f)
		s.merged = true
	}
	return nil
}

// plan plans the merge, or says why it can't be.
func (m *merge) plan(ctx context.Context) (why string, err error) {
	if n, err := m.countShared(ctx); err != nil || n > 0 {
		return plural.Count(n, "message is", "messages are") + " in both, by the transcript's ids; repair the duplicate transcript entries first (M03)", err
	}
	m.numberMessages()
	for _, step := range []func(context.Context) error{m.joinContexts, m.moveRows, m.moveBriefs, m.mergeHostTables} {
		if err := step(ctx); err != nil {
			return "", err
		}
	}
	m.state.plan.Note(fmt.Sprintf("%s goes into %s; its own row stays, archived and empty, and files stay where they are on disk", lcm.Label(ctx, m.state.db, m.ended.ID), lcm.Label(ctx, m.state.db, m.live.ID)))
	m.state.plan.Note("messages get new numbers, by time; compact the conversation where it is too large now")
	return "", nil
}

// both returns the two conversations, the live one first.
func (m *merge) both() []*draft.Conversation { return []*draft.Conversation{m.live, m.ended} }

// countShared counts the messages that have a transcript's or event's id in common.
func (m *merge) countShared(ctx context.Context) (n int, err error) {
	for _, column := range []string{"transcript_entry_id", "stable_event_key"} {
		seen := map[string]bool{}
		for _, c := range m.both() {
			rows, err := data.ImagesIn(ctx, m.state.db, "messages", "conversation_id", []any{c.ID}, "message_id", column)
			if err != nil {
				return 0, err
			}
			for _, r := range rows {
				switch key := draft.Text(r[column]); {
				case key == "":
				case c == m.ended && seen[key]:
					n++
				default:
					seen[key] = true
				}
			}
		}
	}
	return n, nil
}

// numberMessages numbers the messages of both conversations by time; those of each keep their
// order. Messages of the live one move before others come, upwards from above and downwards
// from below, so that no seq is ever taken twice.
func (m *merge) numberMessages() {
	ended, live := slices.Collect(m.ended.Messages.All()), slices.Collect(m.live.Messages.All())
	a, b, next := ended, live, int64(1)
	for len(a)+len(b) > 0 {
		from := &a
		if len(a) == 0 || len(b) > 0 && b[0].CreatedAt.Before(a[0].CreatedAt.Time) {
			from = &b
		}
		m.seqs[(*from)[0].ID] = next
		*from = (*from)[1:]
		next++
	}
	move := func(h lcm.MessageHeader, from int64, columns data.Row) {
		columns["seq"] = m.seqs[h.ID]
		m.state.rows.Set("messages", data.Row{"message_id": h.ID, "conversation_id": from, "seq": h.Seq}, columns)
	}
	for _, h := range live {
		if m.seqs[h.ID] < h.Seq {
			move(h, m.live.ID, data.Row{})
		}
	}
	for _, h := range slices.Backward(live) {
		if m.seqs[h.ID] > h.Seq {
			move(h, m.live.ID, data.Row{})
		}
	}
	for _, h := range ended {
		move(h, m.ended.ID, data.Row{"conversation_id": m.live.ID})
	}
	m.state.plan.Guard("messages", data.Row{"conversation_id": m.ended.ID}, len(ended))
	m.state.plan.Guard("messages", data.Row{"conversation_id": m.live.ID}, len(live))
}

// joinContexts puts the archived context before the live one, or both in the order of time
// where they overlap. Where it was cleared, it is put together from what there is.
func (m *merge) joinContexts(ctx context.Context) error {
	if len(m.ended.Context.Items()) == 0 {
		found := m.state.found
		found.open[integrity.ContextEmpty] = []integrity.Finding{{}}
		if err := addUnreferenced(ctx, m.state); err != nil {
			return err
		}
		delete(found.open, integrity.ContextEmpty)
		delete(found.repaired, integrity.ContextEmpty)
	}
	type placed struct {
		item lcm.ContextItem
		seq  int64
	}
	var all []placed
	for _, c := range []*draft.Conversation{m.ended, m.live} {
		last := int64(0)
		for _, it := range c.Context.Items() {
			if seq := m.newest(c, it); seq > 0 {
				last = max(last, seq)
			}
			all = append(all, placed{it, last})
		}
	}
	sorting.Stable(all, func(a, b *placed) int { return cmp.Compare(a.seq, b.seq) })
	after := make([]lcm.ContextItem, len(all))
	for i, p := range all {
		after[i] = p.item.InConversation(m.live.ID)
	}
	p, db := &m.state.plan, m.state.db
	p.ChangeContext(db, m.ended.ID, m.ended.Context.Stored(), nil)
	p.ChangeContext(db, m.live.ID, m.live.Context.Stored(), after)
	m.ended.Context.SetItems(m.ended.Context.Stored()) // No stage has anything left to do with them.
	return nil
}

// newest returns the highest new seq that an item stands for, or 0.
func (m *merge) newest(c *draft.Conversation, it lcm.ContextItem) (seq int64) {
	if !it.IsSummary() {
		return m.seqs[it.Message]
	}
	for message := range c.Graph.MessagesBelow(it.Summary) {
		seq = max(seq, m.seqs[message])
	}
	return seq
}

// moveRows gives summaries and large files to the live conversation.
func (m *merge) moveRows(ctx context.Context) error {
	for _, table := range []string{"summaries", "large_files"} {
		key := m.state.db.Schema().Key(table)
		rows, err := data.ImagesIn(ctx, m.state.db, table, "conversation_id", []any{m.ended.ID}, append(key, "conversation_id")...)
		if err != nil {
			return err
		}
		for _, r := range rows {
			m.state.rows.Set(table, r, data.Row{"conversation_id": m.live.ID})
		}
	}
	return nil
}

// moveBriefs gives focus briefs to the live conversation and sets up to which seq those of both
// cover it. One alone can be active: the live one's.
func (m *merge) moveBriefs(ctx context.Context) error {
	for _, c := range m.both() {
		rows, err := data.ImagesIn(ctx, m.state.db, "focus_briefs", "conversation_id", []any{c.ID},
			"brief_id", "conversation_id", "status", "covered_message_seq")
		if err != nil {
			return err
		}
		for _, r := range rows {
			set := data.Row{"conversation_id": m.live.ID}
			if covered, ok := r["covered_message_seq"].(int64); ok {
				set["covered_message_seq"] = m.newSeq(c, covered)
			}
			if c == m.ended && draft.Text(r["status"]) == "active" {
				set["status"] = "superseded"
			}
			m.state.rows.Set("focus_briefs", r, set)
		}
	}
	return nil
}

// newSeq returns the new seq of the last message up to an old one.
func (m *merge) newSeq(c *draft.Conversation, seq int64) (out int64) {
	for h := range c.Messages.All() {
		if h.Seq <= seq {
			out = max(out, m.seqs[h.ID])
		}
	}
	return out
}
