package repair

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// id reads the key of a message or a conversation; 0, which no row has, stands for none.
func id(row string) int64 {
	n, _ := strconv.ParseInt(row, 10, 64)
	return n
}

// removeMessages removes the duplicates that the user chose to drop, empty messages, and from
// the context what the user went back before.
func removeMessages(ctx context.Context, s *state) error {
	if !s.found.has(append([]integrity.FaultID{
		integrity.MessageEmpty, integrity.EntryInSeveralConversations, integrity.ArchivedHistoryRepeated, integrity.RewoundMessagesInContext,
	}, duplicateMessages...)...) {
		return nil
	}
	r, err := newRemovals(ctx, s)
	if err != nil {
		return err
	}
	if err := removeDuplicates(ctx, r); err != nil {
		return err
	}
	for _, f := range s.found.of(integrity.MessageEmpty) {
		if err := r.remove(ctx, f, removal{message: id(f.Row)}); err != nil {
			return err
		}
	}
	if err := removeRepeated(ctx, r); err != nil {
		return err
	}
	removeRewound(r)
	r.finish()
	return nil
}

// removeDuplicates removes the messages that repeat another one of the conversation.
func removeDuplicates(ctx context.Context, r *removals) error {
	s := r.state
	kept, err := removeStoredAgain(ctx, r)
	if err != nil {
		return err
	}
	for _, fault := range []integrity.FaultID{integrity.TranscriptEntryDuplicate, integrity.MessageDuplicate, integrity.MessageRunDuplicate, integrity.ToolResultDuplicate} {
		for _, f := range s.found.of(fault) {
			same, err := isSame(ctx, s, f)
			if err != nil {
				return err
			}
			if s.op.chosen(f) == integrity.Keep || !same && s.found.choice(f) != "drop" {
				continue
			}
			list, why := withoutKept(duplicates(f), kept)
			if len(list) == 0 {
				s.found.leave(f, why)
				continue
			}
			if err := r.remove(ctx, f, list...); err != nil {
				return err
			}
		}
	}
	return nil
}

// withoutKept returns the removals but those of messages that stay, and why the last of these
// stays.
func withoutKept(list []removal, kept map[int64]string) (left []removal, why string) {
	for _, m := range list {
		if reason, stays := kept[m.message]; stays {
			why = reason
		} else {
			left = append(left, m)
		}
	}
	return left, why
}

// duplicates returns the messages of a finding that go: the first of its rows stays, but of a run
// of messages all go.
func duplicates(f integrity.Finding) (out []removal) {
	keep, rows := int64(0), f.Rows
	if f.Fault != integrity.MessageRunDuplicate && len(rows) > 1 {
		keep, rows = id(rows[0]), rows[1:]
	}
	for i, r := range rows {
		if i < len(f.Originals) {
			keep = id(f.Originals[i])
		}
		out = append(out, removal{id(r), keep})
	}
	return out
}

// isSame reports whether there is nothing to choose: the check is sure of it, or an entry of
// a transcript that is stored twice says the same both times.
func isSame(ctx context.Context, s *state, f integrity.Finding) (bool, error) {
	if f.NeedsNoChoice {
		return true, nil
	}
	if f.Fault != integrity.TranscriptEntryDuplicate || len(f.Rows) != 2 {
		return false, nil
	}
	rows, err := messageRows(ctx, s, []int64{id(f.Rows[0]), id(f.Rows[1])}, "role", "content")
	return len(rows) == 2 && withoutColumn(rows[0], "message_id").Equal(withoutColumn(rows[1], "message_id")), err
}

// deleteMessage deletes a message with its parts.
func deleteMessage(ctx context.Context, s *state, message int64) error {
	for _, table := range []string{"message_parts", "messages"} {
		rows, err := data.Images(ctx, s.db, table, data.Row{"message_id": message})
		if err != nil {
			return err
		}
		for _, r := range rows {
			s.rows.Delete(table, r)
		}
	}
	s.messages.Delete(message)
	return nil
}

// messageRows returns the rows of messages that stay, with some columns.
func messageRows(ctx context.Context, s *state, ids []int64, columns ...string) ([]data.Row, error) {
	var keys []any
	for _, id := range ids {
		if s.messages.Has(id) {
			keys = append(keys, id)
		}
	}
	return data.ImagesIn(ctx, s.db, "messages", "message_id", keys, append([]string{"message_id"}, columns...)...)
}

// messagesOf returns the messages of findings: all that they name, or their row.
func messagesOf(fs []integrity.Finding) (ids []int64) {
	for _, f := range fs {
		if f.Table != "messages" {
			continue
		}
		if len(f.Rows) == 0 {
			ids = append(ids, id(f.Row))
		}
		for _, r := range f.Rows {
			ids = append(ids, id(r))
		}
	}
	return ids
}

// repairRoles sets the role that the first part of a message has.
func repairRoles(ctx context.Context, s *state) error {
	fs := s.found.of(integrity.MessageRoleWrong)
	if len(fs) == 0 {
		return nil
	}
	rows, err := messageRows(ctx, s, messagesOf(fs), "role", "content", "identity_hash")
	if err != nil {
		return err
	}
	for _, r := range rows {
		parts, err := data.ImagesIn(ctx, s.db, "message_parts", "message_id", []any{r["message_id"]}, "ordinal", "metadata")
		if err != nil {
			return err
		}
		if len(parts) == 0 {
			continue
		}
		first := slices.MinFunc(parts, func(a, b data.Row) int { return cmp.Compare(draft.Number(a["ordinal"]), draft.Number(b["ordinal"])) })
		if role := storedRole(draft.Text(first["metadata"])); role != "" {
			hash := identity.Hash(role, draft.Text(r["content"]))
			s.rows.Set("messages", withoutColumn(r, "content"), data.Row{"role": role, "identity_hash": hash})
		}
	}
	s.found.markAll(integrity.MessageRoleWrong)
	return nil
}

// storedRole returns the role of a row for the role in its metadata; empty where there is none.
func storedRole(metadata string) string {
	var m struct {
		Role string `json:"originalRole"`
	}
	if json.Unmarshal([]byte(metadata), &m) != nil {
		return ""
	}
	switch m.Role {
	case "tool", "toolResult":
		return "tool"
	case "user", "assistant", "system":
		return m.Role
	}
	return ""
}

// computeHashes computes the hashes by which hosts know messages again.
func computeHashes(ctx context.Context, s *state) error {
	fs := s.found.of(integrity.IdentityHashWrong)
	rows, err := messageRows(ctx, s, messagesOf(fs), "role", "content", "identity_hash")
	for _, r := range rows {
		content := draft.Text(r["content"])
		r = withoutColumn(r, "content")             // The record needn't hold every text.
		role := s.rows.Value("messages", r, "role") // It may just have been repaired.
		s.rows.Set("messages", r, data.Row{"identity_hash": identity.Hash(draft.Text(role), content)})
	}
	s.found.markAll(integrity.IdentityHashWrong)
	return err
}

// withoutColumn returns a copy of a row that lacks a column.
func withoutColumn(r data.Row, column string) data.Row {
	r = maps.Clone(r)
	delete(r, column)
	return r
}

// clearPayloads clears the names of payload files that have no row.
func clearPayloads(ctx context.Context, s *state) error {
	rows, err := messageRows(ctx, s, messagesOf(s.found.of(integrity.PayloadFileRowMissing)), "large_content")
	for _, r := range rows {
		s.rows.Set("messages", r, data.Row{"large_content": nil})
	}
	s.found.markAll(integrity.PayloadFileRowMissing)
	return err
}
