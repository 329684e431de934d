package salvage

import (
	"math"
	"slices"
	"strings"

	"lcm-tui/data/pages"
)

// table is a table that is being filled.
type table struct {
	object
	result    TableResult
	columns   []column
	rowid     bool // No column stands for the rowid, which is written by its own name.
	shadow    bool // SQLite fills it when the search tables are filled.
	holes     []pages.Hole
	foundRows map[int64]bool // Rows that were found in holes.
}

type column struct {
	name     string
	affinity string
	notNull  bool
	required bool // Not null, and without a default: every row has it.
	alias    bool // It is the rowid under another name.
}

// fits reports whether a row could be one of the table, by the number and the types
// of its values.
func (t *table) fits(r pages.Row) bool {
	if len(r.Values) == 0 || len(r.Values) > len(t.columns) {
		return false
	}
	for i, c := range t.columns {
		switch {
		case i >= len(r.Values):
			if c.required {
				return false
			}
		case c.alias:
			if r.Values[i] != nil {
				return false
			}
		case !c.holds(r.Values[i]):
			return false
		}
	}
	return true
}

// holds reports whether the column of a sound file can have a value of this type.
func (c column) holds(v any) bool {
	switch v.(type) {
	case nil:
		return !c.notNull
	case int64, float64:
		return c.affinity != "TEXT"
	case string:
		return c.affinity == "TEXT" || c.affinity == ""
	}
	return c.affinity == "BLOB" || c.affinity == ""
}

// affinity returns the affinity of a declared type by SQLite's rules; empty means that no type
// is declared.
func affinity(declared string) string {
	d := strings.ToUpper(declared)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(d, w) })
	}
	switch {
	case d == "":
		return ""
	case has("INT"):
		return "INTEGER"
	case has("CHAR", "CLOB", "TEXT"):
		return "TEXT"
	case has("BLOB"):
		return "BLOB"
	}
	return "REAL"
}

// isMissing reports whether a row with this id may be missing from the table.
func (t *table) isMissing(id int64) bool {
	return slices.ContainsFunc(t.holes, func(h pages.Hole) bool { return id > h.After && id <= h.Until })
}

// ownerOf returns the table whose rows these are: all of them fit its columns, and one fills
// a hole in it. Where that holds for several tables it returns nil.
func ownerOf(tables []*table, rows []pages.Row) *table {
	var found *table
	for _, t := range tables {
		if slices.ContainsFunc(rows, func(r pages.Row) bool { return !t.fits(r) }) ||
			!slices.ContainsFunc(rows, func(r pages.Row) bool { return t.isMissing(r.ID) }) {
			continue
		}
		if found != nil && !(found.shadow && t.shadow) {
			return nil
		}
		found = t
	}
	return found
}

// lost returns the parts of the holes in which no row was found. last is the highest rowid
// that the table ever had, or 0.
func (t *table) lost(last int64) []LostRange {
	out := []LostRange{}
	found := make([]int64, 0, len(t.foundRows))
	for id := range t.foundRows {
		found = append(found, id)
	}
	slices.Sort(found)
	for _, h := range t.holes {
		after := max(h.After, 0) // Rowids begin at 1.
		from, _ := slices.BinarySearch(found, after+1)
		for _, id := range found[from:] {
			if id > h.Until {
				break
			}
			out = appendRange(out, after, id-1, h.Page)
			after = id
		}
		until := h.Until
		if until == math.MaxInt64 {
			if until = last; until == 0 {
				out = append(out, LostRange{First: after + 1, Page: int64(h.Page)})
			}
		}
		out = appendRange(out, after, until, h.Page)
	}
	return out
}

func appendRange(out []LostRange, after, until int64, page uint32) []LostRange {
	if until <= after {
		return out
	}
	return append(out, LostRange{First: after + 1, Last: until, Page: int64(page)})
}
