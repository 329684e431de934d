package identity_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the driver named sqlite

	"lcm-tui/engine/identity"
	"lcm-tui/internal/testdb"
)

// TestHashesOfTheHost: every hash that the reference engine stored is made again.
func TestHashesOfTheHost(t *testing.T) {
	t.Parallel()
	root := testdb.Fixtures(t)
	for _, name := range []string{"small.db", "rich.db"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkHashes(t, filepath.Join(root, "v0.15.3", name))
		})
	}
}

func checkHashes(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT message_id, role, content, identity_hash FROM messages")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var id int64
		var role, content, want string
		if err := rows.Scan(&id, &role, &content, &want); err != nil {
			t.Fatal(err)
		}
		if got := identity.Hash(role, content); got != want {
			t.Errorf("message %d is %s, want %s", id, got, want)
		}
		n++
	}
	if err := rows.Err(); err != nil || n == 0 {
		t.Fatalf("read %d messages: %v", n, err)
	}
}
