package agentdb

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// Archive is the transcript of a session that the host put aside: when the session was
// deleted, or was reset on hosts that then began another one.
type Archive struct {
	Name    string // As that of its file: SESSION.jsonl.deleted.TIME.GENERATION.zst, unique.
	Session string
	Key     string // The session key.
	Reason  string // deleted or reset.
	Packed  bool   // With zstd, one frame.
	Bytes   int64  // As it is stored.
	Created time.Time
	// Path is the file that the host wrote the archive to as well; it needn't be there.
	Path string
}

// maxArchive is the size in bytes of the largest archive that is read from the database.
const maxArchive = 256 << 20

const archiveTable = "session_transcript_archives"

// sessionsFolder is the folder of an agent's session files and archives.
func (db *DB) sessionsFolder() string {
	return filepath.Join(filepath.Dir(filepath.Dir(db.path)), "sessions")
}

// Archives lists the archived transcripts, newest first.
func (db *DB) Archives(ctx context.Context) (out []*Archive, err error) {
	if !db.tables.has(archiveTable, "archive_name", "session_id") {
		return nil, nil
	}
	t := db.tables
	query := "SELECT archive_name, session_id, " + t.column(archiveTable, "session_key") + ", " + t.column(archiveTable, "reason") + ", " +
		t.column(archiveTable, "encoding") + ", octet_length(" + t.column(archiveTable, "archive_blob") + "), " + t.column(archiveTable, "created_at") +
		" AS created FROM " + archiveTable + " ORDER BY created DESC, archive_name"
	err = db.each(ctx, query, nil, func(row []any) {
		a := &Archive{Name: asText(row[0]), Session: asText(row[1]), Key: asText(row[2]), Reason: asText(row[3]), Packed: asText(row[4]) == "zstd", Bytes: asInt(row[5]), Created: asTime(row[6])}
		a.Path = filepath.Join(db.sessionsFolder(), filepath.Base(a.Name))
		out = append(out, a)
	})
	if isDamage(err) {
		db.warn(db.damaged("list the archives of", err))
		return out, nil
	}
	return out, db.wrap("list the archives of", err)
}

// OpenArchive opens an archived transcript by its name: a line for each event, unpacked.
func (db *DB) OpenArchive(ctx context.Context, name string) (io.ReadCloser, error) {
	verb := "read the archive " + name + " of"
	if !db.tables.has(archiveTable, "archive_name", "archive_blob") {
		return nil, &Error{Path: db.path, Verb: verb, Kind: ErrNoArchive}
	}
	query := "SELECT CASE WHEN octet_length(archive_blob) <= ? THEN archive_blob END, octet_length(archive_blob), " + db.tables.column(archiveTable, "encoding") +
		" FROM " + archiveTable + " WHERE archive_name = ?"
	found, size, encoding := false, int64(0), ""
	var b []byte
	err := db.each(ctx, query, []any{maxArchive, name}, func(row []any) {
		found, size, encoding = true, asInt(row[1]), asText(row[2])
		b = asBytes(row[0])
	})
	switch {
	case err != nil:
		return nil, db.wrap(verb, err)
	case !found:
		return nil, &Error{Path: db.path, Verb: verb, Kind: ErrNoArchive}
	case size > maxArchive:
		return nil, db.wrap(verb, fmt.Errorf("it has %d MB, more than %d", size>>20, maxArchive>>20))
	}
	stored := io.NopCloser(bytes.NewReader(b))
	if encoding == "zstd" {
		return Unpack(stored)
	}
	return stored, nil
}

// asBytes is a value as bytes of its own; empty where it is neither text nor bytes.
func asBytes(v any) []byte {
	switch v := v.(type) {
	case string:
		return []byte(v)
	case []byte:
		return bytes.Clone(v)
	}
	return nil
}
