package ops_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
	"lcm-tui/ops"
)

// sides puts both texts together again.
func sides(ps []ops.Piece) (before, after string) {
	for _, p := range ps {
		if p.Mark != ops.Added {
			before += p.Text
		}
		if p.Mark != ops.Removed {
			after += p.Text
		}
	}
	return before, after
}

func TestWordsAreExact(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("one two three\n", 4000)
	for _, c := range [][2]string{
		{"", ""},
		{"", "new"},
		{"old", ""},
		{"the pool is 8", "the pool is 24"},
		{"a\nb\nc\n", "a\nB\nc\nd"},
		{"\xff and \xfe", "\xfe and \xff"},
		{"e\u0301te\u0301", "été"},
		{"袋鼠测试文字", "袋鼠测文字"},
		{"👩\u200d👧 family", "👩 family"},
		{long, strings.ReplaceAll(long, "two", "2")},
	} {
		before, after := sides(ops.Words(c[0], c[1]))
		if before != c[0] || after != c[1] {
			t.Errorf("%.40q → %.40q came back as %.40q → %.40q", c[0], c[1], before, after)
		}
	}
}

func TestWordsMarkWords(t *testing.T) {
	t.Parallel()
	got := ops.Words("We cap the pool at 8 connections.", "We cap the pool at 24 connections.")
	want := []ops.Piece{
		{Mark: ops.Same, Text: "We cap the pool at "},
		{Mark: ops.Removed, Text: "8"},
		{Mark: ops.Added, Text: "24"},
		{Mark: ops.Same, Text: " connections."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAlign(t *testing.T) {
	t.Parallel()
	item := func(s string) lcm.ContextItem { return lcm.ContextItem{Type: "summary", Summary: s} }
	c := ops.ContextChange{
		Before: []lcm.ContextItem{item("a"), item("C"), item("d")},
		After:  []lcm.ContextItem{item("a"), item("b1"), item("b2"), item("d")},
	}
	var got []string
	for _, p := range c.Align() {
		switch p.Mark() {
		case ops.Removed:
			got = append(got, "-"+p.Before.Summary)
		case ops.Added:
			got = append(got, "+"+p.After.Summary)
		default:
			got = append(got, p.Before.Summary)
		}
	}
	if diff := cmp.Diff([]string{"a", "-C", "+b1", "+b2", "d"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnified(t *testing.T) {
	t.Parallel()
	got := ops.Unified(ops.Text{ID: "sum_1", Before: "a\nb\n", After: "a\nc\n"})
	if want := "--- sum_1\n+++ sum_1\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}

// TestTextsOfManyLinesAreReplaced: the time that comparing takes has a bound.
func TestTextsOfManyLinesAreReplaced(t *testing.T) {
	t.Parallel()
	var a, b strings.Builder
	for i := range 5000 {
		a.WriteString("line " + strconv.Itoa(i) + "\n")
		b.WriteString("line " + strconv.Itoa(5000-i) + "\n")
	}
	got := ops.Words(a.String(), b.String())
	if before, after := sides(got); len(got) != 2 || before != a.String() || after != b.String() {
		t.Errorf("%d pieces", len(got))
	}
}

func FuzzWords(f *testing.F) {
	f.Add("a b", "a c")
	f.Add("\xff", "é\n\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		if before, after := sides(ops.Words(a, b)); before != a || after != b {
			t.Errorf("%q → %q came back as %q → %q", a, b, before, after)
		}
	})
}

func BenchmarkWords(b *testing.B) {
	var x, y strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&x, "word%d ", i)
		fmt.Fprintf(&y, "word%d ", i+i%10/9)
	}
	for b.Loop() {
		ops.Words(x.String(), y.String())
	}
}
