package trash

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// Preview is what a restore would put back.
type Preview struct {
	Conversations []PreviewConversation `json:"conversations"`
	Messages      int64                 `json:"messages"` // Messages that are missing.
	Texts         int64                 `json:"texts"`    // Texts that stubs stand for.
	Changed       int64                 `json:"changed"`  // Texts that were changed since, and stay.
	Lost          int64                 `json:"lost"`     // Texts whose messages are gone.
	Files         int                   `json:"files"`    // Large files that move back.
}

// PreviewConversation is a conversation of a trash file, and what of it would be put back.
type PreviewConversation struct {
	ID         int64  `json:"conversation_id"`
	SessionKey string `json:"session_key"`
	Title      string `json:"title"`
	Active     bool   `json:"active"` // It was active when it was removed.
	// Missing says that its row isn't there; Taken, that it would come back archived, since
	// another conversation has its key or session.
	Missing  bool  `json:"missing"`
	Taken    bool  `json:"taken"`
	Messages int64 `json:"messages"`
	Texts    int64 `json:"texts"`
	Changed  int64 `json:"changed"`
	Lost     int64 `json:"lost"`
}

// Empty reports whether nothing would be put back.
func (p Preview) Empty() bool {
	return p.Messages+p.Texts == 0 && p.Files == 0 && !slices.ContainsFunc(p.Conversations, func(c PreviewConversation) bool { return c.Missing })
}

// Preview says what Apply would put back. It fails where Apply would.
func (r Restore) Preview(ctx context.Context, db *data.DB) (p Preview, err error) {
	w, err := r.begin(ctx, db)
	if err != nil {
		return p, err
	}
	reader, err := db.OpenReader(ctx, "ATTACH "+quoted(data.FileURI(r.File.Path, "mode=ro"))+" AS trash")
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	p.Conversations = []PreviewConversation{}
	if r.File.RemovesConversations() {
		read := func(ctx context.Context, query string, args []any, fn func(data.RowScanner) error) error {
			return reader.EachRow(ctx, "read the trash", query, args, fn)
		}
		if err := checkPlaces(ctx, read, w.from, w.conversations); err != nil {
			return p, err
		}
	}
	if err := p.readConversations(ctx, reader, w); err != nil {
		return p, err
	}
	if err := p.readMessages(ctx, reader, w); err != nil {
		return p, err
	}
	p.Files = len(r.movable(db, w.conversations))
	return p, nil
}

// quoted returns a text as an SQL literal.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (p *Preview) readConversations(ctx context.Context, reader *data.Reader, w *restorer) error {
	has := func(column, instead string) string {
		if w.from.Has("conversations", column) {
			return "s." + column
		}
		return instead
	}
	taken := "0"
	if w.from.Has("conversations", "active", "session_key") {
		taken = strings.ReplaceAll(otherConversation, "?1", "s.conversation_id")
	}
	query := "SELECT s.conversation_id, " + has("session_key", "NULL") + ", s.title, " + has("active", "1") + ` <> 0,
		s.conversation_id NOT IN (SELECT conversation_id FROM main.conversations), ` + taken + " FROM trash.conversations s ORDER BY 1"
	return reader.EachRow(ctx, "read the trash", query, nil, func(scan data.RowScanner) error {
		var c PreviewConversation
		err := scan(&c.ID, (*data.Text)(&c.SessionKey), (*data.Text)(&c.Title), &c.Active, &c.Missing, &c.Taken)
		c.Missing = c.Missing && w.restore.File.RemovesConversations()
		c.Taken = c.Taken && c.Missing
		if slices.Contains(w.conversations, c.ID) {
			p.Conversations = append(p.Conversations, c)
		}
		return err
	})
}

// previewStep is how many messages are read at a time.
const previewStep = 1000

// readMessages counts what Apply would do with each message.
func (p *Preview) readMessages(ctx context.Context, reader *data.Reader, w *restorer) error {
	read := func(ctx context.Context, query string, args []any, fn func(data.RowScanner) error) error {
		return reader.EachRow(ctx, "read the trash", query, args, fn)
	}
	for i := range p.Conversations {
		c := &p.Conversations[i]
		for last, more := any(int64(math.MinInt64)), true; more; {
			some, err := readKept(ctx, read, w.from, c.ID, last, previewStep)
			if err != nil {
				return err
			}
			for _, m := range some {
				last = m.seq
				c.count(m.fate(w.restore.File.RemovesConversations()))
			}
			more = len(some) == previewStep
		}
		p.Messages, p.Texts, p.Changed, p.Lost = p.Messages+c.Messages, p.Texts+c.Texts, p.Changed+c.Changed, p.Lost+c.Lost
	}
	return nil
}

// count adds a message.
func (c *PreviewConversation) count(f fate) {
	switch f {
	case messageLost:
		c.Lost++
	case messageMissing:
		c.Messages++
	case messageChanged:
		c.Changed++
	case messageForgotten:
		c.Texts++
	}
}

// RestoreOf returns the restore of all that a record's prune removed: false where the record has no
// trash. It fails with ErrMissing where the trash file is gone.
func RestoreOf(ctx context.Context, db *data.DB, r change.Record) (Restore, bool, error) {
	receipt, ok := change.ReceiptOf(r)
	if !ok {
		return Restore{}, false, nil
	}
	path := filepath.Join(data.TrashFolder(db.Path()), receipt.Name()) // It may have been moved or copied with its trash.
	if _, err := os.Stat(path); err != nil {
		path = receipt.Path
	}
	f, err := Read(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("record %d can't be undone: %w", r.ID, ErrMissing)
	}
	f.Record = r.ID
	return Restore{File: f, SHA256: receipt.SHA256}, true, err
}
