package replica_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// everythingVariable names the environment variable that runs the property over every sample, fault and fixture, and
// not over a tenth of them.
const everythingVariable = "LCM_TEST_ALL"

// candidate is a database that is synced.
type candidate struct {
	name string
	path func(t *testing.T) string
}

// candidates returns the samples of every level, those with each fault, and the fixtures.
func candidates(t *testing.T) (out []candidate) {
	t.Helper()
	for _, level := range append(fakehost.Levels(), fakehost.Beta, fakehost.Fork) {
		out = append(out, candidate{"level " + string(level), func(t *testing.T) string { return testdb.Sample(t, level) }})
	}
	for _, level := range []fakehost.Level{fakehost.Head, fakehost.Beta} {
		for _, fault := range faults.NamesAt(level) {
			out = append(out, candidate{"fault " + fault, func(t *testing.T) string { return testdb.Sample(t, level, fault) }})
		}
	}
	root := testdb.Fixtures(t)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".db" {
			out = append(out, candidate{"fixture " + path[len(root)+1:], func(t *testing.T) string { return testdb.Copy(t, path) }})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv(everythingVariable) != "" {
		return out
	}
	kept := out[:0]
	for i, c := range out {
		if i%10 == 3 || slices.Contains([]string{"fault bad-values", "fault hostile-text", "fault huge-cell", "fault summary-id-odd", "level 0.1.0", "level 1.0.0-beta"}, c.name) {
			kept = append(kept, c)
		}
	}
	return kept
}

// TestEveryCellComesBack: a replica of a healthy or damaged file of any level has every cell of it, with its bytes
// and its storage class. What SQLite can't open is refused.
func TestEveryCellComesBack(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	var rows, cells, odd, synced, refused int64
	for _, c := range candidates(t) {
		path := c.path(t)
		db, err := data.Open(t.Context(), path)
		if err != nil {
			var known *data.Error
			if !errors.As(err, &known) {
				t.Errorf("%s: %v", c.name, err)
			}
			refused++
			continue
		}
		if damaged(t, db) {
			refused++
		} else {
			_, v := s.sync(db, options(c.name))
			rows, cells, odd, synced = rows+v.Rows, cells+v.Cells, odd+v.Odd, synced+1
		}
		_ = db.Close()
	}
	if synced < 20 || odd == 0 {
		t.Errorf("%d files were synced, with %d odd cells: too few to prove anything", synced, odd)
	}
	t.Logf("%d files, %d rows, %d cells, %d odd cells; %d files that SQLite can't read are refused", synced, rows, cells, odd, refused)
}

// damaged reports whether SQLite can't read a file to its end.
func damaged(t *testing.T, db *data.DB) bool {
	t.Helper()
	return slices.ContainsFunc(db.Warnings(), func(err error) bool { return errors.Is(err, data.ErrDamaged) && !errors.Is(err, data.ErrIncomplete) })
}
