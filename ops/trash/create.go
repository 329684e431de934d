package trash

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops/slice"
)

// Contents says what is going to be removed: whole conversations, the texts of messages, or
// large files alone.
type Contents struct {
	Verb     string // Of prune: conversations, text or payloads.
	Selector string // What was selected, in words.
	// Conversations are removed whole, with every row that belongs to them.
	Conversations []int64
	// Messages lose their texts: their rows and those of their parts are kept as they are.
	Messages []int64
	// Files are the large files that will be moved into the trash.
	Files []StoredFile
	// Replacements are what will stand in the place of texts, where that are no stubs.
	Replacements []Replacement
}

// StoredFile is a large file that the trash keeps.
type StoredFile struct {
	ID           string `json:"file_id"`
	Conversation int64  `json:"conversation_id"`
	Path         string `json:"path"` // Where it lay.
	Bytes        int64  `json:"bytes"`
}

// What a trash file keeps of conversations.
const (
	removedConversations = "conversations"
	removedTexts         = "texts"
	removedFiles         = "files"
)

const manifestSchema = `CREATE TABLE lcm_tui_trash (
	version INTEGER NOT NULL,
	verb TEXT NOT NULL,
	removed TEXT NOT NULL,
	selector TEXT NOT NULL,
	made_at TEXT NOT NULL,
	source TEXT NOT NULL,
	counts TEXT NOT NULL,
	digests TEXT NOT NULL,
	files TEXT NOT NULL)`

// manifestVersion is the version of the table lcm_tui_trash.
const manifestVersion = 1

// Create writes the rows that are going to be removed to a new file in the trash, all of one
// state of the database, and verifies it: counts and digests of its rows as they are on the
// disk. With an error nothing stays. The receipt belongs into the record of the prune.
func Create(ctx context.Context, db *data.DB, c Contents, report data.Report) (change.Receipt, error) {
	if len(c.Conversations) > 0 && len(c.Messages) > 0 || len(c.Conversations)+len(c.Messages)+len(c.Files) == 0 {
		return change.Receipt{}, errors.New("trash: either conversations, texts or files are removed")
	}
	if err := CheckFolder(db); err != nil {
		return change.Receipt{}, err
	}
	removeUnfinished(db)
	m := manifest{verb: c.Verb, removed: removedConversations, selector: c.Selector, files: c.Files, madeAt: data.FormatTimeMillis(db.Now())}
	switch {
	case len(c.Messages) > 0:
		m.removed = removedTexts
	case len(c.Conversations) == 0:
		m.removed = removedFiles
	}
	request := slice.Request{
		Conversations: c.Conversations, Messages: c.Messages, SchemaOnly: m.removed == removedFiles, Lineage: slice.LineageKeep,
		Finish: func(ctx context.Context, conn *sql.Conn, r *slice.Result) error {
			if err := writeReplacements(ctx, conn, c.Replacements); err != nil {
				return err
			}
			return m.write(ctx, conn, db, r)
		},
	}
	out, err := writeNamed(ctx, db, c.Verb, request, report)
	if err != nil {
		return change.Receipt{}, fmt.Errorf("the trash can't be written: %w", err)
	}
	r := change.Receipt{Path: out.Path, Bytes: out.Bytes, Rows: out.Tables}
	if r.SHA256, err = fileDigest(out.Path); err != nil {
		return change.Receipt{}, errors.Join(fmt.Errorf("the trash can't be read: %w", err), os.Remove(out.Path))
	}
	return r, nil
}

// nameTime is the form of the time with which the name of a trash file begins.
const nameTime = "20060102T150405Z"

// writeNamed writes the file under a name that is free.
func writeNamed(ctx context.Context, db *data.DB, verb string, request slice.Request, report data.Report) (slice.Result, error) {
	name := db.Now().UTC().Format(nameTime) + "-" + verb
	for n := 2; ; n++ {
		out, err := slice.Write(ctx, db, filepath.Join(data.TrashFolder(db.Path()), name+".db"), request, report)
		if !errors.Is(err, data.ErrExists) || n > 100 {
			return out, err
		}
		name = fmt.Sprintf("%s-%s-%d", db.Now().UTC().Format(nameTime), verb, n)
	}
}

// manifest is the one row of the table lcm_tui_trash.
type manifest struct {
	verb, removed, selector, madeAt string
	files                           []StoredFile
}

func (m manifest) write(ctx context.Context, conn *sql.Conn, db *data.DB, r *slice.Result) error {
	origin, err := readOrigin(ctx, conn, db)
	if err != nil {
		return err
	}
	if m.files == nil {
		m.files = []StoredFile{}
	}
	cells := []any{manifestVersion, m.verb, m.removed, m.selector, m.madeAt}
	for _, part := range []any{origin, r.Tables, r.Digests, m.files} {
		b, err := json.Marshal(part)
		if err != nil {
			return err
		}
		cells = append(cells, string(b))
	}
	if _, err := conn.ExecContext(ctx, manifestSchema); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "INSERT INTO lcm_tui_trash (version, verb, removed, selector, made_at, source, counts, digests, files) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", cells...)
	return err
}

// fileDigest returns the SHA-256 of a file on which no connection is open.
func fileDigest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
