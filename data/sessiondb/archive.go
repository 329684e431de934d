package sessiondb

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
	Key     string // The session key.
	Created time.Time
}

// maxArchive is the size in bytes of the largest archive that is read from the database.
const maxArchive = 256 << 20

const archiveTable = "session_transcript_archives"

// sessionsFolder returns the folder of an agent's session files and archives.
func (db *DB) sessionsFolder() string {
	return filepath.Join(filepath.Dir(filepath.Dir(db.path)), "sessions")
}

// Archives lists the archived transcripts, newest first.
func (db *DB) Archives(ctx context.Context) (out []*Archive, err error) {
	if !db.tables.has(archiveTable, "archive_name", "session_id") {
		return nil, nil
	}
	t := db.tables
	query := "SELECT archive_name, " + t.column(archiveTable, "session_key") + ", " + t.column(archiveTable, "created_at") +
		" AS created FROM " + archiveTable + " ORDER BY created DESC, archive_name"
	err = db.each(ctx, query, nil, func(row []any) {
		out = append(out, &Archive{Name: asText(row[0]), Key: asText(row[1]), Created: asTime(row[2])})
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

// asBytes returns a value as bytes of its own; empty where it is neither text nor bytes.
func asBytes(v any) []byte {
	switch v := v.(type) {
	case string:
		return []byte(v)
	case []byte:
		return bytes.Clone(v)
	}
	return nil
}
