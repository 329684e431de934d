package hostactivity

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/sessiondb"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/redact"
	"lcm-tui/engine/token"
	"lcm-tui/internal/plural"
)

// WhyStoredAgain says why a host that is handed the whole history of a conversation again would store
// all of it a second time once the text of a row was replaced, though the row keeps its hash; empty
// is that nothing says so. Old texts come back with it.
//
// A host compares its rows with the history text by text. Where one differs, it looks for a row with
// the hash of each message, and where one has none, it stores all. So every message must have a row
// with its hash: a message with a payload in a file has none, nor has one that was never stored.
func (c *Check) WhyStoredAgain(ctx context.Context, db *data.DB, conv Conversation) (why string, err error) {
	if why, known := c.replays[conv.ID]; known {
		return why, nil
	}
	r := recognition{raw: !db.Schema().Has("messages", "transcript_entry_id"), hashes: map[string]int{}, entries: map[string]bool{}}
	err = lcm.EachRecognized(ctx, db, conv.ID, func(m lcm.Recognized) error {
		r.add(m)
		return nil
	})
	if err != nil {
		return "", err
	}
	if why = r.why(); why == "" {
		why, err = c.whyUnstored(ctx, db, conv, r)
	}
	if err == nil {
		c.replays[conv.ID] = why
	}
	return why, err
}

// ReadStoredAgain reads a conversation and gives the reason of WhyStoredAgain; empty is also that the
// conversation is over.
func (c *Check) ReadStoredAgain(ctx context.Context, db *data.DB, id int64) (why string, err error) {
	conv, ok, err := readConversation(ctx, db, id)
	if err != nil || !ok || c.Why(ctx, conv) == "" {
		return "", err
	}
	return c.WhyStoredAgain(ctx, db, conv)
}

// recognition is by what a host recognizes the messages of a conversation.
type recognition struct {
	raw     bool           // The host hashes texts as they are.
	hashes  map[string]int // How many rows have a hash.
	entries map[string]bool

	inFiles, withoutHash, otherHash rowCount
}

// rowCount is how many rows there are of a kind, and the seq of the first.
type rowCount struct{ rows, first int64 }

func (n *rowCount) add(seq int64) {
	if n.rows == 0 {
		n.first = seq
	}
	n.rows++
}

// add adds a row.
func (r *recognition) add(m lcm.Recognized) {
	r.hashes[m.Hash]++
	if m.Entry != "" {
		r.entries[m.Entry] = true
	}
	stub, forgotten := data.ParseForgotten(m.Content)
	redacted := redact.LastNumber(m.Content) > 0
	switch hasFile := lcm.RefersToPayload(m.Content); {
	case m.Hash == "":
		r.withoutHash.add(m.Seq)
	case forgotten && len(stub.Files) > 0, hasFile && (redacted || r.fits(m)):
		r.inFiles.add(m.Seq) // The hash is that of the reference.
	case !forgotten && !redacted && !hasFile && !r.fits(m):
		r.otherHash.add(m.Seq)
	}
}

// fits reports whether the hash of a row is that of its text.
func (r *recognition) fits(m lcm.Recognized) bool {
	raw := identity.RawHash(m.Role, m.Content)
	if r.raw {
		return m.Hash == raw
	}
	return m.Hash == identity.Hash(m.Role, m.Content) || m.Hash != raw && identity.IsValid(m.Role, m.Content, m.Hash)
}

// why says which rows have another hash than the message that is handed over.
func (r *recognition) why() string {
	switch {
	case r.inFiles.rows > 0:
		return fmt.Sprintf("the host moved payloads of %s into files (the first is number %d), and doesn't recognize them by their hash",
			plural.Count(int(r.inFiles.rows), "message", "messages"), r.inFiles.first)
	case r.withoutHash.rows > 0:
		return fmt.Sprintf("%s no hash by which the host recognizes them (the first is number %d)",
			plural.Count(int(r.withoutHash.rows), "message has", "messages have"), r.withoutHash.first)
	case r.otherHash.rows > 0:
		return fmt.Sprintf("%s another hash than that of the text (the first is number %d)",
			plural.Count(int(r.otherHash.rows), "message has", "messages have"), r.otherHash.first)
	}
	return ""
}

// whyUnstored says which entry of the transcript has no row. What follows the last stored entry is
// still to be stored.
func (c *Check) whyUnstored(ctx context.Context, db *data.DB, conv Conversation, r recognition) (string, error) {
	file, err := c.openTranscript(ctx, conv)
	if err != nil || file == nil {
		return unreadable(ctx, err)
	}
	rules := ingest.RulesOf(db.Schema(), token.Of(db.Kind().Level), 1<<40)
	var waiting, missing rowCount // Of lines.
	for e, err := range file.Entries(ctx) {
		var bad *transcript.LineError
		if errors.As(err, &bad) {
			continue // The host doesn't read it either.
		}
		if err != nil {
			return unreadable(ctx, err)
		}
		m, skip := rules.Store(e.Message, e.ID)
		if skip != "" {
			continue
		}
		stored := r.hashes[m.Identity] > 0
		if r.hashes[m.Identity]--; !stored {
			waiting.add(e.Line)
		}
		if (stored || r.entries[e.ID]) && waiting.rows > 0 {
			if missing.rows == 0 {
				missing.first = waiting.first
			}
			missing.rows, waiting = missing.rows+waiting.rows, rowCount{}
		}
	}
	if missing.rows == 0 {
		return "", nil
	}
	return fmt.Sprintf("%s no row with the hash of the message (the first is in line %d)",
		plural.Count(int(missing.rows), "entry of its transcript has", "entries of its transcript have"), missing.first), nil
}

// unreadable says that the transcript can't be read; what isn't known counts as a reason.
func unreadable(ctx context.Context, err error) (string, error) {
	if err == nil || ctx.Err() != nil {
		return "", err
	}
	return fmt.Sprintf("its transcript can't be read: %v", err), nil
}

// openTranscript opens the transcript of a conversation: the one that its host follows, or its session
// in the database of an agent. It returns nil where there is none, or none with an entry.
func (c *Check) openTranscript(ctx context.Context, conv Conversation) (*transcript.File, error) {
	if filepath.IsAbs(conv.Transcript) {
		f, err := transcript.Open(ctx, conv.Transcript)
		switch {
		case errors.Is(err, transcript.ErrEmpty):
			return nil, nil
		case !errors.Is(err, os.ErrNotExist):
			return f, err
		}
	}
	for _, folder := range c.foldersOf(conv) {
		database := filepath.Join(folder, "agent", sessiondb.FileName)
		if _, err := os.Lstat(database); err != nil || conv.Session == "" || !c.index(ctx, folder).names[conv.Session] {
			continue
		}
		return transcript.Open(ctx, transcript.Address(database, conv.Session))
	}
	return nil, nil
}
