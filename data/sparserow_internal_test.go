package data

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A sparse row is the same row to everyone as one with all of its cells.
func TestSparseRow(t *testing.T) {
	t.Parallel()
	set := &ColumnSet{[]string{"a", "b", "c"}}
	sparse, whole := Row{columnsKey: set, "b": "text"}, Row{"a": nil, "b": "text", "c": nil}
	if diff := cmp.Diff(whole.Columns(), sparse.Columns()); diff != "" {
		t.Errorf("other columns (-want +got):\n%s", diff)
	}
	if !sparse.Equal(whole) || !whole.Equal(sparse) || sparse.Equal(Row{"b": "text"}) {
		t.Error("it isn't equal to the row with all cells, or is equal to one without some columns")
	}
	want, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(sparse)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("other JSON (-want +got):\n%s", diff)
	}
}

// A sparse row fits a table of the same columns as it is; for any other table it gets all cells.
func TestFitSparseRow(t *testing.T) {
	t.Parallel()
	of := func(columns ...string) *DB {
		var all table
		for _, c := range columns {
			all.columns = append(all.columns, column{name: c})
		}
		return &DB{schema: &Schema{tables: map[string]table{"messages": all}}}
	}
	row := Row{columnsKey: &ColumnSet{[]string{"a", "b", "c"}}, "a": "text", "b": "more"}
	for _, c := range []struct {
		db      *DB
		want    Row
		lacking []string
	}{
		{of("c", "b", "a"), row, nil},
		{of("a", "c", "d"), Row{"a": "text", "c": nil}, []string{"b"}},
		{of("a", "b", "c", "d"), Row{"a": "text", "b": "more", "c": nil}, nil},
	} {
		fit, lacking := FitRow(c.db, "messages", row)
		if !fit.Equal(c.want) {
			t.Errorf("fit %v, want %v", fit, c.want)
		}
		if diff := cmp.Diff(c.lacking, lacking); diff != "" {
			t.Errorf("other columns that have no place (-want +got):\n%s", diff)
		}
	}
}
