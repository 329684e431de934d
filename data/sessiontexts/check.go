package sessiontexts

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"lcm-tui/data"
)

// schemaVersion is the version of the format of which texts can be replaced: only with that a host was seen to go on.
const schemaVersion = 23

// RefusedError says why the texts of a database aren't replaced.
type RefusedError struct{ Path, Why string }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the texts of %s can't be replaced: %s", e.Path, e.Why)
}

// Hint says what can be done instead.
func (*RefusedError) Hint() string {
	return "without --transcripts the memory alone is changed; what the host would store again is left as it is, and listed"
}

// ScreenHint says it for a screen.
func (*RefusedError) ScreenHint() string {
	return "leave the host's sessions out: the memory alone is changed"
}

// layout are the columns of the tables whose texts are replaced, as a host of the version makes them.
var layout = map[string][]string{
	eventTable:   {"session_id", "seq", "event_json", "event_zstd", "event_utf8_bytes", "navigation_json"},
	nodeTable:    {"session_key", "entry_json"},
	indexTable:   {"text"},
	archiveTable: {"encoding", "archive_blob", "archive_sha256", "archive_name"},
	outboxTable:  {"payload_json"},
	coldTable:    {"archive_name"},
}

const (
	eventTable   = "transcript_events"
	nodeTable    = "session_nodes"
	indexTable   = "session_transcript_fts"
	archiveTable = "session_transcript_archives"
	outboxTable  = "context_engine_turn_outbox"
	coldTable    = "session_transcript_cold_archives"
)

// Check returns a *RefusedError where the texts of a transcript database aren't replaced. It only reads.
func Check(ctx context.Context, path string) error {
	return reading(ctx, path, func(conn *sql.Conn) error { return check(ctx, conn, path) })
}

func check(ctx context.Context, conn *sql.Conn, path string) error {
	refused := func(why string, args ...any) error { return &RefusedError{path, fmt.Sprintf(why, args...)} }
	var version int
	if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return data.WrapError(path, "read", err)
	}
	if version != schemaVersion {
		return refused("its format has version %d, and how hosts go on was only tried with version %d", version, schemaVersion)
	}
	for table, wanted := range layout {
		columns, err := columnsOf(ctx, conn, table)
		if err != nil {
			return data.WrapError(path, "read", err)
		}
		for _, c := range wanted {
			if !slices.Contains(columns, c) {
				return refused("its table %s isn't as hosts of this version make it", table)
			}
		}
	}
	for table, why := range map[string]string{
		outboxTable: "the host still owes turns to its memory: start it once, so that it stores them, and stop it again",
		coldTable:   "it has transcripts that were put into cold archives, which aren't known well enough",
	} {
		var n int64
		if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&n); err != nil {
			return data.WrapError(path, "read", err)
		}
		if n > 0 {
			return refused("%s", why)
		}
	}
	return nil
}

// columnsOf returns the columns of a table; none where there is no such table.
func columnsOf(ctx context.Context, conn *sql.Conn, table string) (columns []string, err error) {
	err = data.EachRow(ctx, conn, "SELECT name FROM pragma_table_info(?)", []any{table}, func(scan data.RowScanner) error {
		var name string
		err := scan(&name)
		columns = append(columns, name)
		return err
	})
	return columns, err
}

// Sessions returns the sessions of a transcript database that have events.
func Sessions(ctx context.Context, path string) (ids []string, err error) {
	err = reading(ctx, path, func(conn *sql.Conn) error {
		return data.EachRow(ctx, conn, "SELECT DISTINCT session_id FROM "+eventTable, nil, func(scan data.RowScanner) error {
			var id data.Text
			err := scan(&id)
			ids = append(ids, string(id))
			return err
		})
	})
	return ids, err
}
