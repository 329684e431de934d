package promote_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/promote"
)

// bench is a database with summaries.
type bench struct {
	*data.DB
	t    *testing.T
	path string
}

func newBench(t *testing.T, summaries ...string) *bench {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	b := &bench{t: t, path: path}
	if len(summaries) > 0 {
		b.setSummaries(summaries...)
	}
	b.DB = testdb.Open(t, path)
	return b
}

// setSummaries gives the leaves of the first conversation these texts, and all others none.
func (b *bench) setSummaries(texts ...string) {
	b.t.Helper()
	h := testdb.OpenHost(b.t, b.path)
	testdb.Must(b.t, h.Exec("UPDATE summaries SET content = ' ', depth = 0, source_message_token_count = 0"))
	for i, text := range texts {
		testdb.Must(b.t, h.Exec("UPDATE summaries SET content = ? WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id = 1 ORDER BY summary_id LIMIT 1 OFFSET ?)", text, i))
	}
	testdb.Must(b.t, h.Close())
}

// apply plans and writes an operation.
func (b *bench) apply(op ops.Op) ops.Plan {
	b.t.Helper()
	p, err := op.Plan(b.t.Context(), b.DB, func(int, int, string) {})
	testdb.Must(b.t, err)
	_, err = ops.Apply(b.t.Context(), b.DB, p)
	testdb.Must(b.t, err)
	return p
}

// nothing plans an operation that has nothing to do.
func (b *bench) nothing(op ops.Op) {
	b.t.Helper()
	if p, err := op.Plan(b.t.Context(), b.DB, func(int, int, string) {}); !errors.Is(err, ops.ErrNothing) {
		b.t.Errorf("%+v: %v: %q", op, err, p.Notes)
	}
}

// entries returns all entries, as the file has them now.
func (b *bench) entries() []promoted.Entry {
	b.t.Helper()
	all, err := promoted.List(b.t.Context(), testdb.Open(b.t, b.path))
	testdb.Must(b.t, err)
	return all
}

// others returns the rows of all tables but ours.
func (b *bench) others() string {
	b.t.Helper()
	text, err := testdb.DumpTables(b.path, "lcm_tui_undo", promoted.Table)
	testdb.Must(b.t, err)
	return text
}

// TestSummariesArePromotedOnce, with their signals, and undo takes the entries out again.
func TestSummariesArePromotedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, "We agreed to deploy from main.", "Nothing much.")
	before := b.others()
	p := b.apply(&promote.Op{Conversations: []int64{1}})
	all := b.entries()
	if len(all) != 1 || all[0].Content != "We agreed to deploy from main." || all[0].Confidence != 0.25 || all[0].Summary == "" || all[0].Tags[0] != "decision" {
		t.Fatalf("%+v", all)
	}
	if !strings.Contains(p.Notes[0], all[0].Summary+": decision (confidence 0.25)") {
		t.Errorf("%q", p.Notes)
	}
	b.DB = testdb.Open(t, b.path)
	b.nothing(&promote.Op{Conversations: []int64{1}})
	testdb.Must(t, ops.Undo(t.Context(), b.DB, 1))
	if after := b.entries(); len(after) != 0 {
		t.Errorf("undone: %+v", after)
	}
	if b.others() != before {
		t.Error("undo left other rows")
	}
}

// TestEachProjectHasItsEntries: a text that another project has an entry of is worth one of its own, since sessions get
// nothing of other projects; one of all projects is enough for each. Without a project it is an entry of none.
func TestEachProjectHasItsEntries(t *testing.T) {
	t.Parallel()
	const text = "We agreed to deploy from main."
	b := newBench(t, text, text, text, "We decided to use SQLite.")
	h := testdb.OpenHost(t, b.path)
	testdb.Must(t, h.Exec("INSERT OR IGNORE INTO conversations (conversation_id, session_id) VALUES (2, 's2'), (3, 's3')"))
	testdb.Must(t, h.Exec("UPDATE conversations SET session_key = CASE conversation_id WHEN 1 THEN 'agent:one:claude-code:s' WHEN 2 THEN 'agent:two:claude-code:s' END"))
	for _, i := range []int{2, 1} {
		testdb.Must(t, h.Exec("UPDATE summaries SET conversation_id = ? WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id = 1 ORDER BY summary_id LIMIT 1 OFFSET ?)", i+1, i))
	}
	testdb.Must(t, h.Close())
	b.DB = testdb.Open(t, b.path)
	b.apply(&promote.Store{Text: "We decided to use SQLite.", Project: ""})
	b.apply(&promote.Op{Conversations: []int64{1, 2, 3}})
	projects := map[string]int{}
	for _, e := range b.entries() {
		projects[e.Project+": "+e.Content]++
	}
	want := map[string]int{"one: " + text: 1, "two: " + text: 1, "unknown: " + text: 1, ": We decided to use SQLite.": 1}
	if !maps.Equal(projects, want) {
		t.Errorf("%v, want %v", projects, want)
	}
}

// TestTheNewerTakesThePlaceOfTheOlder that says the same; a user's own archive isn't undone by the next run.
func TestTheNewerTakesThePlaceOfTheOlder(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	long := "We decided to deploy from the main branch only, because the mirror in Frankfurt lags behind by hours and rollbacks of it fail; the pool size is twenty-four, the retry limit seven, and the ledger flag stays on until March. "
	b := newBench(t, "First: "+long, "Second, once more: "+long)
	for i := range 40 { // The words have to be rare among the entries.
		b.apply(&promote.Store{Text: strings.Repeat("filler", i+1) + " about other things entirely", Project: "main"})
		b.DB = testdb.Open(t, b.path)
	}
	b.apply(&promote.Op{Conversations: []int64{1}})
	var used, superseded int
	for _, e := range b.entries() {
		switch {
		case e.Summary == "":
		case e.IsArchived() && e.Superseded != "":
			superseded++
		default:
			used++
		}
	}
	if used != 1 || superseded != 1 {
		t.Errorf("%d in use, %d superseded", used, superseded)
	}
	b.DB = testdb.Open(t, b.path)
	b.nothing(&promote.Op{Conversations: []int64{1}})
	for _, e := range b.entries() {
		if e.Summary != "" && !e.IsArchived() {
			b.apply(&promote.Change{IDs: []string{e.ID}, Archive: true})
		}
	}
	b.DB = testdb.Open(t, b.path)
	b.nothing(&promote.Op{Conversations: []int64{1}})
}

// TestEntriesAreStoredAndChanged, each with a record.
func TestEntriesAreStoredAndChanged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.apply(&promote.Store{Text: " A preference.\n", Tags: []string{"preference", "preference"}, Project: "p"})
	b.DB = testdb.Open(t, b.path)
	b.nothing(&promote.Store{Text: "A preference.", Project: "p"})
	e := b.entries()[0]
	if e.Content != "A preference." || len(e.Tags) != 1 || e.Confidence != 1 || e.Project != "p" {
		t.Errorf("%+v", e)
	}
	b.apply(&promote.Change{IDs: []string{e.ID[:8]}, Text: "Another preference."})
	b.apply(&promote.Change{IDs: []string{e.ID}, Archive: true})
	b.nothing(&promote.Change{IDs: []string{e.ID}, Archive: true})
	if e = b.entries()[0]; e.Content != "Another preference." || !e.IsArchived() {
		t.Errorf("%+v", e)
	}
	b.apply(&promote.Change{IDs: []string{e.ID}})
	if e = b.entries()[0]; e.IsArchived() {
		t.Errorf("%+v", e)
	}
	records, err := change.History(t.Context(), b.DB)
	testdb.Must(t, err)
	for _, r := range records {
		testdb.Must(t, ops.Undo(t.Context(), b.DB, r.ID))
	}
	if len(records) != 4 || len(b.entries()) != 0 {
		t.Errorf("%d records, %+v", len(records), b.entries())
	}
}

// TestNoEntry: what can't be one is refused.
func TestNoEntry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	tags := make([]string, 17)
	for i := range tags {
		tags[i] = strings.Repeat("t", i+1)
	}
	for name, op := range map[string]ops.Op{
		"empty": &promote.Store{Text: " \n"}, "long": &promote.Store{Text: strings.Repeat("é", 8001)}, "tags": &promote.Store{Text: "x", Tags: tags},
		"tag": &promote.Store{Text: "x", Tags: []string{strings.Repeat("t", 65)}}, "empty tag": &promote.Store{Text: "x", Tags: []string{" "}},
	} {
		if _, err := op.Plan(t.Context(), b.DB, nil); !errors.Is(err, promote.ErrEntry) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (&promote.Change{IDs: []string{"mem_x"}}).Plan(t.Context(), b.DB, nil); !errors.Is(err, data.ErrNotFound) {
		t.Error(err)
	}
	if _, err := (&promote.Store{Text: strings.Repeat("é", 8000), Tags: tags[:16]}).Plan(t.Context(), b.DB, nil); err != nil {
		t.Error(err)
	}
}

// TestEntriesWithoutAnIdAreImported, each with an id of its own, and only once.
func TestEntriesWithoutAnIdAreImported(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	source := promote.Source{Path: "lossless.db", Project: "p", Entries: []promoted.Entry{{Content: "one"}, {Content: "two"}, {Content: "two"}}}
	b.apply(&promote.Import{Sources: []promote.Source{source}})
	b.DB = testdb.Open(t, b.path)
	all := b.entries()
	if len(all) != 2 || all[0].ID == "" || all[1].ID == "" {
		t.Errorf("%+v", all)
	}
	b.nothing(&promote.Import{Sources: []promote.Source{source}})
}

// TestTwoProcessesMakeAnEntryOnce: of two that planned the same entry, the later one is stale.
func TestTwoProcessesMakeAnEntryOnce(t *testing.T) {
	t.Parallel()
	foreign := promote.Source{Path: "other.db", Entries: []promoted.Entry{{Content: "a text without an id"}}}
	for name, op := range map[string]func() ops.Op{
		"promote": func() ops.Op { return &promote.Op{Conversations: []int64{1}} },
		"store":   func() ops.Op { return &promote.Store{Text: "Deploys wait for Monday."} },
		"import":  func() ops.Op { return &promote.Import{Sources: []promote.Source{foreign}} },
	} {
		b := newBench(t, "We decided to use PostgreSQL 16 instead of MySQL because of its JSON types.")
		late, err := op().Plan(t.Context(), b.DB, func(int, int, string) {})
		testdb.Must(t, err)
		b.apply(op())
		var stale *data.StaleError
		if _, err := ops.Apply(t.Context(), b.DB, late); !errors.As(err, &stale) {
			t.Errorf("%s: the later plan: %v", name, err)
		}
		if all := b.entries(); len(all) != 1 {
			t.Errorf("%s: %d entries", name, len(all))
		}
	}
}

// TestAnotherEntryOfASummaryIsImported: what says something else is another entry, whatever it was made of.
func TestAnotherEntryOfASummaryIsImported(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for n, text := range []string{"Deploys wait for Monday.", "Deploys wait for Tuesday."} {
		b.apply(&promote.Import{Sources: []promote.Source{{Path: "other.db", Entries: []promoted.Entry{{Content: text, Summary: "sum_1"}}}}})
		if all := b.entries(); len(all) != n+1 {
			t.Errorf("%d entries, want %d", len(all), n+1)
		}
	}
}
