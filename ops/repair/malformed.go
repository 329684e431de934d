package repair

import (
	"context"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// repairMalformed repairs values that hosts can't read: texts stored as bytes, metadata and
// lists of file ids that aren't JSON.
func repairMalformed(ctx context.Context, s *state) error {
	if err := repairBlobs(ctx, s); err != nil {
		return err
	}
	if err := repairMetadata(ctx, s); err != nil {
		return err
	}
	return repairFileIDs(ctx, s)
}

// repairBlobs turns texts that are stored as bytes into text, if they are text.
func repairBlobs(ctx context.Context, s *state) error {
	for _, f := range s.found.of(integrity.ContentMalformed) {
		if f.Table == "conversations" {
			s.found.leave(f, "it is only the name of the conversation")
		}
		if f.Table != "messages" && f.Table != "summaries" {
			continue
		}
		if f.Table == "summaries" && s.graph.Summary(f.Row) != nil && len(f.Rows) == 0 && !isBlob(ctx, s, f) {
			continue // The finding is about its file ids.
		}
		var key any = f.Row
		if f.Table == "messages" {
			key = id(f.Row)
		}
		column := map[string]string{"messages": "message_id", "summaries": "summary_id"}[f.Table]
		rows, err := data.ImagesIn(ctx, s.db, f.Table, column, []any{key}, column, "role", "content", "identity_hash")
		if err != nil {
			return err
		}
		for _, r := range rows {
			if b, ok := r["content"].([]byte); ok && utf8.Valid(b) {
				s.rows.Set(f.Table, r, data.Row{"content": string(b)})
				if f.Table == "messages" {
					hashAsStored(s, r, string(b))
				}
				s.found.markRepaired(f)
			} else {
				s.found.leave(f, "the value can't be read; only the transcript still has it")
			}
		}
	}
	return nil
}

// hashAsStored gives a message whose text was stored as bytes the hash of that text, unless a host knows it by the one that it has.
func hashAsStored(s *state, message data.Row, text string) {
	role := draft.Text(s.rows.Value("messages", message, "role")) // It may just have been repaired.
	if !integrity.IsKnownBy(role, text, draft.Text(s.rows.Value("messages", message, "identity_hash"))) {
		s.rows.Set("messages", message, data.Row{"identity_hash": identity.Hash(role, text)})
	}
}

// isBlob reports whether the finding of a summary is about its text, and not its file ids.
func isBlob(ctx context.Context, s *state, f integrity.Finding) bool {
	rows, err := data.ImagesIn(ctx, s.db, "summaries", "summary_id", []any{f.Row}, "content", "file_ids")
	return err == nil && len(rows) == 1 && (json.Valid([]byte(draft.Text(rows[0]["file_ids"]))) || rows[0]["file_ids"] == nil)
}

// repairMetadata makes metadata that isn't JSON the role alone, which a host needs.
func repairMetadata(ctx context.Context, s *state) error {
	for _, f := range s.found.of(integrity.ContentMalformed) {
		if f.Table != "message_parts" {
			continue
		}
		rows, err := data.ImagesIn(ctx, s.db, "message_parts", "part_id", []any{f.Row}, "part_id", "message_id", "metadata")
		if err != nil {
			return err
		}
		if len(rows) != 1 || json.Valid([]byte(draft.Text(rows[0]["metadata"]))) || rows[0]["metadata"] == nil {
			s.found.leave(f, "the value can't be read; only the transcript still has it")
			continue
		}
		role := s.messages.Header(draft.Number(rows[0]["message_id"])).Role
		b, err := json.Marshal(map[string]string{"originalRole": role})
		if err != nil {
			return err
		}
		s.rows.Set("message_parts", rows[0], data.Row{"metadata": string(b)})
		s.found.markRepaired(f)
	}
	return nil
}

// repairFileIDs reads the ids of the files that a summary names from its text again, where
// they are no list.
func repairFileIDs(ctx context.Context, s *state) error {
	for _, f := range s.found.of(integrity.ContentMalformed) {
		if f.Table != "summaries" || s.graph.Summary(f.Row) == nil {
			continue
		}
		rows, err := data.ImagesIn(ctx, s.db, "summaries", "summary_id", []any{f.Row}, append(slices.Clone(draft.SummaryColumns), "content")...)
		if err != nil {
			return err
		}
		if len(rows) != 1 || json.Valid([]byte(draft.Text(rows[0]["file_ids"]))) {
			continue
		}
		known, err := lcm.FileIDs(ctx, s.db)
		if err != nil {
			return err
		}
		ids := slices.DeleteFunc(lcm.MentionedFiles(draft.Text(rows[0]["content"])), func(id string) bool { _, ok := known[id]; return !ok })
		if err := setFileIDs(s, f.Row, ids); err != nil {
			return err
		}
		s.found.markRepaired(f)
	}
	return nil
}
