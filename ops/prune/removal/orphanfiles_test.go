package removal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/prune/removal"
)

// TestNamedFilesAreNoOrphans: a file without a row stays while any text names it, in a message, one of
// its parts or a summary.
func TestNamedFilesAreNoOrphans(t *testing.T) {
	t.Parallel()
	for table, columns := range map[string][]string{
		"messages":      {"content"},
		"message_parts": {"text_content", "tool_input", "tool_output", "tool_error", "metadata"},
		"summaries":     {"content", "file_ids"},
	} {
		for _, column := range columns {
			t.Run(table+" "+column, func(t *testing.T) {
				t.Parallel()
				const id = "file_00000000000000aa"
				path := testdb.Sample(t, fakehost.Head)
				statement := fmt.Sprintf("UPDATE %s SET %s = coalesce(%[2]s, '') || ' %s' WHERE rowid = (SELECT min(rowid) FROM %[1]s)", table, column, id)
				if err := faults.Alter(path, statement); err != nil {
					t.Fatal(err)
				}
				folder := filepath.Join(filepath.Dir(path), "files")
				file := filepath.Join(folder, "1", id+".txt")
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				old := time.Now().Add(-48 * time.Hour)
				if err := os.Chtimes(file, old, old); err != nil {
					t.Fatal(err)
				}
				orphans, named, err := removal.OrphanFiles(t.Context(), testdb.Open(t, path), folder)
				if err != nil || len(orphans) != 0 || named != 1 {
					t.Errorf("%+v, %d named, %v", orphans, named, err)
				}
			})
		}
	}
}
