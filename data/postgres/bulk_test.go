package postgres_test

import (
	"testing"

	"lcm-tui/data/postgres"
	"lcm-tui/internal/testpostgres"
)

// TestBulkSettingsEndWithTheirTransaction: a bulk commit doesn't wait for the disk, and every later one does.
func TestBulkSettingsEndWithTheirTransaction(t *testing.T) {
	t.Parallel()
	conn := connect(t, testpostgres.Empty(t))
	setting := func(name string) (value string) {
		t.Helper()
		err := conn.Query(t.Context(), "read", "SELECT current_setting($1)", []any{name}, func(scan postgres.Scanner) error { return scan(&value) })
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	if _, err := conn.Exec(t.Context(), "set up", "SET synchronous_commit = on"); err != nil { // Servers of tests have it off.
		t.Fatal(err)
	}
	before := setting("default_toast_compression")
	err := conn.TransactBulk(t.Context(), "write to", func() error {
		if got := setting("synchronous_commit"); got != "off" {
			t.Errorf("in bulk synchronous_commit is %s", got)
		}
		if got := setting("default_toast_compression"); got != "lz4" && got != before {
			t.Errorf("in bulk default_toast_compression is %s", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := setting("synchronous_commit"); got != "on" {
		t.Errorf("afterwards synchronous_commit is %s", got)
	}
	if got := setting("default_toast_compression"); got != before {
		t.Errorf("afterwards default_toast_compression is %s, before it was %s", got, before)
	}
}
