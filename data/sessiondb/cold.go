package sessiondb

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"lcm-tui/internal/regularfile"
)

// coldArchive is where the events of a session lie that was quiet for so long that the host
// moved them out of transcript_events. The host puts them back before it uses them.
type coldArchive struct {
	name, sha256 string
	inFile       bool // Else the database itself has it.
}

const coldTable = "session_transcript_cold_archives"

// addCold reads which sessions are cold. Theirs are no rows in transcript_events.
func (db *DB) addCold(ctx context.Context, l *sessionList, id string) error {
	if !db.tables.has(coldTable, "session_id", "archive_name", "archive_sha256", "storage") {
		return nil
	}
	clause, args := where("session_id", id)
	t := db.tables
	query := "SELECT session_id, archive_name, archive_sha256, storage, " + t.column(coldTable, "event_count") + ", " + t.column(coldTable, "raw_bytes") + ", " +
		t.column(coldTable, "last_seq") + ", " + t.column(coldTable, "archived_at") + " FROM " + coldTable + clause
	return db.each(ctx, query, args, func(row []any) {
		s := l.at(asText(row[0]))
		if s.Events > 0 {
			return // The host put the events back.
		}
		s.cold = &coldArchive{name: asText(row[1]), sha256: asText(row[2]), inFile: asText(row[3]) != "sqlite"}
		s.Events, s.Bytes, s.LastSeq = asInt(row[4]), asInt(row[5])+1, asInt(row[6])
		if s.Newest = s.updated; s.Newest.IsZero() {
			s.Newest = asTime(row[7])
		}
	})
}

// Cold reports whether the host moved the events of the session to an archive.
func (s *Session) Cold() bool { return s.cold != nil }

// readCold reads a cold archive, which has to be the one that the database names.
func (db *DB) readCold(ctx context.Context, s *Session) (b []byte, err error) {
	if s.cold.inFile {
		path := filepath.Join(db.sessionsFolder(), "cold", filepath.Base(s.cold.name))
		b, err = regularfile.Read(path, maxArchive)
		if err != nil {
			return nil, fmt.Errorf("the host moved the transcript to an archive: %w", err)
		}
	} else {
		query := "SELECT archive_blob FROM " + coldTable + " WHERE session_id = ? AND octet_length(archive_blob) <= ?"
		if err := db.each(ctx, query, []any{s.ID, maxArchive}, func(row []any) { b = asBytes(row[0]) }); err != nil {
			return nil, err
		}
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != s.cold.sha256 {
		return nil, errors.New("the archive that the host moved the transcript to isn't the one that the database names: restore it from a backup")
	}
	return b, nil
}

// coldRecord is a line of a cold archive.
type coldRecord struct {
	Kind string
	Row  struct {
		Seq       int64
		EventJSON string `json:"event_json"`
	}
}

// coldEvents reads the events of a cold archive.
func (db *DB) coldEvents(ctx context.Context, s *Session, yield func(Event, error) bool) error {
	b, err := db.readCold(ctx, s)
	if err != nil {
		return err
	}
	unpacked, err := Unpack(io.NopCloser(bytes.NewReader(b)))
	if err != nil {
		return err
	}
	defer unpacked.Close()
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 2*maxEvent)
	position := int64(0)
	for lines.Scan() {
		if position%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var r coldRecord
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("a line of the archive: %w", err)
		}
		if r.Kind != "event" {
			continue
		}
		position++
		if !yield(Event{Seq: r.Row.Seq, Position: position, JSON: []byte(r.Row.EventJSON)}, nil) {
			return errStop
		}
	}
	return lines.Err()
}
