// Package testdb gives tests their databases: samples, altered samples, copies of the
// reference engine's own; and it reads what stands in them. Only tests may import it.
package testdb

import (
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/samples"
)

// sampleCache is where samples come from, so that each is written once.
var sampleCache samples.Cache

// Open opens the database at path until the test ends, WithoutHost: looking for other
// processes reads every process of the machine, for every write.
func Open(t testing.TB, path string) *data.DB {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	WithoutHost(db)
	return db
}

// Large returns the large database that LCM_SEARCH_DB names, for benchmarks; without one the
// benchmark is skipped. It is no copy.
func Large(t testing.TB) *data.DB {
	t.Helper()
	path := os.Getenv("LCM_SEARCH_DB")
	if path == "" {
		t.Skip("LCM_SEARCH_DB names no file")
	}
	return Open(t, path)
}

// Sample returns the path of a sample of a level with faults.
func Sample(t testing.TB, level fakehost.Level, faults ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, level, faults...); err != nil {
		t.Fatal(err)
	}
	return path
}

// WithoutHost makes a handle see that no other process has its file open.
func WithoutHost(db *data.DB) {
	db.Holders = func(string) filesystem.Holders { return filesystem.Holders{Known: true} }
}

// BesideHost makes a handle see that another process has its file open.
func BesideHost(db *data.DB) {
	db.Holders = func(string) filesystem.Holders {
		return filesystem.Holders{Names: []string{"host (process 1)"}, Known: true}
	}
}

// Dump returns all that stands in a database but for our own records, and for what a host
// prepares in the background: that is given up with a change, and not brought back.
func Dump(t testing.TB, path string) string {
	t.Helper()
	s, err := DumpTables(path, "lcm_tui_undo", "lcm_tui_undo_part", "lcm_tui_set_turn", "pending_compaction_batches", "pending_summary_nodes",
		"pending_summary_node_messages", "pending_summary_node_children")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
