package hostactivity

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Recently is how long a conversation counts as live after its newest message, and after it was
// archived: a job that ends late looks it up by its session.
const Recently = 24 * time.Hour

// Conversation is what decides whether a conversation may go on.
type Conversation struct {
	ID           int64
	Known        bool // The file says whether it is active.
	Active       bool
	UpdatedAt    data.Time
	ArchivedAt   data.Time // Not valid where that isn't known.
	Session, Key string
	// ByStore says that its host keeps sessions in databases alone, as those of 1.0 do: no file with a
	// transcript or an index counts.
	ByStore    bool
	Messages   bool      // It has messages.
	Newest     data.Time // The time of the newest of them; not valid where it isn't known.
	Compacting bool      // A compaction is marked as running.
	Tracked    bool      // The host has noted which transcript it follows.
	Transcript string    // Its path; empty where it was detached.
}

// Check looks for hosts that may go on with conversations. It reads each index of sessions once.
type Check struct {
	now      time.Time
	stateDir string // Of the host, with its agents; empty where it isn't known.
	indexes  map[string]*sessionIndex
	agents   []string // Their folders in stateDir.
	listed   bool
	replays  map[int64]string // What WhyStoredAgain found, by conversation.
}

// New returns a check at a time, with the state folder of the host or nothing where that isn't known.
func New(now time.Time, stateDir string) *Check {
	return &Check{now: now, stateDir: stateDir, indexes: map[string]*sessionIndex{}, replays: map[int64]string{}}
}

// Read reads what decides about one conversation, and Why gives the reason. A conversation that
// isn't there counts as live.
func (c *Check) Read(ctx context.Context, db *data.DB, conv int64) (why string, err error) {
	facts, ok, err := readConversation(ctx, db, conv)
	if err != nil || !ok {
		return "the file doesn't say whether the conversation is over", err
	}
	return c.Why(ctx, facts), nil
}

// Why says why a conversation may go on; empty is that it is over.
func (c *Check) Why(ctx context.Context, conv Conversation) string {
	switch {
	case conv.Compacting:
		return "a compaction of the conversation is marked as running (one that never ended can be repaired: A03)"
	case !conv.Known:
		return "the file doesn't say whether the conversation is over"
	case !conv.Active && (!conv.UpdatedAt.Valid() || c.now.Sub(conv.UpdatedAt.Time) < Recently || conv.ArchivedAt.Valid() && c.now.Sub(conv.ArchivedAt.Time) < Recently):
		return "the conversation was changed less than a day ago"
	case !conv.Active:
		return ""
	case conv.Messages && !conv.Newest.Valid():
		return "the conversation is active, and the time of its newest message isn't known"
	case conv.Messages && c.now.Sub(conv.Newest.Time) < Recently:
		return "the conversation is active, and its newest message is less than a day old"
	}
	if conv.ByStore {
		if why := c.WhyKnown(ctx, conv); why != "" {
			return "the conversation is active, and " + why
		}
		return ""
	}
	return c.whyFollowed(ctx, conv)
}

// TranscriptGone reports whether the transcript that the host follows is known not to exist any
// more, or is none.
func (c *Check) TranscriptGone(conv Conversation) bool {
	if !conv.Tracked || conv.Transcript == "" {
		return conv.Known
	}
	_, err := os.Lstat(conv.Transcript)
	return filepath.IsAbs(conv.Transcript) && os.IsNotExist(err)
}

// whyFollowed says why the host may still follow an active conversation, by its transcript and by
// the indexes of sessions; empty is that it does not.
func (c *Check) whyFollowed(ctx context.Context, conv Conversation) string {
	if !c.TranscriptGone(conv) {
		return "the conversation is active, and its transcript may still be there"
	}
	some := false
	for _, folder := range c.foldersOf(conv) {
		index := c.index(ctx, folder)
		if index.err != nil {
			return fmt.Sprintf("the conversation is active, and the host's index of sessions can't be read: %v", index.err)
		}
		for _, name := range []string{conv.Session, conv.Key} {
			if name != "" && index.names[name] {
				return "the conversation is active, and the host knows its session " + name
			}
		}
		some = some || index.found
	}
	if !some {
		return "the conversation is active, and no index of the host's sessions was found"
	}
	return ""
}

// readConversation reads what decides about a conversation; not ok where it isn't in the file.
func readConversation(ctx context.Context, db *data.DB, id int64) (c Conversation, ok bool, err error) {
	conv := []any{id}
	rows, err := data.ImagesIn(ctx, db, "conversations", "conversation_id", conv, "active", "updated_at", "archived_at", "session_id", "session_key")
	if err != nil || len(rows) != 1 {
		return c, false, err
	}
	active, known := rows[0]["active"].(int64)
	c = Conversation{ID: id, Known: known, Active: active != 0, Session: data.CellText(rows[0]["session_id"]), Key: data.CellText(rows[0]["session_key"])}
	c.ByStore = db.Kind().Generation == data.GenerationOne
	if err := errors.Join(c.UpdatedAt.Scan(rows[0]["updated_at"]), c.ArchivedAt.Scan(rows[0]["archived_at"])); err != nil {
		return c, false, err
	}
	rows, err = data.ImagesIn(ctx, db, "conversation_compaction_maintenance", "conversation_id", conv, "running")
	if err != nil {
		return c, false, err
	}
	c.Compacting = len(rows) > 0 && data.CellInteger(rows[0]["running"]) == 1
	rows, err = data.ImagesIn(ctx, db, "conversation_bootstrap_state", "conversation_id", conv, "session_file_path")
	if err != nil {
		return c, false, err
	}
	if c.Tracked = len(rows) > 0; c.Tracked {
		c.Transcript = data.CellText(rows[0]["session_file_path"])
	}
	c.Newest, c.Messages, err = lcm.NewestMessageTime(ctx, db, id)
	return c, true, err
}
