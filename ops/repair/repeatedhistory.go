package repair

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/repair/draft"
)

// removeRepeated removes from the later conversation what an earlier one of the same session
// holds.
func removeRepeated(ctx context.Context, r *removals) error {
	s := r.state
	for _, fault := range []integrity.FaultID{integrity.EntryInSeveralConversations, integrity.ArchivedHistoryRepeated} {
		for _, f := range s.found.of(fault) {
			list, pairs := repeatedMessages(f)
			reset, err := followsReset(ctx, s, pairs)
			if err != nil {
				return err
			}
			if s.op.chosen(f) == integrity.Keep || !reset && s.found.choice(f) != "drop" {
				continue
			}
			if err := r.remove(ctx, f, list...); err != nil {
				return err
			}
		}
	}
	return nil
}

// repeatedMessages returns the messages of a finding that go, and the pairs of the earlier and the
// later message.
func repeatedMessages(f integrity.Finding) (list []removal, pairs [][2]int64) {
	rows, originals := f.Rows, f.Originals
	if f.Fault == integrity.EntryInSeveralConversations && len(rows) == 2 {
		originals, rows = rows[:1], rows[1:]
	}
	for i, row := range rows {
		list = append(list, removal{message: id(row)})
		if i < len(originals) {
			pairs = append(pairs, [2]int64{id(originals[i]), id(row)})
		}
	}
	return list, pairs
}

// followsReset reports whether the earlier messages belong to a conversation that a reset
// ended, and the later ones are the same: then nothing has to be chosen.
func followsReset(ctx context.Context, s *state, pairs [][2]int64) (bool, error) {
	var ids, conversations []any
	for _, p := range pairs {
		ids = append(ids, p[0], p[1])
	}
	contents := map[int64]data.Row{}
	err := data.EachImage(ctx, s.db, "messages", "message_id", ids, func(r data.Row) {
		contents[draft.Number(r["message_id"])] = r
	}, "message_id", "conversation_id", "role", "content")
	if err != nil {
		return false, err
	}
	earlier := map[any]bool{}
	for _, p := range pairs {
		a, b := contents[p[0]], contents[p[1]]
		if a == nil || b == nil || !sameCell(a["role"], b["role"]) || !sameCell(a["content"], b["content"]) {
			return false, nil
		}
		if v := a["conversation_id"]; !earlier[v] {
			earlier[v], conversations = true, append(conversations, v)
		}
	}
	rows, err := data.ImagesIn(ctx, s.db, "conversations", "conversation_id", conversations, "active", "archive_cause")
	for _, r := range rows {
		if draft.Number(r["active"]) != 0 || draft.Text(r["archive_cause"]) != "manual-reset" {
			return false, err
		}
	}
	if err != nil || len(rows) == 0 {
		return false, err
	}
	return haveSameParts(ctx, s, pairs, ids)
}

// haveSameParts reports whether the two messages of each pair have the same parts.
func haveSameParts(ctx context.Context, s *state, pairs [][2]int64, ids []any) (bool, error) {
	parts := map[int64][]data.Row{}
	err := data.EachImage(ctx, s.db, "message_parts", "message_id", ids, func(r data.Row) {
		message := draft.Number(r["message_id"])
		delete(r, "message_id")
		delete(r, "part_id")
		parts[message] = append(parts[message], r)
	}, "part_id", "message_id", "ordinal", "part_type", "text_content", "tool_call_id", "tool_input", "tool_output")
	for _, p := range pairs {
		a, b := parts[p[0]], parts[p[1]]
		if err != nil || len(a) != len(b) {
			return false, err
		}
		byOrdinal := map[any]data.Row{}
		for _, part := range a {
			byOrdinal[part["ordinal"]] = part
		}
		for _, part := range b {
			if !part.Equal(byOrdinal[part["ordinal"]]) {
				return false, nil
			}
		}
	}
	return err == nil, err
}

// removeRewound takes messages out of the context that the user went back before. Their rows
// stay.
func removeRewound(r *removals) {
	s, n := r.state, 0
	for _, f := range s.found.of(integrity.RewoundMessagesInContext) {
		if s.op.chosen(f) == integrity.Keep || !f.NeedsNoChoice && s.found.choice(f) != "drop" {
			continue
		}
		for _, row := range f.Rows {
			message := id(row)
			if !r.placed[message] {
				continue
			}
			delete(r.placed, message)
			n++
			if !r.below[message] {
				s.plan.Leaves = append(s.plan.Leaves, message)
			}
		}
		s.found.markRepaired(f)
	}
	if n > 0 {
		s.plan.Note(fmt.Sprintf("the user went back to an earlier message: %s the context, and the rows stay", plural.Count(n, "message leaves", "messages leave")))
	}
}
