package testdb_test

import (
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
)

func TestDump(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := samples.Write(path, fakehost.Head); err != nil {
		t.Fatal(err)
	}
	if err := faults.Break(path, "bad-values"); err != nil {
		t.Fatal(err)
	}
	got := dump(t, path)
	for _, want := range []string{`content=x'00010203ff'`, `"before\x00after"`, `"hell\xffo"`, "token_count=\"many\"", "== messages_fts\n", "sz=x'"} {
		if !strings.Contains(got, want) {
			t.Errorf("dump lacks %s", want)
		}
	}
	if strings.Contains(got, "_docsize") || strings.Contains(got, "sqlite_") {
		t.Error("dump shows shadow tables")
	}
	if strings.Contains(dump(t, path, "messages"), "== messages\n") {
		t.Error("an excepted table was dumped")
	}
}

// dump returns the dump of a file.
func dump(t *testing.T, path string, except ...string) string {
	t.Helper()
	s, err := testdb.DumpTables(path, except...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
