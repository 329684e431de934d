package proof

import (
	"context"
	"os"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/fileidentity"
	"lcm-tui/engine/pieces"
	"lcm-tui/engine/search"
	"lcm-tui/ops/prune/removal"
)

// Forgotten is what a receipt is made of.
type Forgotten struct {
	Query       string
	Record      int64
	Kept        []Kept
	IndexMerged bool
	// Trash is the file of the trash that has the rows as they were.
	Trash string
	// Messages are those whose texts were to be forgotten; nil are all that the trash has.
	Messages []int64
}

// Make makes the receipt of texts that were forgotten, without a check. What was forgotten is read from the trash: those
// of its messages that are stubs now.
func Make(ctx context.Context, db *data.DB, f Forgotten) (*Receipt, *pieces.Set, error) {
	r := &Receipt{
		Version: Version, MadeAt: data.FormatTimeMillis(db.Now()), Record: f.Record, Kept: f.Kept, IndexMerged: f.IndexMerged,
		Messages: []Message{}, Rows: map[string]int64{}, Checks: []Check{},
	}
	if r.Kept == nil {
		r.Kept = []Kept{}
	}
	kept, err := data.Open(ctx, f.Trash)
	if err != nil {
		return nil, nil, err
	}
	defer kept.Close()
	if f.Messages == nil {
		err := kept.EachRow(ctx, "read the trash", "SELECT message_id FROM messages ORDER BY message_id", nil, func(scan data.RowScanner) error {
			var id data.Integer
			err := scan(&id)
			f.Messages = append(f.Messages, int64(id))
			return err
		})
		if err != nil {
			return nil, nil, err
		}
	}
	if r.Database, err = fileidentity.Read(ctx, db); err != nil {
		return nil, nil, err
	}
	stubs, err := readStubs(ctx, db, f.Messages)
	if err != nil {
		return nil, nil, err
	}
	var texts []string
	known := map[string]bool{}
	err = removal.EachLost(ctx, kept, f.Messages, func(m removal.Lost) error {
		if stubs[m.Message] != stubThere {
			return nil
		}
		r.Messages = append(r.Messages, Message{
			Conversation: m.Conversation, ID: m.Message, Seq: m.Seq, Role: m.Role, At: m.At, Bytes: len(m.Content), SHA256: Digest(m.Content), Parts: m.Parts,
		})
		r.Rows["messages"]++
		r.Rows["message_parts"] += int64(m.Parts)
		for _, text := range m.Texts {
			if !known[text] {
				known[text] = true
				texts = append(texts, text)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	set := pieces.New(texts)
	r.Pieces = set.Store() // With its salt.
	r.QuerySHA256 = QueryDigest(r.Pieces, f.Query)
	return r, set, nil
}

// stub says what stands in the place of a message's text.
type stub int

const (
	stubThere stub = iota + 1
	textThere
)

// readStubs says of messages whether a stub stands in their place; of those without a row it says nothing.
func readStubs(ctx context.Context, db *data.DB, messages []int64) (map[int64]stub, error) {
	out := map[int64]stub{}
	err := removal.EachLost(ctx, db, messages, func(m removal.Lost) error {
		out[m.Message] = textThere
		if data.IsForgotten(m.Content) && len(m.Texts) == 0 {
			out[m.Message] = stubThere
		}
		return nil
	})
	return out, err
}

// AddCheck looks for what is left of the texts of the receipt, and adds what it found.
func (r *Receipt) AddCheck(ctx context.Context, db *data.DB, l Look, report data.Report) error {
	var ids []int64
	for _, m := range r.Messages {
		ids = append(ids, m.ID)
	}
	var err error
	if l.LeftInWAL, err = emptyWAL(ctx, db); err != nil {
		return err
	}
	stubs, err := readStubs(ctx, db, ids)
	if err != nil {
		return err
	}
	l.Kept = r.Kept
	c, err := l.Check(ctx, db, report)
	if err != nil {
		return err
	}
	for _, id := range ids {
		switch stubs[id] {
		case stubThere:
			c.Stubs++
		case textThere:
			c.Back = append(c.Back, id)
		default:
			c.Gone++
		}
	}
	for _, k := range r.Kept {
		there, err := readStubs(ctx, db, k.Messages)
		if err != nil {
			return err
		}
		for _, is := range there {
			if is == textThere {
				c.KeptThere++
			}
		}
	}
	c.finish()
	r.Pieces = l.Pieces.Store()
	r.Checks = append(r.Checks, c)
	return nil
}

// walWait is how long it is tried to empty the -wal beside other programs.
const walWait = 5 * time.Second

// emptyWAL moves the -wal into the file, so that all of it stands in pages that are read. It returns how many pages
// are left in it. A file that can't be written keeps it.
func emptyWAL(ctx context.Context, db *data.DB) (left int64, err error) {
	if db.Writable() != nil {
		if info, err := os.Stat(db.Path() + data.WALSuffix); err == nil && info.Size() > 0 {
			return 1, nil
		}
		return 0, nil
	}
	return db.EmptyWAL(ctx, walWait)
}

// CheckAgain looks again for what is left of the texts of a receipt, and asks the query again where it is given.
func (r *Receipt) CheckAgain(ctx context.Context, db *data.DB, q *search.Query, beside Beside, report data.Report) error {
	set, err := pieces.Load(r.Pieces)
	if err != nil {
		return err
	}
	return r.AddCheck(ctx, db, Look{Pieces: set, Query: q, FilesFolder: beside.FilesFolder, Beside: beside}, report)
}
