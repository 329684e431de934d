package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
	"lcm-tui/ops"
)

// written returns what draw writes on a page of a width, without styles.
func written(t *testing.T, width int, draw func(p *Printer)) string {
	t.Helper()
	var b bytes.Buffer
	p := &Printer{out: &lineBuffer{to: &b}, Width: width}
	draw(p)
	if err := p.Flush(); err != nil {
		t.Fatal(err)
	}
	return ansi.Strip(b.String())
}

func TestTableAlignsByWhatIsSeen(t *testing.T) {
	t.Parallel()
	columns := []Column{{Title: "name", Grows: true}, {Title: "n", Right: true}}
	rows := [][]string{{"桜の運航表", "1"}, {"e\u0301te\u0301", "1,000"}, {"plain", "22"}}
	got := written(t, 0, func(p *Printer) { p.Table(columns, rows) })
	want := "" +
		"name            n\n" +
		"桜の運航表      1\n" +
		"e\u0301te\u0301         1,000\n" +
		"plain          22\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for l := range strings.Lines(written(t, 16, func(p *Printer) { p.Table(columns, rows) })) {
		if w := ansi.StringWidth(strings.TrimSuffix(l, "\n")); w != 16 {
			t.Errorf("%q has %d cells", l, w)
		}
	}
}

func TestContextDiffFoldsWhatIsAsBefore(t *testing.T) {
	t.Parallel()
	var before, after []lcm.ContextItem
	for i := range int64(12) {
		item := lcm.ContextItem{Ordinal: i, Type: "message", Message: 100 + i, Role: "user"}
		before = append(before, item)
		if i == 5 {
			item.Message = 999
		}
		after = append(after, item)
	}
	got := written(t, 0, func(p *Printer) { p.contextDiff(ops.ContextChange{Before: before, After: after}.Align()) })
	var signs []string
	for l := range strings.Lines(got) {
		signs = append(signs, strings.Join(strings.Fields(l)[:3], " "))
	}
	want := []string{
		"⋯ 2 items", "2 user #102", "3 user #103", "4 user #104", "− 5 user", "+ 5 user",
		"6 user #106", "7 user #107", "8 user #108", "⋯ 3 items",
	}
	if diff := cmp.Diff(want, signs); diff != "" {
		t.Error(diff)
	}
}

func TestTextDiff(t *testing.T) {
	t.Parallel()
	got := written(t, 0, func(p *Printer) { p.TextDiff(ops.Text{ID: "sum_1", Before: "one\ntwo", After: "one\n\x1b[2Jthree"}) })
	for _, want := range []string{"text of sum_1\n", "--- before\n", "\n one\n", "\n-two\n", "three\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if strings.Contains(got, "\x1b") || strings.Contains(got, "No newline") {
		t.Errorf("printed %q", got)
	}
}

func TestEscapedControlsKeepTheValue(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "plain", "\u009b31m", "a\x7fb\u202ec", "桜 👩‍👩‍👧", "\u2066x\u2069"} {
		var b bytes.Buffer
		if err := json.NewEncoder(ControlEscaper{To: &b}).Encode(s); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "\u009b\x7f\u202e\u2066\u2069") {
			t.Errorf("%q lets %q through", s, b.String())
		}
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != s {
			t.Errorf("%q came back as %q, %v", s, back, err)
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "-1", "0", "1.5", "1e3", " 1", "0x10", "99999999999999999999"} {
		if err := AtLeast(1, "N").Set(s); err == nil {
			t.Errorf("%q is taken for a number", s)
		}
	}
	for _, s := range []string{"0", "-1", "+1", "x", "", "1 "} {
		if _, err := ParseID("CONV", s); exitCode(err) != exitUsage {
			t.Errorf("%q is taken for an id", s)
		}
	}
}

func TestTableLeavesOutWhatHasNoRoom(t *testing.T) {
	t.Parallel()
	columns := []Column{{Title: "id"}, {Title: "spare", Spare: true}, {Title: "other", Spare: true}, {Title: "text", Grows: true}}
	rows := [][]string{{"1", "12345", "12345", strings.Repeat("x", 40)}}
	for width, want := range map[int]string{
		80: "id  spare  other  text\n1   12345  12345  " + strings.Repeat("x", 40) + "\n",
		36: "id  spare  text\n1   12345  " + strings.Repeat("x", 24) + "…\n",
		24: "id  text\n1   " + strings.Repeat("x", 19) + "…\n",
	} {
		if diff := cmp.Diff(want, written(t, width, func(p *Printer) { p.Table(columns, rows) })); diff != "" {
			t.Errorf("width %d: %s", width, diff)
		}
	}
}
