package data_test

import (
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
)

// The tests' databases.
var (
	open    = testdb.Open
	dump    = testdb.Dump
	fixture = testdb.Fixture
	sample  = testdb.Sample
)

// sampleCache is where the tests' databases come from.
var sampleCache samples.Cache

func broken(t *testing.T, fault string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, fakehost.Head, fault); err != nil {
		t.Fatal(err)
	}
	return path
}

func host(t *testing.T, path string) *fakehost.Writer {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// retitle is the smallest write: a conversation gets another title.
func retitle(t *testing.T, db *data.DB, title string) data.Batch {
	t.Helper()
	rows, err := db.Images(t.Context(), "conversations", data.Row{"conversation_id": int64(1)})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	after := data.Row{}
	for k, v := range rows[0] {
		after[k] = v
	}
	after["title"] = title
	return data.Batch{Op: "test", Title: "retitle", Changes: []data.Change{
		{Table: "conversations", Key: []string{"conversation_id"}, Before: rows[0], After: after},
	}}
}

// limitPages makes the disk full for db's writes: the file may have n pages.
func limitPages(db *data.DB, n int) {
	db.WriterParameters = url.Values{"_pragma": {"foreign_keys(1)", fmt.Sprintf("max_page_count(%d)", n)}}
}
