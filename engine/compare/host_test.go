package compare_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"lcm-tui/engine/compare"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestTranscriptsOfTheHost: a host of 1.0 stored every entry, some of them more than once or with
// secrets that the transcript hides, and each of a session's conversations what was said in it.
func TestTranscriptsOfTheHost(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	root := testdb.Fixtures(t)
	for _, c := range []struct {
		name    string
		conv    int64
		session string
		want    string // Aligned, missing, elsewhere, left out, extra, masked.
	}{
		{"rich", 4, "main/77777777-0000-4000-8000-000000000004", "10 0 0 0 8 0"},
		{"rich", 5, "main/77777777-0000-4000-8000-000000000005", "29 0 16 0 0 2"},
		{"rich", 6, "main/77777777-0000-4000-8000-000000000005", "45 0 0 0 0 0"},
		{"rich", 2, "main/77777777-0000-4000-8000-000000000002", "86 0 0 3 9 0"},
		{"rich", 1, "main/77777777-0000-4000-8000-000000000001", "590 0 0 7 1 29"},
		{"rich", 9, "ops/77777777-0000-4000-8000-000000000009", "142 0 0 0 0 4"},
		{"rich", 14, "main/88888888-0000-4000-8000-000000000004", "71 0 0 0 0 3"},
		{"small", 1, "main/11111111-0000-4000-8000-000000000001", "120 0 0 0 1 2"},
		{"small", 2, "main/11111111-0000-4000-8000-000000000002", "36 0 0 0 3 0"},
		{"upgraded-small", 1, "main/5a11ab1e-0000-4000-8000-000000000001", "44 0 0 0 63 0"},
		{"upgraded", 6, "ops/71c40000-0000-4000-8000-000000000006", "63 0 0 0 23 0"},
	} {
		db := testdb.Open(t, testdb.Fixture(t, "v1.0/"+c.name+".db"))
		got, err := compare.Compare(t.Context(), db, c.conv, filepath.Join(root, "v1.0", "sessions-"+c.name, c.session+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		numbers := fmt.Sprintf("%d %d %d %d %d %d", got.Aligned, len(got.Missing), got.Elsewhere, got.LeftOut, len(got.Extra), len(got.Redacted))
		if numbers != c.want {
			t.Errorf("%s %d: %s, want %s", c.name, c.conv, numbers, c.want)
		}
		for _, r := range got.Extra {
			if r.Why == "" {
				t.Errorf("%s %d: no reason why message %d isn't in the transcript", c.name, c.conv, r.Message)
			}
		}
	}
}
