package retrieve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// lineageFile returns a sample whose summaries are these instead of its own. Each line is
// "NAME KIND CONVERSATION CREATED: SOURCE@ORDINAL …"; the sources of a leaf are messages. A line
// that begins with "SQL: " is a script.
func lineageFile(t *testing.T, lines ...string) *data.DB {
	t.Helper()
	script := "DELETE FROM summary_parents; DELETE FROM summary_messages; DELETE FROM summaries;\n"
	for _, line := range lines {
		head, sources, _ := strings.Cut(line, ":")
		if head == "SQL" {
			script += sources + ";\n"
			continue
		}
		f := strings.Fields(head)
		script += fmt.Sprintf("INSERT INTO summaries (summary_id, conversation_id, kind, content, token_count, created_at) VALUES ('sum_%s', %s, '%s', 'text of %s', 10, '%s');\n",
			f[0], f[2], f[1], f[0], f[3])
		for _, source := range strings.Fields(sources) {
			id, ordinal, _ := strings.Cut(source, "@")
			if f[1] == lcm.KindLeaf {
				script += fmt.Sprintf("INSERT INTO summary_messages VALUES ('sum_%s', %s, %s);\n", f[0], id, ordinal)
			} else {
				script += fmt.Sprintf("INSERT INTO summary_parents VALUES ('sum_%s', 'sum_%s', %s);\n", f[0], id, ordinal)
			}
		}
	}
	return alteredSample(t, script)
}

// alteredSample returns the newest sample after a script.
func alteredSample(t *testing.T, script string) *data.DB {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(path, script); err != nil {
		t.Fatal(err)
	}
	return testdb.Open(t, path)
}

// describeAll returns the description of a summary in the scope of the whole file.
func describeAll(t *testing.T, db *data.DB, id string) *retrieve.Description {
	t.Helper()
	d, err := retrieve.DescribeRequest{ID: id}.Run(t.Context(), db, retrieve.AllConversations())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// nodes returns the subtree of a description: id, source, steps and path.
func nodes(d *retrieve.Description) (out []string) {
	for _, n := range d.Summary.Subtree {
		source := "-"
		if n.Parent != nil {
			source = strings.TrimPrefix(*n.Parent, "sum_")
		}
		out = append(out, fmt.Sprintf("%s %s %d %q %d", strings.TrimPrefix(n.ID, "sum_"), source, n.Steps, n.Path, n.Children))
	}
	return out
}

func TestTheSubtreeLeadsToDerivativesByStepsPathAndTime(t *testing.T) {
	t.Parallel()
	db := lineageFile(t,
		"leaf leaf 1 2026-01-01: 1@0",
		"late condensed 1 2026-01-05: leaf@0",
		"early condensed 1 2026-01-02: leaf@0", // Of the same path as late, and older.
		"third condensed 1 2026-01-01: leaf@2",
		"top condensed 1 2026-01-06: third@0 early@1 leaf@3", // One step away, not two.
		"over condensed 1 2026-01-07: late@1 early@0 top@0",  // Its lowest path leads through early.
	)
	d := describeAll(t, db, "sum_leaf")
	want := []string{
		`leaf - 0 "" 4`, `early leaf 1 "0000" 2`, `late leaf 1 "0000" 1`, `third leaf 1 "0002" 1`, `top leaf 1 "0003" 1`, `over early 2 "0000.0000" 0`,
	}
	if diff := cmp.Diff(want, nodes(d)); diff != "" {
		t.Error(diff)
	}
	// Of one ordinal, the one that was linked first comes first.
	if diff := cmp.Diff([]string{"sum_late", "sum_early", "sum_third", "sum_top"}, d.Summary.Children); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"sum_third", "sum_early", "sum_leaf"}, describeAll(t, db, "sum_top").Summary.Parents); diff != "" {
		t.Error(diff)
	}
}

func TestACycleEndsADescriptionAndAnExpansion(t *testing.T) {
	t.Parallel()
	db := lineageFile(t,
		"a condensed 1 2026-01-01: c@0",
		"b condensed 1 2026-01-02: a@0",
		"c condensed 1 2026-01-03: b@0 c@1", // A source of itself as well.
	)
	want := []string{`a - 0 "" 1`, `b a 1 "0000" 1`, `c b 2 "0000.0000" 2`}
	if diff := cmp.Diff(want, nodes(describeAll(t, db, "sum_a"))); diff != "" {
		t.Error(diff)
	}
	x, err := retrieve.Expand(t.Context(), db, retrieve.AllConversations(), "sum_a", retrieve.ExpandOptions{Depth: 1000})
	if err != nil || childIDs(x) != "c b a c" || x.Truncated {
		t.Errorf("below a lie %s (%v)", childIDs(x), err)
	}
}

// TestSharedSourcesEndAnExpansion: through thirty levels of two summaries that share both sources
// lead a billion ways.
func TestSharedSourcesEndAnExpansion(t *testing.T) {
	t.Parallel()
	lines := []string{"a0 leaf 1 2026-01-01: 1@0", "b0 leaf 1 2026-01-01: 2@0"}
	for i := 1; i <= 30; i++ {
		for _, side := range []string{"a", "b"} {
			lines = append(lines, fmt.Sprintf("%s%d condensed 1 2026-01-01: a%d@0 b%d@1", side, i, i-1, i-1))
		}
	}
	db := lineageFile(t, lines...)
	x, err := retrieve.Expand(t.Context(), db, retrieve.AllConversations(), "sum_a30", retrieve.ExpandOptions{Depth: 99, Messages: true})
	if err != nil || !x.Truncated || len(x.Children)+len(x.Messages) != 100_000 {
		t.Errorf("%d summaries and %d messages, truncated %v (%v)", len(x.Children), len(x.Messages), x.Truncated, err)
	}
	d := describeAll(t, db, "sum_a0")
	if last := d.Summary.Subtree[60]; len(d.Summary.Subtree) != 61 || last.ID != "sum_b30" || last.Steps != 30 {
		t.Errorf("%d nodes", len(d.Summary.Subtree))
	}
}

// childIDs returns the summaries of an expansion.
func childIDs(x *retrieve.Expansion) string {
	var ids []string
	for _, c := range x.Children {
		ids = append(ids, strings.TrimPrefix(c.ID, "sum_"))
	}
	return strings.Join(ids, " ")
}

func TestWhatDoesNotExistIsLeftOutOfALineage(t *testing.T) {
	t.Parallel()
	db := lineageFile(t,
		"a leaf 1 2026-01-01: 1@0 999999@1 2@2",
		"d condensed 1 2026-01-04: gone@0 a@1",
	)
	d := describeAll(t, db, "sum_d")
	if diff := cmp.Diff([]string{"sum_a"}, d.Summary.Parents); diff != "" {
		t.Error(diff)
	}
	x, err := retrieve.Expand(t.Context(), db, retrieve.AllConversations(), "sum_d", retrieve.ExpandOptions{Depth: 2, Messages: true})
	if err != nil || childIDs(x) != "a" || len(x.Messages) != 2 {
		t.Errorf("below lie %s and %d messages (%v)", childIDs(x), len(x.Messages), err)
	}
	if got := describeAll(t, db, "sum_a").Summary.Messages; len(got) != 3 {
		t.Errorf("links to messages are %v", got)
	}
}

func TestOtherConversationsAreLeftOutInAScope(t *testing.T) {
	t.Parallel()
	db := lineageFile(t,
		"mine leaf 1 2026-01-01: 1@0",
		"other leaf 2 2026-01-01: 1@0",
		"mixed condensed 1 2026-01-02: mine@0 other@1",
		"above condensed 2 2026-01-03: mixed@0",
	)
	scope := retrieve.Conversations(1)
	d, err := retrieve.DescribeRequest{ID: "sum_mixed"}.Run(t.Context(), db, scope)
	if err != nil {
		t.Fatal(err)
	}
	if text := d.Text(); strings.Contains(text, "sum_other") || strings.Contains(text, "sum_above") {
		t.Errorf("another conversation's summary is named:\n%s", text)
	}
	e, err := retrieve.ExpandRequest{Summaries: []string{"sum_mixed"}}.Run(t.Context(), db, scope)
	if err != nil {
		t.Fatal(err)
	}
	if text := e.Text(); strings.Contains(text, "sum_other") || !strings.Contains(text, "[Left out: 1 source of other conversations]") {
		t.Errorf("another conversation's summary is named, or nothing is said:\n%s", text)
	}
	e, err = retrieve.ExpandRequest{Summaries: []string{"sum_other"}, Messages: true}.Run(t.Context(), db, retrieve.Conversations(2))
	if err != nil || len(e.Expansions[0].Messages) != 0 || e.Expansions[0].Withheld != 1 {
		t.Errorf("a message of conversation 1 is shown to conversation 2 (%v)", err)
	}
	d, err = retrieve.DescribeRequest{ID: "sum_other"}.Run(t.Context(), db, retrieve.Conversations(2))
	if err != nil || len(d.Summary.Messages) != 0 {
		t.Errorf("a message of conversation 1 is named to conversation 2 (%v)", err)
	}
}
