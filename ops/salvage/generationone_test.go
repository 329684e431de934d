package salvage_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/testdb"
)

// generationOneTables are the tables that files of the 1.0 generation have and others lack.
var generationOneTables = []string{
	"pending_compaction_batches", "pending_summary_nodes", "pending_summary_node_messages", "pending_summary_node_children",
	"message_transcript_anchor_trust", "conversation_transcript_epochs", "turn_advancements",
}

// settledFixture returns a settled copy of a fixture, with its rows.
func settledFixture(t *testing.T, name string) (bytes []byte, rows map[string]bool) {
	t.Helper()
	path := testdb.Fixture(t, name)
	bytes, rows = settled(t, path), map[string]bool{}
	for _, row := range rowsOf(dumped(t, path)) {
		rows[row] = true
	}
	return bytes, rows
}

// TestSalvageOfTheTablesOfHostsOfOne: where the schema and the pages that only lead to others
// are lost, rows of pending batches, nodes, links, anchors, epochs and receipts are found all
// the same, and the new file is of their generation.
func TestSalvageOfTheTablesOfHostsOfOne(t *testing.T) {
	t.Parallel()
	whole, rows := settledFixture(t, "v1.0/small.db")
	const size = 4096
	r := rand.New(rand.NewPCG(5, 5)) //nolint:gosec // The same every time.
	b := slices.Clone(whole)
	noise(b, size, 1, r)
	inner := 0
	for page := 2; page <= len(b)/size; page++ {
		if b[(page-1)*size] == 5 { // An inner page of a table.
			noise(b, size, page, r)
			inner++
		}
	}
	if inner < 3 {
		t.Fatalf("only %d inner pages", inner)
	}
	s, to := salvaged(t, damaged(t, b))
	if lost := missing(t, to, rows); lost > 0 {
		t.Errorf("%d rows are missing: %+v", lost, s)
	}
	for _, table := range generationOneTables {
		if n, err := testdb.Count(to, "SELECT count(*) FROM "+table); err != nil || n == 0 && table != "pending_summary_node_children" {
			t.Errorf("%s has %d rows, %v", table, n, err)
		}
	}
	if k := testdb.Open(t, to).Kind(); k.Generation != data.GenerationOne || k.Upgraded || k.Note != "" {
		t.Errorf("the new file is %+v", k)
	}
}
