package data_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/lcmtest"
)

// stock is where the tests' databases come from.
var stock lcmtest.Stock

func open(t *testing.T, path string) *data.DB {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func sample(t *testing.T, level lcmtest.Level) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := stock.Sample(path, level); err != nil {
		t.Fatal(err)
	}
	return path
}

func broken(t *testing.T, fault string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := stock.Sample(path, lcmtest.Head, fault); err != nil {
		t.Fatal(err)
	}
	return path
}

func host(t *testing.T, path string) *lcmtest.Host {
	t.Helper()
	h, err := lcmtest.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

func dump(t *testing.T, path string) string {
	t.Helper()
	s, err := lcmtest.Dump(path, "lcm_tui_undo")
	if err != nil {
		t.Fatal(err)
	}
	return s
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

// fixture copies one of the reference engine's databases, with its -wal.
func fixture(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("LCM_FIXTURES")
	if root == "" {
		t.Skip("LCM_FIXTURES is not set: the reference engine's databases are not at hand")
	}
	to := filepath.Join(t.TempDir(), strings.ReplaceAll(name, "/", "-"))
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(filepath.Join(root, name) + suffix)
		if suffix != "" && os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+suffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}
