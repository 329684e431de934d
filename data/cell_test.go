package data_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
)

func TestParseTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 5, 9, 0, 1, 0, time.UTC)
	for in, want := range map[string]time.Time{
		"2026-01-05 09:00:01":           at,
		"2026-01-05T09:00:01.000Z":      at,
		"2026-01-05T10:00:01+01:00":     at,
		"2026-01-05T09:00:01.250Z":      at.Add(250 * time.Millisecond),
		"2026-01-05":                    at.Truncate(24 * time.Hour),
		"not a date":                    {},
		"":                              {},
		"yesterday":                     {},
		"2026-99-99 09:00:01":           {},
		"\x00\xff2026-01-05 09:00:01":   {},
		"2026-01-05 09:00:01 and later": {},
	} {
		got, ok := data.ParseTime(in)
		if !got.Equal(want) || ok != !want.IsZero() {
			t.Errorf("%q is %v, %v", in, got, ok)
		}
	}
}

func TestRowSurvivesJSON(t *testing.T) {
	t.Parallel()
	r := data.Row{
		"null": nil, "int": int64(math.MaxInt64), "real": 1.0, "nan": math.Inf(1), "text": "a\x00b <&>\u2028",
		"bad": "hello\xffo", "blob": []byte{0, 1, 255}, "empty": "", "emptyBlob": []byte{},
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got data.Row
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if !r.Equal(got) {
		t.Error(cmp.Diff(r, got))
	}
	if r.Equal(data.Row{"blob": "x"}) {
		t.Error("different rows are equal")
	}
}

// FuzzCells: whatever stands in a cell is read without failing, and a row with it
// survives its record.
func FuzzCells(f *testing.F) {
	for _, s := range []string{"", "2026-01-05 09:00:00", "abc", "\xff\x00", "-12", "1e400", "{\"a\":1}"} {
		f.Add(s, int64(7), 1.5)
	}
	f.Fuzz(func(t *testing.T, s string, i int64, x float64) {
		if math.IsNaN(x) {
			t.Skip("SQLite stores NaN as NULL")
		}
		var at data.Time
		for _, v := range []any{s, []byte(s), i, x, nil} {
			_ = data.CellText(v)
			_ = data.CellInteger(v)
			if err := at.Scan(v); err != nil {
				t.Fatal(err)
			}
			if _, err := json.Marshal(at); err != nil {
				t.Fatal(err)
			}
		}
		r := data.Row{"s": s, "b": []byte(s), "i": i, "x": x}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var got data.Row
		if err := json.Unmarshal(b, &got); err != nil || !got.Equal(r) {
			t.Fatalf("%v: %s", err, cmp.Diff(r, got))
		}
	})
}

// TestTimesInSQLitesForm: the form that most cells have is read as a layout reads it, and
// nothing that a layout refuses is taken for a time.
func TestTimesInSQLitesForm(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"2026-01-05 09:54:30", "2024-02-29 23:59:59", "2023-02-29 00:00:00", "2026-06-31 00:00:00", "2026-13-01 00:00:00", "2026-00-10 00:00:00",
		"2026-01-00 00:00:00", "2026-01-05 24:00:00", "2026-01-05 23:60:00", "2026-01-05 23:59:60", "2026-01-05 1a:00:00", "0000-01-01 00:00:00",
		"9999-12-31 23:59:59", "2026-01-05x09:54:30", "2026/01/05 09:54:30", "2026-01-05 09:54:3", "2026-01-05 -1:00:00", "2026-01-05 09:54:3é",
	} {
		want, err := time.Parse("2006-01-02 15:04:05", s)
		got, ok := data.ParseTime(s)
		if ok != (err == nil) || ok && !got.Equal(want) {
			t.Errorf("%q: %v, %v; want %v, %v", s, got, ok, want, err)
		}
	}
}
