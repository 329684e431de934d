package salvage

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/pages"
)

// messages returns a table like that of messages: the rowid under another name, a number and a
// text that must be there, and one column that came later.
func messages() *table {
	t := &table{foundRows: map[int64]bool{}, columns: []column{
		{name: "message_id", affinity: "INTEGER", alias: true},
		{name: "seq", affinity: "INTEGER", notNull: true, required: true},
		{name: "content", affinity: "TEXT", notNull: true, required: true},
		{name: "hash", affinity: "TEXT"},
	}}
	t.name = "messages"
	return t
}

// notes returns a table of one text of any kind.
func notes() *table {
	t := &table{foundRows: map[int64]bool{}, rowid: true, columns: []column{{name: "note"}}}
	t.name = "notes"
	return t
}

// TestRowsThatFitATable: a row that nothing leads to is taken for one of a table only if its
// values could be there.
func TestRowsThatFitATable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values []any
		want   bool
	}{
		"all columns":                         {[]any{nil, int64(3), "text", "hash"}, true},
		"a row from before the last column":   {[]any{nil, int64(3), "text"}, true},
		"a text where a number has to be":     {[]any{nil, "3", "text", nil}, false},
		"a number where a text has to be":     {[]any{nil, int64(3), int64(4), nil}, false},
		"nothing where something has to be":   {[]any{nil, nil, "text", nil}, false},
		"nothing where nothing has to be":     {[]any{nil, int64(3), "text", nil}, true},
		"a value in place of the rowid":       {[]any{int64(9), int64(3), "text", nil}, false},
		"more values than columns":            {[]any{nil, int64(3), "text", nil, nil}, false},
		"fewer than every row has":            {[]any{nil, int64(3)}, false},
		"no values":                           {nil, false},
		"bytes where SQLite would store text": {[]any{nil, int64(3), []byte("text"), nil}, false},
	} {
		if got := messages().fits(pages.Row{ID: 1, Values: c.values}); got != c.want {
			t.Errorf("%s: fits %v, want %v", name, got, c.want)
		}
	}
}

// TestAffinity is SQLite's rule for declared types.
func TestAffinity(t *testing.T) {
	t.Parallel()
	for declared, want := range map[string]string{
		"INTEGER": "INTEGER", "int": "INTEGER", "BIGINT": "INTEGER", "CHARINT": "INTEGER", "TEXT": "TEXT", "VARCHAR(9)": "TEXT",
		"clob": "TEXT", "BLOB": "BLOB", "": "", "REAL": "REAL", "DOUBLE": "REAL", "NUMERIC": "REAL", "DATETIME": "REAL",
	} {
		if got := affinity(declared); got != want {
			t.Errorf("%q is %q, want %q", declared, got, want)
		}
	}
}

// TestOwnerOfAPage: a page belongs to the one table that all its rows fit and that lacks one
// of them; where two tables could have it, to none.
func TestOwnerOfAPage(t *testing.T) {
	t.Parallel()
	hole := []pages.Hole{{After: 10, Until: 20}}
	message := pages.Row{ID: 15, Values: []any{nil, int64(3), "text", nil}}
	note := pages.Row{ID: 15, Values: []any{"text"}}
	for name, c := range map[string]struct {
		holes map[string][]pages.Hole
		rows  []pages.Row
		want  string
	}{
		"it fits and is lacking":       {map[string][]pages.Hole{"messages": hole}, []pages.Row{message}, "messages"},
		"nothing is lacking":           {nil, []pages.Row{message}, ""},
		"others are lacking":           {map[string][]pages.Hole{"messages": {{After: 20, Until: 30}}}, []pages.Row{message}, ""},
		"one of its rows doesn't fit":  {map[string][]pages.Hole{"messages": hole, "notes": hole}, []pages.Row{message, note}, ""},
		"another table":                {map[string][]pages.Hole{"messages": hole, "notes": hole}, []pages.Row{note}, "notes"},
		"a row of another is enough":   {map[string][]pages.Hole{"messages": {{After: 14, Until: 15}}}, []pages.Row{{ID: 99, Values: message.Values}, message}, "messages"},
		"the first of a hole is after": {map[string][]pages.Hole{"messages": {{After: 15, Until: 20}}}, []pages.Row{message}, ""},
	} {
		tables := []*table{messages(), notes()}
		for _, table := range tables {
			table.holes = c.holes[table.name]
		}
		got := ""
		if o := ownerOf(tables, c.rows); o != nil {
			got = o.name
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	twice := []*table{notes(), notes()}
	twice[0].holes, twice[1].holes = hole, hole
	if ownerOf(twice, []pages.Row{note}) != nil {
		t.Error("a row of which two tables could be the owner was given to one")
	}
	twice[0].shadow, twice[1].shadow = true, true
	if ownerOf(twice, []pages.Row{note}) == nil {
		t.Error("which of two tables that are made again it is of doesn't matter")
	}
}

// TestWhatIsLost: the holes without the rows that were found in them; the end of the last one
// is known only where something tells how far the table went.
func TestWhatIsLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		holes []pages.Hole
		found []int64
		last  int64
		want  []LostRange
	}{
		"no hole":                          {nil, nil, 0, []LostRange{}},
		"a hole":                           {[]pages.Hole{{After: 10, Until: 20, Page: 7}}, nil, 0, []LostRange{{11, 20, 7}}},
		"with two rows found in it":        {[]pages.Hole{{After: 10, Until: 20, Page: 7}}, []int64{12, 15}, 0, []LostRange{{11, 11, 7}, {13, 14, 7}, {16, 20, 7}}},
		"with all found":                   {[]pages.Hole{{After: 10, Until: 12}}, []int64{11, 12}, 0, []LostRange{}},
		"found elsewhere":                  {[]pages.Hole{{After: 10, Until: 12}}, []int64{9, 13}, 0, []LostRange{{11, 12, 0}}},
		"rows begin at 1":                  {[]pages.Hole{{After: math.MinInt64, Until: 3}}, nil, 0, []LostRange{{1, 3, 0}}},
		"an open end":                      {[]pages.Hole{{After: 10, Until: math.MaxInt64, Page: 4}}, nil, 0, []LostRange{{11, 0, 4}}},
		"an end that the counter tells":    {[]pages.Hole{{After: 10, Until: math.MaxInt64, Page: 4}}, nil, 14, []LostRange{{11, 14, 4}}},
		"nothing behind what was read":     {[]pages.Hole{{After: 10, Until: math.MaxInt64, Page: 4}}, nil, 10, []LostRange{}},
		"an open end with one found in it": {[]pages.Hole{{After: 10, Until: math.MaxInt64}}, []int64{13}, 20, []LostRange{{11, 12, 0}, {14, 20, 0}}},
	} {
		table := messages()
		table.holes = c.holes
		for _, id := range c.found {
			table.foundRows[id] = true
		}
		if diff := cmp.Diff(c.want, table.lost(c.last)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestRowsOfTheSchema: a row is one of the schema only if its cells are what SQLite writes
// there.
func TestRowsOfTheSchema(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values []any
		want   bool
	}{
		"a table":                   {[]any{"table", "t", "t", int64(2), "CREATE TABLE t (x)"}, true},
		"an index that SQLite made": {[]any{"index", "sqlite_autoindex_t_1", "t", int64(3), nil}, true},
		"a view has no page":        {[]any{"view", "v", "v", int64(0), "CREATE VIEW v AS SELECT 1"}, true},
		"another kind":              {[]any{"thing", "t", "t", int64(2), ""}, false},
		"a name that is a number":   {[]any{"table", int64(1), "t", int64(2), "CREATE TABLE t (x)"}, false},
		"a page that is a text":     {[]any{"table", "t", "t", "2", "CREATE TABLE t (x)"}, false},
		"a cell less":               {[]any{"table", "t", "t", int64(2)}, false},
	} {
		if _, got := schemaRow(pages.Row{Values: c.values}); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if o, _ := schemaRow(pages.Row{Values: []any{"table", "t", "t", int64(1) << 40, "CREATE TABLE t (x)"}}); o.root != 0 {
		t.Errorf("a page that no file has is taken for %d", o.root)
	}
}
