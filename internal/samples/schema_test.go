package samples_test

import (
	"os"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
)

// columns describes every table that is not SQLite's own, order of columns apart.
const columns = `SELECT t.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || COALESCE(c.dflt_value, '-') || ' ' || c.pk
	FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY 1`

// indexes names every index that was made by name, with what it covers.
const indexes = `SELECT i.name || ' ' || i."unique" || ' ' || i.partial || ' ' || (SELECT group_concat(name) FROM pragma_index_info(i.name))
	FROM sqlite_master t, pragma_index_list(t.name) i WHERE t.type = 'table' AND i.origin = 'c' ORDER BY 1`

func TestSchema(t *testing.T) {
	t.Parallel()
	for level, file := range map[fakehost.Level]string{fakehost.V0_1: "v0.1.0/small.db", fakehost.Head: "v0.15.3/rich.db", fakehost.Beta: "v1.0/small.db"} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			theirs, ours := testdb.Fixture(t, file), fresh(t)
			if err := samples.Write(ours, level); err != nil {
				t.Fatal(err)
			}
			for _, q := range []string{columns, indexes} {
				want, got := strings.Join(testdb.Rows(t, theirs, q), "\n"), strings.Join(testdb.Rows(t, ours, q), "\n")
				if want != got {
					t.Errorf("want:\n%s\n\ngot:\n%s", want, got)
				}
			}
		})
	}
}

// TestReference runs the structural queries of a file of faults, if one is given:
// blocks of a comment "-- ID …" and a query.
func TestReference(t *testing.T) {
	t.Parallel()
	name := os.Getenv("LCM_FAULTS_SQL")
	if name == "" {
		t.Skip("LCM_FAULTS_SQL does not say where the queries are")
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	path := fresh(t)
	if err := samples.Write(path, fakehost.Head); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for block := range strings.SplitSeq(string(b), "\n\n") {
		head, query, _ := strings.Cut(strings.TrimSpace(block), "\n")
		id := strings.TrimPrefix(head, "-- ")
		if len(id) < 3 || !strings.ContainsAny(id[:1], "CLXMQG") || strings.HasPrefix(query, "INSERT") || id[:3] == "G03" {
			continue
		}
		ran++
		if got := testdb.Rows(t, path, query); len(got) > 0 {
			t.Errorf("%s: %v", head, got)
		}
	}
	if ran < 40 {
		t.Errorf("%d queries ran, want 40", ran)
	}
}
