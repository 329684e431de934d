package testdb

import (
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/klauspost/compress/zstd"

	"lcm-tui/data"
)

// AgentSession is a session of a transcript database.
type AgentSession struct {
	Key, ID, Previous string
	Events            []string // JSON, one for each event.
	At                int64    // When the first event was written, in ms; each other is a second later.
}

// AgentFile makes an openclaw-agent.sqlite as a host with this version of the format
// writes it: 9 with the tables of old, 14 to 22 with those of today, from 23 on with packed
// events. The file is in WAL mode, and closed.
func AgentFile(t testing.TB, version int, sessions ...AgentSession) (path string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "agents", "main", "agent")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(folder, "openclaw-agent.sqlite")
	ExecAgent(t, path, func(exec func(query string, args ...any)) {
		exec("PRAGMA journal_mode = WAL")
		exec("PRAGMA user_version = " + strconv.Itoa(version))
		for _, s := range agentTables(version) {
			exec(s)
		}
		exec("INSERT INTO schema_meta VALUES ('primary', 'agent', ?, 'main', '2026.9.6', 1, 1)", version)
		for _, s := range sessions {
			insertAgentSession(exec, version, s)
		}
	})
	return path
}

// ExecAgent runs statements on a transcript database, as the host would.
func ExecAgent(t testing.TB, path string, fn func(exec func(query string, args ...any))) {
	t.Helper()
	db, err := sql.Open("sqlite", data.FileURI(path, ""))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	defer db.Close()
	fn(func(query string, args ...any) {
		if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	})
}

// agentTables returns the tables that hold sessions, transcripts and sign-ins.
func agentTables(version int) []string {
	common := []string{
		`CREATE TABLE schema_meta (meta_key TEXT NOT NULL PRIMARY KEY, role TEXT NOT NULL, schema_version INTEGER NOT NULL, agent_id TEXT, app_version TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
		`CREATE TABLE auth_profile_store (store_key TEXT NOT NULL PRIMARY KEY, store_json TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
		`CREATE TABLE auth_profile_state (state_key TEXT NOT NULL PRIMARY KEY, state_json TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
	}
	packed := ""
	if version >= 23 {
		packed = ", event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT"
	}
	switch {
	case version < 9:
		return common
	case version < 14:
		return append(common,
			`CREATE TABLE sessions (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
			`CREATE TABLE session_entries (session_key TEXT NOT NULL PRIMARY KEY, session_id TEXT NOT NULL, entry_json TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
			`CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq)) STRICT`)
	}
	tables := append(common,
		`CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL, entry_json TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
		`CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT, reason TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
		`CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL`+packed+`, PRIMARY KEY (session_id, seq)) STRICT`,
		`CREATE TABLE transcript_rewrite_watermarks (session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
		`CREATE TABLE session_transcript_archives (session_id TEXT NOT NULL, generation TEXT NOT NULL, session_key TEXT NOT NULL, reason TEXT NOT NULL, encoding TEXT NOT NULL, archive_blob BLOB NOT NULL, archive_sha256 TEXT NOT NULL, archive_name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, published_at INTEGER, PRIMARY KEY (session_id, generation)) STRICT`)
	if version >= 22 {
		tables = append(tables, `CREATE TABLE session_transcript_cold_archives (session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL, archive_name TEXT NOT NULL UNIQUE, archive_sha256 TEXT NOT NULL, event_count INTEGER NOT NULL, raw_bytes INTEGER NOT NULL, archive_bytes INTEGER NOT NULL, last_seq INTEGER NOT NULL, archived_at INTEGER NOT NULL, storage TEXT NOT NULL, archive_blob BLOB) STRICT`)
	}
	return tables
}

func insertAgentSession(exec func(string, ...any), version int, s AgentSession) {
	last := s.At + int64(len(s.Events))*1000
	if version < 14 {
		exec("INSERT INTO sessions VALUES (?, ?, ?, ?)", s.ID, s.Key, s.At, last)
		exec("INSERT OR REPLACE INTO session_entries VALUES (?, ?, '{}', ?)", s.Key, s.ID, last)
	} else {
		exec("INSERT INTO session_windows VALUES (?, ?, nullif(?, ''), NULL, ?, ?)", s.ID, s.Key, s.Previous, s.At, last)
		exec("INSERT OR REPLACE INTO session_nodes VALUES (?, ?, '{}', ?)", s.Key, s.ID, last)
	}
	exec("BEGIN")
	for i, event := range s.Events {
		at := s.At + int64(i)*1000
		switch {
		case version < 23:
			exec("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", s.ID, i, event, at)
		case len(event) < 1024:
			exec("INSERT INTO transcript_events VALUES (?, ?, ?, ?, NULL, ?, NULL)", s.ID, i, event, at, len(event))
		default:
			exec("INSERT INTO transcript_events VALUES (?, ?, NULL, ?, ?, ?, '{}')", s.ID, i, at, Pack(event), len(event))
		}
	}
	exec("COMMIT")
}

// packer packs as the host does: at the fastest level, with a checksum.
var packer, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(true))

// Pack returns an event as the host packs it, one frame of zstd.
func Pack(event string) []byte { return packer.EncodeAll([]byte(event), nil) }
