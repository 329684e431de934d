package prune_test

import (
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/space"
)

// levers returns those of a database.
func levers(t *testing.T, path string, r prune.LeverRequest) map[string]space.Lever {
	t.Helper()
	db := open(t, path)
	m, err := space.Measure(t.Context(), db, func(*space.Measurement) {})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]space.Lever{}
	if err := prune.Levers(t.Context(), db, func() (*space.Measurement, error) { return m, nil }, r, func(l space.Lever) { out[l.Verb] = l }); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestALeverIsThePlanOfItsConversations: the preview of a prune of what a lever names has the same
// rows and the same forecast.
func TestALeverIsThePlanOfItsConversations(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v0.15.3/rich.db")
	all := levers(t, path, prune.LeverRequest{})
	db := open(t, path)
	m, err := space.Measure(t.Context(), db, func(*space.Measurement) {})
	if err != nil {
		t.Fatal(err)
	}
	reclaimed := space.Predict(m, nil).After
	for _, verb := range prune.Verbs {
		l := all["prune "+string(verb)]
		if len(l.Conversations) == 0 {
			continue // Nothing qualifies.
		}
		p := plan(t, db, prune.Op{Verb: verb, Payload: prune.DefaultPayload, Selector: selector.Selector{Conversations: l.Conversations}})
		if p.Set.Total() != l.Rows || reclaimed-p.Forecast.After != l.Bytes || len(p.Set.Conversations) != len(l.Conversations) {
			t.Errorf("%s: the lever has %d rows and %d bytes, the plan %d rows and %d bytes", l.Verb, l.Rows, l.Bytes, p.Set.Total(), reclaimed-p.Forecast.After)
		}
	}
	if all["prune copies"].Bytes == 0 || all["prune conversations"].Bytes == 0 {
		t.Errorf("nothing would be given back: %v", all)
	}
}

// TestLeversOfSomeConversations are about these only, and not about files and records.
func TestLeversOfSomeConversations(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v0.15.3/rich.db")
	some := levers(t, path, prune.LeverRequest{Of: []int64{2}})
	if c := some["prune copies"]; len(c.Conversations) != 1 || c.Conversations[0] != 2 {
		t.Errorf("copies are of conversations %v", c.Conversations)
	}
	for _, verb := range []string{"prune files", "prune history"} {
		if _, ok := some[verb]; ok {
			t.Errorf("%s is listed", verb)
		}
	}
}

// TestLeversOfFiles: a large file without a row, older than a day, is counted.
func TestLeversOfFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "1", "file_00000000000000ff.txt")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := testdb.Sample(t, fakehost.Head)
	got := levers(t, path, prune.LeverRequest{FilesFolder: folder})["prune files"]
	if got.Rows != 1 || got.Bytes != 10 || !got.Beside {
		t.Errorf("%+v", got)
	}
	incomplete := testdb.Sample(t, fakehost.Beta)
	exec(t, incomplete, "DROP TABLE turn_advancements")
	if got := levers(t, incomplete, prune.LeverRequest{FilesFolder: folder}); len(got) != 0 {
		t.Errorf("a file that can't be pruned has levers: %v", got)
	}
}
