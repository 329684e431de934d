package postgres_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// columnOf returns a column of the description.
func columnOf(t testing.TB, table, name string) postgres.Column {
	t.Helper()
	described, _ := postgres.TableOf(table)
	c, ok := described.Column(name)
	if !ok {
		t.Fatalf("no column %s.%s", table, name)
	}
	return c
}

// TestEncodeSaysWhatAColumnHoldsExactly: an exact cell has a value that the server takes, and what reads as the same
// cell; of the others the storage class and the bytes come back from odd_cells.
func TestEncodeSaysWhatAColumnHoldsExactly(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3000)
	for _, c := range []struct {
		table, column string
		cell          any
		exact         bool
		values        string // As JSON.
	}{
		{"messages", "content", "台帳 \\ ' text", true, `["台帳 \\ ' text"]`},
		{"messages", "content", nil, true, `[null]`},
		{"messages", "content", "a\x00b", false, `["a␀b"]`},
		{"messages", "content", "a\xffb", false, `["a` + "\uFFFD" + `b"]`},
		{"messages", "content", []byte("blob"), false, `["blob"]`},
		{"messages", "content", int64(7), false, `["7"]`},
		{"messages", "content", long, true, `["` + long + `"]`},
		{"context_items", "summary_id", long, false, `["` + long[:1000] + `"]`},
		{"messages", "seq", int64(math.MinInt64), true, `[-9223372036854775808]`},
		{"messages", "seq", "twelve", false, `[null]`},
		{"messages", "seq", " 12", false, `[12]`},
		{"messages", "seq", 2.5, false, `[2]`},
		{"message_parts", "step_cost", 0.1, true, `[0.1]`},
		{"message_parts", "step_cost", int64(3), false, `[3]`},
		{"conversations", "active", int64(1), true, `[true]`},
		{"conversations", "active", int64(0), true, `[false]`},
		{"conversations", "active", int64(2), false, `[true]`},
		{"conversations", "active", "no", false, `[false]`},
		{"messages", "role", "tool", true, `["tool",null]`},
		{"messages", "role", "developer", true, `["other","developer"]`},
		{"messages", "role", "other", true, `["other","other"]`},
		{"messages", "created_at", "2026-01-02 03:04:05", true, `["2026-01-02T03:04:05Z",null]`},
		{"messages", "created_at", "2026-01-02T03:04:05+02:00", true, `["2026-01-02T01:04:05Z","2026-01-02T03:04:05+02:00"]`},
		{"messages", "created_at", "yesterday", true, `[null,"yesterday"]`},
		{"messages", "created_at", "0000-01-02 03:04:05", true, `[null,"0000-01-02 03:04:05"]`},
		{"messages", "created_at", int64(1700000000), false, `[null,"1700000000"]`},
		{"summaries", "earliest_at", "2026-01-02T03:04:05.678Z", true, `["2026-01-02T03:04:05.678Z",null]`},
		{"summaries", "earliest_at", "2026-01-02 03:04:05", true, `["2026-01-02T03:04:05Z","2026-01-02 03:04:05"]`},
	} {
		column := columnOf(t, c.table, c.column)
		values, exact := column.Encode(c.cell)
		if got, err := json.Marshal(values); err != nil || string(got) != c.values || exact != c.exact {
			t.Errorf("%s.%s of %#v: %s, exact %v, %v; want %s, %v", c.table, c.column, c.cell, got, exact, err, c.values, c.exact)
		}
		checkOdd(t, c.cell)
	}
}

// checkOdd checks that a cell comes back from odd_cells as it is.
func checkOdd(t testing.TB, cell any) {
	t.Helper()
	class, content := postgres.EncodeOdd(cell)
	if back, err := postgres.DecodeOdd(class, content); err != nil || !data.SameValue(back, cell) {
		t.Errorf("%#v came back from odd_cells as %#v, %v", cell, back, err)
	}
}

// FuzzEncode: whatever a cell holds, the server can take its value, and odd_cells gives it back.
func FuzzEncode(f *testing.F) {
	f.Add("text", int64(1), 1.5)
	f.Add("a\x00\xff", int64(-1), math.Inf(1))
	f.Fuzz(func(t *testing.T, text string, number int64, float float64) {
		if math.IsNaN(float) {
			t.Skip("SQLite stores it as NULL")
		}
		for _, table := range postgres.Tables {
			for _, c := range table.Columns {
				for _, cell := range []any{text, []byte(text), number, float} {
					values, _ := c.Encode(cell)
					for _, v := range values {
						if s, ok := v.(string); ok && (strings.ContainsRune(s, 0) || !utf8.ValidString(s)) {
							t.Errorf("%s.%s of %#v: %q", table.Name, c.Name, cell, s)
						}
					}
					checkOdd(t, cell)
				}
			}
		}
	})
}
