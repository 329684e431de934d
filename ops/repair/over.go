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
)

// recently is how long a conversation counts as going on after its newest message, and
// after it was archived.
const recently = 24 * time.Hour

// goesOn says why the conversation may go on, or is empty where it is over. A host compares
// the rows of one that goes on with what it is given again, and stores all of that anew
// where rows are missing. What isn't known counts as going on.
func (d *draft) goesOn(ctx context.Context) (why string, err error) {
	if d.ongoing == nil {
		why, err = d.lookWhetherItGoesOn(ctx)
		d.ongoing = &why
	}
	return *d.ongoing, err
}

func (d *draft) lookWhetherItGoesOn(ctx context.Context) (string, error) {
	conv := []any{d.op.Conversation}
	const running = "conversation_compaction_maintenance"
	rows, err := d.db.ImagesIn(ctx, running, "conversation_id", conv, "running")
	if err != nil {
		return "", err
	}
	if len(rows) > 0 && number(rows[0]["running"]) == 1 {
		return "a compaction of the conversation is marked as running (A03 repairs one that is stuck)", nil
	}
	rows, err = d.db.ImagesIn(ctx, "conversations", "conversation_id", conv, "active", "updated_at", "session_id", "session_key")
	switch {
	case err != nil:
		return "", err
	case len(rows) != 1:
		return "nothing tells whether the conversation is over", nil
	}
	row := rows[0]
	active, known := row["active"].(int64)
	if known && active == 0 {
		if at, ok := data.ParseTime(word(row["updated_at"])); !ok || d.db.Now().Sub(at) < recently {
			return "the conversation was changed less than a day ago", nil
		}
		return "", nil
	}
	if !known {
		return "nothing in this file tells whether the conversation is over", nil
	}
	for _, m := range d.slims {
		if m.CreatedAt.Valid() && d.db.Now().Sub(m.CreatedAt.Time) < recently {
			return "the conversation is active", nil
		}
	}
	return d.followed(ctx, word(row["session_id"]), word(row["session_key"]))
}

// followed says whether the host still follows an active conversation, by its transcript
// and by the index of sessions beside that; empty is no.
func (d *draft) followed(ctx context.Context, session, key string) (string, error) {
	rows, err := d.db.ImagesIn(ctx, "conversation_bootstrap_state", "conversation_id", []any{d.op.Conversation}, "session_file_path")
	if err != nil {
		return "", err
	}
	const active = "the conversation is active, so it may go on"
	if len(rows) == 0 || !filepath.IsAbs(word(rows[0]["session_file_path"])) {
		return active, nil
	}
	path := word(rows[0]["session_file_path"])
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
