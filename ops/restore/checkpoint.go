package restore

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
)

// Checkpoint is up to where a host takes the transcript of a conversation for stored.
type Checkpoint struct {
	Conversation int64  `json:"conversation_id"`
	Transcript   string `json:"transcript"`
	// Detached says that the host is to look for the transcript again, because it isn't known which
	// of its messages are stored; Why says the reason.
	Detached bool   `json:"detached,omitempty"`
	Why      string `json:"why,omitempty"`
	Bytes    int64  `json:"bytes,omitempty"` // Of the transcript, all taken for stored.
	modified int64  // In milliseconds.
	entry    string
}

// ErrNoCheckpoints says that a file has no checkpoints to set.
var ErrNoCheckpoints = errors.New("this version of the format has no checkpoint of transcripts")

const checkpointTable = "conversation_bootstrap_state"

// Checkpoints returns those by which hosts would read no more from the transcripts than the backup
// holds, for every active conversation that has a transcript.
func (b *Backup) Checkpoints(ctx context.Context) (out []Checkpoint, err error) {
	if !b.Schema().Has(checkpointTable) || readsSessions(b.DB) {
		return nil, refusal(b.Named, ErrNoCheckpoints, "restore without --at-backup: the host catches up from its transcripts")
	}
	tracked, err := b.Tracked(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tracked {
		c, err := b.checkpointOf(ctx, t)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// readsSessions reports whether the host of a file compares its messages with its own database of sessions, and asks for
// no checkpoint. Files that such a host took over may still have the table.
func readsSessions(db *data.DB) bool { return db.Kind().Generation == data.GenerationOne }

// Tracked returns the checkpoints of the active conversations of the backup, those of the others mean
// nothing to a host.
func (b *Backup) Tracked(ctx context.Context) (out []lcm.Bootstrap, err error) {
	if readsSessions(b.DB) {
		return nil, nil
	}
	all, err := lcm.Bootstraps(ctx, b.DB)
	if err != nil {
		return nil, err
	}
	query := "SELECT conversation_id FROM conversations"
	if b.Schema().Has("conversations", "active") {
		query += " WHERE active = 1"
	}
	err = b.EachRow(ctx, "read conversations", query+" ORDER BY conversation_id", nil, func(scan data.RowScanner) error {
		var conv data.Integer
		err := scan(&conv)
		if t, ok := all[int64(conv)]; ok && t.Path != "" {
			out = append(out, t)
		}
		return err
	})
	return out, err
}

// checkpointOf reads a transcript and finds out whether it holds the newest stored message.
func (b *Backup) checkpointOf(ctx context.Context, t lcm.Bootstrap) (c Checkpoint, err error) {
	c = Checkpoint{Conversation: t.Conversation, Transcript: t.Path, Detached: true}
	newest, err := lcm.ReadNewestMessage(ctx, b.DB, t.Conversation)
	if err != nil {
		return c, err
	}
	if newest.Entry == "" {
		c.Why = "its newest message names no entry of the transcript"
		return c, nil
	}
	f, err := transcript.Open(ctx, t.Path)
	if err != nil {
		c.Why = "its transcript can't be read"
		return c, ctx.Err()
	}
	found := false
	for e, err := range f.Entries(ctx) {
		if err != nil {
			continue // A line that a host skips as well.
		}
		found = found || e.ID == newest.Entry
		if !strings.HasPrefix(e.ID, "line:") {
			c.entry = e.ID
		}
	}
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err()
	case !found:
		c.Why = "its transcript doesn't hold its newest message"
		return c, nil
	}
	c.Detached, c.Bytes, c.modified = false, f.Size, f.ModTime.UnixMilli()
	return c, nil
}

// write sets the checkpoint.
func (c Checkpoint) write(ctx context.Context, conn *sql.Conn) error {
	if c.Detached {
		_, err := conn.ExecContext(ctx, "UPDATE "+checkpointTable+" SET session_file_path = '' WHERE conversation_id = ?", c.Conversation)
		return err
	}
	_, err := conn.ExecContext(ctx, "UPDATE "+checkpointTable+` SET last_seen_size = ?, last_seen_mtime_ms = ?, last_processed_offset = ?,
		last_processed_entry_id = ? WHERE conversation_id = ?`, c.Bytes, c.modified, c.Bytes, c.entry, c.Conversation)
	return err
}
