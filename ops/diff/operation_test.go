package diff_test

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/repair"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ops/transplant"
)

// brief is a model whose summaries are a few words.
type brief struct{}

func (brief) Name() string { return "test/brief" }

func (brief) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{Text: "what happened, in brief", Model: "test/brief"}, nil
}

// operations are an operation of every kind, and the faults of the file that it is for.
var operations = map[string]struct {
	faults []string
	op     func(t *testing.T, db *data.DB) ops.Op
}{
	"dissolve": {op: func(t *testing.T, db *data.DB) ops.Op {
		t.Helper()
		g, err := lineage.Load(t.Context(), db, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range g.Nodes() {
			if n.InContext() && n.Condensed() {
				return &dissolve.Op{Conversation: 1, Summary: n.ID}
			}
		}
		t.Fatal("no summary can be dissolved")
		return nil
	}},
	"rewrite": {op: func(*testing.T, *data.DB) ops.Op {
		o := regenerate.Options{Model: brief{}, Ask: true, LeafTarget: 2400, CondensedTarget: 2000, Job: summarize.Job{Overage: 3}}
		return &rewrite.Op{Conversation: 1, Pick: rewrite.Pick{All: true}, Options: o}
	}},
	"compact": {op: func(*testing.T, *data.DB) ops.Op {
		c := engine.Defaults()
		c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout = 2, 100, 2, 2
		c.CondensedTargetTokens, c.SummaryPrefixTargetTokens = 10, 1
		return &compact.Op{Conversation: 1, Model: brief{}, Generate: true, Request: engine.Request{Mode: engine.Sweep, Config: c, Force: true}}
	}},
	"repair of counters and links": {faults: []string{"counters-drift", "link-gaps", "depth-mismatch"}, op: repairAll},
	"repair of a context":          {faults: []string{"context-duplicate", "ordinal-gaps"}, op: repairAll},
	"repair of parts":              {faults: []string{"malformed-json"}, op: repairAll},
	"transplant": {op: func(*testing.T, *data.DB) ops.Op {
		return &transplant.Op{Source: 2, Target: 1, Messages: true}
	}},
}

func repairAll(*testing.T, *data.DB) ops.Op { return &repair.Op{All: true} }

// TestThePreviewOfAnOperationIsWhatDiffFinds holds, for every operation, its preview and its record
// against the difference of the file before and after, and that of the rebuilt past. After undo
// nothing differs.
func TestThePreviewOfAnOperationIsWhatDiffFinds(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, o := range operations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.Head, o.faults...)
			db, before := testdb.Open(t, path), testdb.Open(t, testdb.Copy(t, path))
			plan, err := o.op(t, db).Plan(t.Context(), db, func(int, int, string) {})
			if err != nil {
				t.Fatal(err)
			}
			record, err := ops.Apply(t.Context(), db, plan)
			if err != nil {
				t.Fatal(err)
			}
			found := differences(t, before, db)
			checkPreview(t, db, plan, found)
			if d := cmp.Diff(recorded(t, db, record), found); d != "" {
				t.Errorf("the record (-) and the difference (+):\n%s", d)
			}
			past, err := diff.BeforeRecord(t.Context(), db, record)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(found, differences(t, past.Before, past.Now)); d != "" || past.Lost > 0 {
				t.Errorf("the difference (-) and that of the rebuilt past (+), %d lost:\n%s", past.Lost, d)
			}
			if err := past.Close(); err != nil {
				t.Error(err)
			}
			if err := change.Undo(t.Context(), db, record); err != nil {
				t.Fatal(err)
			}
			if got := compare(t, before, db, diff.Request{}); !got.Equal {
				t.Errorf("after undo: %v", differences(t, before, db))
			}
		})
	}
}

// differences returns the rows that differ between two files, with how they do.
func differences(t *testing.T, before, after *data.DB) map[string]filepair.Change {
	t.Helper()
	p, err := filepair.Open(t.Context(), before, after, filepair.ByID)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	out := map[string]filepair.Change{}
	for _, table := range p.Tables(false, false) {
		key := before.Schema().Key(table.Name)
		err := p.EachRow(t.Context(), table, filepair.ConversationKey{}, filepair.Limits{}, func(r *filepair.Row) error {
			row := r.Before
			if row == nil {
				row = r.After
			}
			out[rowName(table.Name, slices.DeleteFunc(slices.Clone(table.Key), func(c string) bool {
				return c == "conversation_id" && !slices.Contains(key, c) // The id alone names the row.
			}), row)] = r.Change
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func rowName(table string, key []string, row data.Row) (name string) {
	slices.Sort(key)
	for _, k := range key {
		name += " " + k + "=" + data.CellText(row[k])
	}
	return table + name
}

// recorded returns the rows that a record changed, with how.
func recorded(t *testing.T, db *data.DB, record int64) map[string]filepair.Change {
	t.Helper()
	_, changes, err := change.RecordChanges(t.Context(), db, record)
	if err != nil {
		t.Fatal(err)
	}
	first, last, arrived := map[string]data.Row{}, map[string]data.Row{}, map[string]data.Row{}
	for _, c := range changes {
		if !slices.Contains(db.Schema().Tables(), c.Table) {
			continue // An index of texts.
		}
		row, key := c.Before, slices.Clone(c.Key)
		if row == nil {
			row = c.After
		}
		if c.Table == "message_parts" { // diff knows a part by its place.
			parts, err := data.Images(t.Context(), db, c.Table, data.Row{"part_id": row["part_id"]})
			if err != nil || len(parts) == 0 {
				t.Fatal("no part ", row["part_id"], err)
			}
			key, row = []string{"message_id", "ordinal"}, parts[0]
		}
		name := rowName(c.Table, key, row)
		if c.Before != nil && c.After != nil && c.Table == "context_items" { // It moves to another ordinal.
			arrived[rowName(c.Table, key, c.After)] = c.After
			first[name], last[name] = c.Before, nil
			continue
		}
		if _, seen := first[name]; !seen {
			first[name] = c.Before
		}
		last[name] = c.After
	}
	for name, row := range arrived {
		last[name] = row
		if _, seen := first[name]; !seen {
			first[name] = nil
		}
	}
	out := map[string]filepair.Change{}
	for name := range first {
		switch b, a := first[name], last[name]; {
		case b == nil && a == nil, b != nil && a != nil && b.Equal(a):
		case b == nil:
			out[name] = filepair.Added
		case a == nil:
			out[name] = filepair.Removed
		default:
			out[name] = filepair.Changed
		}
	}
	return out
}

// checkPreview holds the contexts and texts of a plan against the rows that differ.
func checkPreview(t *testing.T, db *data.DB, p ops.Plan, found map[string]filepair.Change) {
	t.Helper()
	for _, c := range p.Contexts {
		now, err := lcm.Context(t.Context(), db, c.Conversation)
		if err != nil {
			t.Fatal(err)
		}
		was, is := places(c.Before), places(c.After)
		if d := cmp.Diff(is, places(now)); d != "" {
			t.Errorf("the context of the plan (-) and of the file (+): %s", d)
		}
		for ordinal := range union(was, is) {
			name := "context_items conversation_id=" + strconv.FormatInt(c.Conversation, 10) + " ordinal=" + strconv.FormatInt(ordinal, 10)
			if _, differs := found[name]; differs != (was[ordinal] != is[ordinal]) {
				t.Errorf("%s: %q before, %q after in the plan; the difference is %q", name, was[ordinal], is[ordinal], found[name])
			}
		}
	}
	for _, text := range p.Texts {
		if _, differs := found["summaries summary_id="+text.ID]; !differs && text.Before != text.After {
			t.Errorf("the text of %s differs in the plan only", text.ID)
		}
	}
}

// places returns the messages and summaries of a context by ordinal.
func places(items []lcm.ContextItem) map[int64]string {
	out := map[int64]string{}
	for _, i := range items {
		out[i.Ordinal] = i.Type + " " + i.Ref()
	}
	return out
}

func union(a, b map[int64]string) map[int64]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
