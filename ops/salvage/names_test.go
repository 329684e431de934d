package salvage_test

import (
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// TestNamesOfAnyKind: a table or column that has any name that SQLite allows is carried over.
func TestNamesOfAnyKind(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	var script strings.Builder
	names := []string{"we]ird", "we[ird", "we`ird", `we"ird`, "we'ird", "we ird", "we;ird", "wé--ird", "select"}
	for _, name := range names {
		q := data.QuoteName(name)
		script.WriteString("CREATE TABLE " + q + " (id INTEGER PRIMARY KEY, " + q + " TEXT); INSERT INTO " + q + " VALUES (1, 'kept');")
	}
	if err := faults.Alter(path, script.String()); err != nil {
		t.Fatal(err)
	}
	s, to := salvaged(t, path)
	if s.Lost() {
		t.Errorf("salvage lost %+v", s)
	}
	for _, name := range names {
		q := data.QuoteName(name)
		if n, err := testdb.Count(to, "SELECT count(*) FROM "+q+" WHERE "+q+" = 'kept'"); err != nil || n != 1 {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
	}
}
