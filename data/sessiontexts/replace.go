package sessiontexts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/regularfile"
)

// Store is a transcript database that nobody else has open, until it is closed: no host can start with it meanwhile.
type Store struct {
	x    *data.Exclusive
	path string
}

// Open opens a transcript database that nobody else has open. It fails with a *RefusedError where its texts aren't
// replaced, and with data.ErrInUse beside a host.
func Open(ctx context.Context, path string) (s *Store, err error) {
	x, err := data.OpenExclusive(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := check(ctx, x.Conn, path); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return &Store{x, path}, nil
}

// Close lets others open it.
func (s *Store) Close() error { return s.x.Close() }

// Replaced is what became of the texts of a database.
type Replaced struct {
	Texts int
	Files []string // Archives beside the database that were rewritten.
}

// Replace gives every text what change returns for it, in one transaction, and overwrites what it was. Events that were
// packed aren't packed any more. A text that is JSON stays JSON.
func (s *Store) Replace(ctx context.Context, change func(text string) string) (out Replaced, err error) {
	for _, statement := range []string{"PRAGMA secure_delete = ON", "BEGIN IMMEDIATE"} {
		if _, err := s.x.ExecContext(ctx, statement); err != nil {
			return out, data.WrapError(s.path, "write", err)
		}
	}
	archives, err := s.replaceAll(ctx, change, &out)
	if err != nil {
		_, undone := s.x.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return Replaced{}, data.WrapError(s.path, "write", errors.Join(err, undone))
	}
	if _, err := s.x.ExecContext(ctx, "COMMIT"); err != nil {
		return Replaced{}, data.WrapError(s.path, "write", err)
	}
	for _, a := range archives {
		written, err := s.rewriteArchive(a)
		if err != nil {
			return out, fmt.Errorf("rewrite the archive %s: %w", a.name, err)
		}
		if written != "" {
			out.Files = append(out.Files, written)
		}
	}
	if out.Texts == 0 {
		return out, nil
	}
	_, err = s.x.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return out, data.WrapError(s.path, "write", err)
}

// archive is an archived transcript as it becomes.
type archive struct {
	name, before string // The hash of its file before.
	packed       []byte
}

// replaceAll replaces the texts, and returns the archives that changed.
func (s *Store) replaceAll(ctx context.Context, change func(text string) string, out *Replaced) (archives []archive, err error) {
	var changed []stored
	err = eachText(ctx, s.x.Conn, func(t stored) error {
		after := change(t.text)
		if after == t.text {
			return nil
		}
		if json.Valid([]byte(t.text)) && !json.Valid([]byte(after)) {
			return fmt.Errorf("%s would no longer be JSON", t.Place)
		}
		t.text = after
		changed = append(changed, t)
		return nil
	})
	indexed := false
	for _, t := range changed {
		if err != nil {
			return nil, err
		}
		query, args := "", []any{t.text}
		switch t.Table {
		case eventTable:
			query = "UPDATE " + eventTable + " SET event_json = ?, event_zstd = NULL, event_utf8_bytes = ? WHERE session_id = ? AND seq = ?"
			args = append(args, len(t.text))
		case nodeTable:
			query = "UPDATE " + nodeTable + " SET entry_json = ? WHERE session_key = ?"
		case indexTable:
			query, indexed = "UPDATE "+indexTable+" SET text = ? WHERE rowid = ?", true
		case archiveTable:
			packed := []byte(t.text)
			if t.zstd {
				packed = sessiondb.Pack(packed)
			}
			archives = append(archives, archive{t.name, t.hash, packed})
			query, args = "UPDATE "+archiveTable+" SET archive_blob = ?, archive_sha256 = ? WHERE archive_name = ?", []any{packed, hashOf(packed)}
		default:
			return nil, fmt.Errorf("%s isn't replaced", t.Place)
		}
		out.Texts++
		_, err = s.x.ExecContext(ctx, query, append(args, t.key...)...)
	}
	if err == nil && indexed {
		_, err = s.x.ExecContext(ctx, "INSERT INTO "+indexTable+" ("+indexTable+") VALUES ('optimize')")
	}
	return archives, err
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// rewriteArchive writes an archive to its file in the folder of sessions, if that is there and as the database had it. It
// returns the file, or nothing.
func (s *Store) rewriteArchive(a archive) (path string, err error) {
	path = filepath.Join(filepath.Dir(filepath.Dir(s.path)), "sessions", filepath.Base(a.name))
	old, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && !old.Mode().IsRegular() {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	was, err := regularfile.Read(path, maxText)
	if err != nil || hashOf(was) != a.before {
		return "", err // Another one than the database had: it is looked at as a file.
	}
	r, err := regularfile.Rewrite(path, old)
	if err != nil {
		return "", err
	}
	defer r.Discard()
	if _, err := r.WriteString(string(a.packed)); err != nil {
		return "", err
	}
	return path, r.Replace()
}
