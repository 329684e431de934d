package repair

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"lcm-tui/data"
	"lcm-tui/ops/repair/draft"
)

// recently is how long a conversation counts as going on after its newest message, and
// after it was archived.
const recently = 24 * time.Hour

// whyOngoing says why the conversation may go on, or is empty where it is over. A host compares
// the rows of one that goes on with what it is given again, and stores all of that again
// where rows are missing. What isn't known counts as going on.
func whyOngoing(ctx context.Context, s *state) (why string, err error) {
	if s.ongoing == nil {
		why, err = findWhyOngoing(ctx, s)
		s.ongoing = &why
	}
	return *s.ongoing, err
}

// findWhyOngoing looks whether the conversation may go on.
func findWhyOngoing(ctx context.Context, s *state) (string, error) {
	conv := []any{s.op.Conversation}
	const running = "conversation_compaction_maintenance"
	rows, err := s.db.ImagesIn(ctx, running, "conversation_id", conv, "running")
	if err != nil {
		return "", err
	}
	if len(rows) > 0 && draft.Number(rows[0]["running"]) == 1 {
		return "a compaction of the conversation is marked as running (one that never ended can be repaired: A03)", nil
	}
	rows, err = s.db.ImagesIn(ctx, "conversations", "conversation_id", conv, "active", "updated_at", "session_id", "session_key")
	switch {
	case err != nil:
		return "", err
	case len(rows) != 1:
		return "the file doesn't say whether the conversation is over", nil
	}
	row := rows[0]
	active, known := row["active"].(int64)
	if known && active == 0 {
		if at, ok := data.ParseTime(draft.Text(row["updated_at"])); !ok || s.db.Now().Sub(at) < recently {
			return "the conversation was changed less than a day ago", nil
		}
		return "", nil
	}
	if !known {
		return "the file doesn't say whether the conversation is over", nil
	}
	for m := range s.messages.All() {
		if m.CreatedAt.Valid() && s.db.Now().Sub(m.CreatedAt.Time) < recently {
			return "the conversation is active", nil
		}
	}
	return whyFollowed(ctx, s, draft.Text(row["session_id"]), draft.Text(row["session_key"]))
}

// whyFollowed says why the host may still follow an active conversation, by its transcript
// and by the index of sessions beside that; empty is that it does not.
func whyFollowed(ctx context.Context, s *state, session, key string) (string, error) {
	rows, err := s.db.ImagesIn(ctx, "conversation_bootstrap_state", "conversation_id", []any{s.op.Conversation}, "session_file_path")
	if err != nil {
		return "", err
	}
	const active = "the conversation is active, so it may go on"
	if len(rows) == 0 || !filepath.IsAbs(draft.Text(rows[0]["session_file_path"])) {
		return active, nil
	}
	path := draft.Text(rows[0]["session_file_path"])
	folder := filepath.Dir(path)
	// Newer hosts keep transcripts in a database: a file that is gone proves nothing there.
	for _, there := range []string{path, filepath.Join(filepath.Dir(folder), "agent", "openclaw-agent.sqlite")} {
		if _, err := os.Lstat(there); !os.IsNotExist(err) {
			return active, nil //nolint:nilerr // What can't be looked at isn't known.
		}
	}
	index := filepath.Join(folder, "sessions.json")
	const most = 64 << 20
	info, err := os.Lstat(index)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return active, nil //nolint:nilerr // As above.
	}
	text, err := os.ReadFile(index)
	if err != nil || !json.Valid(text) {
		return active, nil //nolint:nilerr // As above.
	}
	for _, name := range []string{session, key} {
		quoted, err := json.Marshal(name)
		if name != "" && (err != nil || bytes.Contains(text, quoted)) {
			return fmt.Sprintf("the conversation is active, and the host knows its session %s", name), nil
		}
	}
	return "", nil
}
