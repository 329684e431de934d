package repair

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
)

// merge brings the history of an archived conversation into the one that goes on under
// its key. It's the one repair that renumbers seqs: by time, from 1.
type merge struct {
	*draft
	live *draft          // The conversation that goes on.
	seqs map[int64]int64 // New seqs of messages.
}

// mergers merges, where the user chose it; nothing else is mended with it, since all
// else is another matter afterwards.
func (d *draft) mergers(ctx context.Context) error {
	for _, f := range d.take(integrity.HistorySplit) {
		if d.choice(f) != "merge" || len(f.Rows) < 2 {
			continue
		}
		for fault := range d.found {
			if fault != integrity.HistorySplit {
				delete(d.found, fault)
			}
		}
		m := merge{draft: d, seqs: map[int64]int64{}}
		why, err := m.run(ctx, f)
		if err != nil {
			return err
		}
		if why != "" {
			d.leave(f, why)
			continue
		}
		d.done(f)
		d.merged = true
	}
	return nil
}

// run plans the merge, or says why it can't be.
func (m *merge) run(ctx context.Context, f integrity.Finding) (why string, err error) {
	to := id(f.Rows[0])
	if m.live, err = newDraft(ctx, m.db, &Op{Conversation: to}, nil); err != nil {
		return "", err
	}
	if err := m.live.load(ctx); err != nil {
		return "", err
	}
	if twice, err := m.twice(ctx); err != nil || twice > 0 {
		return ops.Count(twice, "message is", "messages are") + " in both, by the transcript's ids; mend that first (M03)", err
	}
	for _, s := range []stage{m.messages, m.context, m.belongings, m.briefs} {
		if err := s(ctx); err != nil {
			return "", err
		}
	}
	m.plan.Note(fmt.Sprintf("conversation %d goes into %d; its own row stays, archived and empty, and files stay where they are on disk", m.op.Conversation, to))
	m.plan.Note("seqs are numbered anew, by time; a conversation that is too large now wants compacting")
	return "", nil
}

// twice counts the messages that have a transcript's or event's id in common.
func (m *merge) twice(ctx context.Context) (n int, err error) {
	for _, column := range []string{"transcript_entry_id", "stable_event_key"} {
		seen := map[string]bool{}
		for _, d := range []*draft{m.live, m.draft} {
			rows, err := m.db.ImagesIn(ctx, "messages", "conversation_id", []any{d.op.Conversation}, "message_id", column)
			if err != nil {
				return 0, err
			}
			for _, r := range rows {
				switch key := word(r[column]); {
				case key == "":
				case d == m.draft && seen[key]:
					n++
				default:
					seen[key] = true
				}
			}
		}
	}
	return n, nil
}

// messages numbers both conversations' messages by time; each conversation's keep their
// order among themselves. Those that are there already move before others come, upwards
// from above and downwards from below, so that no seq is ever taken twice.
func (m *merge) messages(context.Context) error {
	a, b, next := m.slims, m.live.slims, int64(1)
	for len(a)+len(b) > 0 {
		from := &a
		if len(a) == 0 || len(b) > 0 && b[0].CreatedAt.Before(a[0].CreatedAt.Time) {
			from = &b
		}
		m.seqs[(*from)[0].ID] = next
		*from = (*from)[1:]
		next++
	}
	number := func(s data.MessageHeader) {
		m.edits.set("messages", data.Row{"message_id": s.ID, "conversation_id": m.live.op.Conversation, "seq": s.Seq}, data.Row{"seq": m.seqs[s.ID]})
	}
	for _, s := range m.live.slims {
		if m.seqs[s.ID] < s.Seq {
			number(s)
		}
	}
	for _, s := range slices.Backward(m.live.slims) {
		if m.seqs[s.ID] > s.Seq {
			number(s)
		}
	}
	for _, s := range m.slims {
		m.edits.set("messages", data.Row{"message_id": s.ID, "conversation_id": m.op.Conversation, "seq": s.Seq},
			data.Row{"conversation_id": m.live.op.Conversation, "seq": m.seqs[s.ID]})
	}
	for _, d := range []*draft{m.draft, m.live} {
		m.plan.Guard("messages", data.Row{"conversation_id": d.op.Conversation}, len(d.slims))
	}
	return nil
}

// context puts the archived one before the live one's, or in the order of time where
// they overlap. Where it was cleared, what it had is put together from what is there.
func (m *merge) context(ctx context.Context) error {
	if len(m.items) == 0 {
		m.found[integrity.ContextEmpty] = []integrity.Finding{{}}
		if err := m.complement(ctx); err != nil {
			return err
		}
		delete(m.found, integrity.ContextEmpty)
		delete(m.mended, integrity.ContextEmpty)
	}
	to := m.live.op.Conversation
	type placed struct {
		item data.ContextItem
		seq  int64
	}
	var all []placed
	for _, d := range []*draft{m.draft, m.live} {
		last := int64(0)
		for _, it := range d.items {
			if seq := m.newest(d, it); seq > 0 {
				last = max(last, seq)
			}
			all = append(all, placed{it, last})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.seq, b.seq) })
	after := make([]data.ContextItem, len(all))
	for i, p := range all {
		after[i] = p.item.InConversation(to)
	}
	if err := m.plan.ChangeContext(ctx, m.db, m.op.Conversation, m.was, nil); err != nil {
		return err
	}
	if err := m.plan.ChangeContext(ctx, m.db, to, m.live.was, after); err != nil {
		return err
	}
	m.items = m.was // What is left to do with it is done.
	return nil
}

// newest is the highest new seq that a place stands for, or 0.
func (m *merge) newest(d *draft, it data.ContextItem) (seq int64) {
	if !it.IsSummary() {
		return m.seqs[it.Message]
	}
	for message := range d.under(it.Summary) {
		seq = max(seq, m.seqs[message])
	}
	return seq
}

// belongings gives summaries and large files to the live conversation.
func (m *merge) belongings(ctx context.Context) error {
	for _, table := range []string{"summaries", "large_files"} {
		key := m.db.Schema().Key(table)
		rows, err := m.db.ImagesIn(ctx, table, "conversation_id", []any{m.op.Conversation}, append(key, "conversation_id")...)
		if err != nil {
			return err
		}
		for _, r := range rows {
			m.edits.set(table, r, data.Row{"conversation_id": m.live.op.Conversation})
		}
	}
	return nil
}

// briefs gives focus briefs to the live conversation and tells those of both up to which
// seq they stand for now. One alone can be active: the live one's.
func (m *merge) briefs(ctx context.Context) error {
	for _, d := range []*draft{m.draft, m.live} {
		rows, err := m.db.ImagesIn(ctx, "focus_briefs", "conversation_id", []any{d.op.Conversation},
			"brief_id", "conversation_id", "status", "covered_message_seq")
		if err != nil {
			return err
		}
		for _, r := range rows {
			set := data.Row{"conversation_id": m.live.op.Conversation}
			if covered, ok := r["covered_message_seq"].(int64); ok {
				set["covered_message_seq"] = m.covers(d, covered)
			}
			if d == m.draft && word(r["status"]) == "active" {
				set["status"] = "superseded"
			}
			m.edits.set("focus_briefs", r, set)
		}
	}
	return nil
}

// covers is the new seq of the last message up to an old one.
func (m *merge) covers(d *draft, seq int64) (out int64) {
	for _, s := range d.slims {
		if s.Seq <= seq {
			out = max(out, m.seqs[s.ID])
		}
	}
	return out
}
