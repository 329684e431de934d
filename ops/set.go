package ops

import (
	"context"
	"fmt"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
)

// Set is what a plan over many rows would do, without an image of each row: the conversations
// that it is about, with the guards by which it is stale, and the writer that writes it in
// short transactions.
type Set struct {
	Verb     string `json:"verb"`
	Selector string `json:"selector"` // What was selected, in words.
	// Conversations are those that change, and Guards what must hold of them still.
	Conversations []SetConversation          `json:"conversations"`
	Guards        []change.ConversationGuard `json:"guards"`
	Rows          map[string]int64           `json:"rows"`  // By table, over all conversations.
	Bytes         int64                      `json:"bytes"` // Over all conversations.
	// Objects are the tables and indexes of the file, now and after.
	Objects []SetObject `json:"objects,omitempty"`
	// Files are files beside the database that go too.
	Files []SetFile `json:"files,omitempty"`
	// Trash is the file that keeps what is removed; empty where nothing has to be kept.
	Trash      string `json:"trash,omitempty"`
	TrashBytes int64  `json:"trash_bytes,omitempty"`
	// DiskNeeded are the bytes that have to be free for the trash and the -wal.
	DiskNeeded int64 `json:"disk_needed"`
	// Matching is what a query found, where that chose the rows; else nil.
	Matching *Matching `json:"matching,omitempty"`

	Writer SetWriter `json:"-"`
}

// SetConversation is what a set would change of one conversation.
type SetConversation struct {
	ID            int64            `json:"conversation_id"`
	Key           string           `json:"session_key"`
	Agent         string           `json:"agent"`
	Lane          string           `json:"lane"`
	State         string           `json:"state"` // active or archived.
	NewestMessage data.Time        `json:"newest_message_at"`
	Rows          map[string]int64 `json:"rows"` // By table.
	Bytes         int64            `json:"bytes"`
	Files         int              `json:"files"` // Large files on disk.
	FileBytes     int64            `json:"file_bytes"`
	Why           string           `json:"why"` // Why it qualifies.
}

// SetFile is a file that a set removes or moves into the trash.
type SetFile struct {
	Path  string    `json:"path"`
	Bytes int64     `json:"bytes"`
	At    time.Time `json:"modified_at"`
}

// SetObject is a table or an index of the file.
type SetObject struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	After int64  `json:"after_bytes"`
}

// Forecast is the size of the file in bytes: now, and after the set was written and the free
// space given back.
type Forecast struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// Refusal is a conversation that was selected and is left as it is.
type Refusal struct {
	Conversation int64  `json:"conversation_id"`
	Reason       string `json:"reason"`
}

// SetWriter writes a set in batches under one record.
type SetWriter interface {
	// WriteSet writes the set of a plan. detail is what the record remembers of the plan, a
	// JSON object to which the writer may add. It returns a *data.StoppedError where a part
	// of the set is written.
	WriteSet(ctx context.Context, db *data.DB, p Plan, detail map[string]any, report data.Report) (change.Outcome, error)
}

// NewSet returns an empty plan of a set, whose lists are empty, not absent.
func NewSet(op, title string, s Set) Plan {
	p := New(op, title)
	if s.Conversations == nil {
		s.Conversations = []SetConversation{}
	}
	if s.Guards == nil {
		s.Guards = []change.ConversationGuard{}
	}
	if s.Rows == nil {
		s.Rows = map[string]int64{}
	}
	p.Set, p.RefusedConversations, p.Forecast = &s, []Refusal{}, &Forecast{}
	return p
}

// isEmpty reports whether the set has nothing to write.
func (s *Set) isEmpty() bool {
	if s == nil {
		return true
	}
	for _, n := range s.Rows {
		if n > 0 {
			return false
		}
	}
	return len(s.Files) == 0
}

// Summary says in words how large the set is.
func (s *Set) Summary() string {
	return fmt.Sprintf("%s of %s", plural.Count(int(s.Total()), "row", "rows"), plural.Count(len(s.Conversations), "conversation", "conversations"))
}

// Total returns how many rows the set changes or removes.
func (s *Set) Total() (n int64) {
	for _, rows := range s.Rows {
		n += rows
	}
	return n
}

// applySet writes the set of a plan.
func applySet(ctx context.Context, db *data.DB, p Plan, report []data.Report) (change.Outcome, error) {
	tell := func(int, int, string) {}
	if len(report) > 0 && report[0] != nil {
		tell = report[0]
	}
	if p.Empty() {
		return change.Outcome{}, nothingInSet(p)
	}
	if err := change.CheckConversations(ctx, db, p.Set.Guards); err != nil {
		return change.Outcome{}, err
	}
	detail := map[string]any{"set": map[string]any{
		"verb": p.Set.Verb, "selector": p.Set.Selector, "conversations": len(p.Set.Conversations), "rows": p.Set.Rows, "bytes": p.Set.Bytes,
	}}
	if p.FileSHA256 != "" {
		detail["plan_sha256"] = p.FileSHA256
	}
	return p.Set.Writer.WriteSet(ctx, db, p, detail, tell)
}

// nothingInSet says that everything that was selected is left as it is, and why, of the first.
func nothingInSet(p Plan) error {
	n := len(p.RefusedConversations)
	if n == 0 {
		return ErrNothing
	}
	r := p.RefusedConversations[0]
	text := fmt.Sprintf("conversation %d is left as it is: %s", r.Conversation, r.Reason)
	if n > 1 {
		text += "; and " + plural.Count(n-1, "other", "others")
	}
	return fmt.Errorf("%s: %w", text, ErrNothing)
}
