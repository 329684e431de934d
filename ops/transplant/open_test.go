package transplant_test

import (
	"testing"

	"lcm-tui/data"
)

func noReport(int, int, string) {}

func open(t testing.TB, path string) *data.DB {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
