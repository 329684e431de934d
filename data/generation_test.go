package data_test

import (
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// TestGeneration is known by the tables of a file alone; a file between two generations is named
// as what it lacks.
func TestGeneration(t *testing.T) {
	t.Parallel()
	type generation struct {
		name, level string
		upgraded    bool
		note        string
	}
	for name, c := range map[string]struct {
		level fakehost.Level
		sql   string
		want  generation
	}{
		"0.4":            {"0.4.0", "", generation{data.GenerationZero, "0.4.0", false, ""}},
		"0.15":           {fakehost.Head, "", generation{data.GenerationZero, "0.15.3", false, ""}},
		"1.0":            {fakehost.Beta, "", generation{data.GenerationOne, "1.0 beta", false, ""}},
		"1.0 after 0.15": {fakehost.Beta, "CREATE TABLE conversation_bootstrap_state (conversation_id INTEGER PRIMARY KEY)", generation{data.GenerationOne, "1.0 beta", true, ""}},
		"0.15 that becomes 1.0": {
			fakehost.Beta, "DROP TABLE turn_advancements; DROP TABLE pending_summary_node_children",
			generation{data.GenerationOne, "1.0 beta", false, "incomplete: no tables pending_summary_node_children, turn_advancements"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, c.level)
			if err := faults.Alter(path, c.sql); c.sql != "" && err != nil {
				t.Fatal(err)
			}
			k := testdb.Open(t, path).Kind()
			if got := (generation{k.Generation, k.Level, k.Upgraded, k.Note}); got != c.want {
				t.Errorf("%+v, not %+v", got, c.want)
			}
		})
	}
}
