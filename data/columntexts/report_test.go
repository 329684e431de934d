package columntexts_test

import (
	"sync/atomic"
	"testing"

	"lcm-tui/data/columntexts"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// ignoreTexts visits texts and does nothing with them.
type ignoreTexts struct{}

func (ignoreTexts) Visit(int, columntexts.Cell, string) {}

// TestProgressIsReportedInTurn: two connections read at the same time, and their progress comes one
// call after the other and never goes back.
func TestProgressIsReportedInTurn(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	tables, err := columntexts.Tables(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := columntexts.Divide(t.Context(), db, tables)
	if err != nil {
		t.Fatal(err)
	}
	var inside atomic.Int32
	last := 0
	err = parts.Visit(t.Context(), ignoreTexts{}, "reading", func(done, total int, _ string) {
		if inside.Add(1) != 1 || done != last+1 || total != parts.Len() {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
		inside.Add(-1)
	})
	if err != nil || last != parts.Len() {
		t.Errorf("%d of %d, %v", last, parts.Len(), err)
	}
}
