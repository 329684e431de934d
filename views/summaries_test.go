package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/fakehost"
	"lcm-tui/ui"
)

// stems are the rows of the tree as far as ids and signs go.
func stems(v *Summaries) (out []string) {
	for _, b := range v.list.Items() {
		s := strings.Repeat(" ", b.level) + b.id
		switch {
		case b.node == nil:
			s += " missing"
		case b.cycle:
			s += " cycle"
		case b.open:
			s += " open"
		}
		out = append(out, s)
	}
	return out
}

func (d *driver) summaries(conv int64) *Summaries {
	d.t.Helper()
	return d.open(conv, tabSummaries).(*Summaries)
}

func TestSummariesOfTheDemo(t *testing.T) {
	d := driveDemo(t)
	d.summaries(2)
	d.press("*", "down", "down")
	d.goldens()
}

func TestSummariesOfTheSample(t *testing.T) {
	d := driveSample(t, fakehost.Head)
	d.summaries(1)
	d.press("right", "down")
	d.goldens()
}

func TestSummaryAsAPage(t *testing.T) {
	d := driveDemo(t)
	v := d.summaries(2)
	d.screen(80, 24)
	d.press("enter")
	if !v.ListScreen.textFocused {
		t.Fatal("enter did not open the text")
	}
	d.goldens()
	d.screen(80, 24)
	d.press("esc")
	if v.ListScreen.textFocused || d.app.Top() != ui.Screen(v) {
		t.Error("esc did not go back to the tree")
	}
}

func TestNoSummaries(t *testing.T) {
	d := driveFile(t, dag(t))
	d.summaries(1)
	d.sees("no summaries yet: the host makes the first")
	d.clean(80, 24)
}

func TestNodeUnderTwoParents(t *testing.T) {
	d := driveFile(t, dag(t, "A 0", "B 1 A", "C 1 A", "D 2 B C!"))
	v := d.summaries(1)
	d.press("*")
	want := []string{"sum_D open", " sum_B open", "  sum_A", " sum_C", "  sum_A"}
	want[3] += " open"
	d.press("down", "down", "down", "right")
	if diff := cmp.Diff(want, stems(v)); diff != "" {
		t.Error(diff)
	}
	d.press("down")
	d.sees("also sum_B", "under 2 summaries: sum_B, sum_C", "folded into sum_D")
	if got := d.screen(160, 30); !strings.Contains(got, "also under sum_B") {
		t.Error(got)
	}
}

func TestCycleEnds(t *testing.T) {
	d := driveFile(t, dag(t, "A 1 B", "B 1 A", "C 2 A!"))
	v := d.summaries(1)
	d.press("*")
	want := []string{"sum_C open", " sum_A open", "  sum_B open", "   sum_A cycle"}
	if diff := cmp.Diff(want, stems(v)); diff != "" {
		t.Error(diff)
	}
	d.press("!")
	d.sees("goes round sum_A", "its sources lead back to it")
	d.goldens()
}

func TestCycleWithoutBeginning(t *testing.T) {
	d := driveFile(t, dag(t, "A 1 B", "B 1 A"))
	v := d.summaries(1)
	d.press("*")
	if got := stems(v); len(got) != 3 || !strings.HasSuffix(got[2], "cycle") {
		t.Error(got)
	}
	d.sees(outsideOfAll)
}

func TestMissingSource(t *testing.T) {
	d := driveFile(t, dag(t, "A 0", "B 1 A Gone!"))
	v := d.summaries(1)
	d.press("!")
	b, _ := v.list.Selected()
	if b.id != "sum_Gone" {
		t.Fatalf("! went to %q", b.id)
	}
	d.sees("! missing sum_Gone", "sum_B names it as a source")
	d.misses("d dissolve")
	d.press("d", "m", "enter", "esc", "right", "left")
	d.clean(120, 36)
}

func TestManyWaysAreUnfoldedOnce(t *testing.T) {
	lines := []string{"L0a 0", "L0b 0"}
	for i := 1; i < 40; i++ { // 2^40 ways lead down.
		for _, s := range "ab" {
			lines = append(lines, fmt.Sprintf("L%d%c %d L%da L%db", i, s, i, i-1, i-1))
		}
	}
	lines[len(lines)-1] += "!"
	d := driveFile(t, dag(t, lines...))
	v := d.summaries(1)
	d.press("*")
	if n := v.list.Len(); n < 40 || n > 170 {
		t.Errorf("%d rows", n)
	}
	d.press("G", "/")
	d.write("l0b")
	d.clean(80, 24)
	d.press("esc", "g", "-")
	if n := len(v.tree.open); n > 1 {
		t.Errorf("%d places are still open", n)
	}
}

func TestDeepChain(t *testing.T) {
	lines := []string{"L0 0"}
	for i := 1; i < 600; i++ {
		lines = append(lines, fmt.Sprintf("L%d %d L%d", i, i, i-1))
	}
	lines[len(lines)-1] += "!"
	d := driveFile(t, dag(t, lines...))
	v := d.summaries(1)
	d.press("*", "G")
	if n := v.list.Len(); n != 600 {
		t.Errorf("%d rows", n)
	}
	d.sees("d0 sum_L0")
	d.clean(80, 24)
}

const hostile = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe\u2066 a\x00b\x9bc \r\n\ttab \x1b[31mred ![x](http://e.vil) \u200b"

func TestHostileTexts(t *testing.T) {
	path := dag(t, "A 0!", "B 1 A!", "C 1 B")
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		"UPDATE summaries SET content = ?1, model = ?1, file_ids = ?1, earliest_at = ?1",
		"UPDATE conversations SET title = ?1",
	} {
		if err := h.Exec(q, hostile); err != nil {
			t.Fatal(err)
		}
	}
	id := "sum_" + hostile + "\x1b[5m"
	row := map[string]any{
		"summary_id": id, "conversation_id": 1, "kind": "leaf", "depth": 0, "content": hostile,
		"token_count": 1, "created_at": "2026-01-01 00:00:00", "file_ids": "[]",
	}
	if err := h.Row("summaries", row); err != nil {
		t.Fatal(err)
	}
	if err := h.Row("context_items", map[string]any{"conversation_id": 1, "ordinal": 9, "item_type": "summary", "summary_id": id}); err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("INSERT INTO messages (conversation_id, seq, role, content, token_count, created_at) VALUES (1, 1, 'tool', ?1, 4, ?1)", hostile); err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) SELECT 1, 10, 'message', max(message_id) FROM messages"); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	d := driveFile(t, path)
	for _, tab := range []int{tabSummaries, tabContext} {
		d.open(1, tab)
		for range 5 {
			d.clean(120, 36)
			d.clean(80, 24)
			d.press("tab")
			d.clean(80, 24)
			d.press("esc", "right", "down")
		}
		d.press("/")
		d.write("red")
		d.clean(80, 24)
		d.press("esc")
	}
}

func TestReloadKeepsThePlace(t *testing.T) {
	path := dag(t, "A 0", "B 0", "C 1 A", "D 1 B", "E 2 C D!", "F 2 C D!")
	d := driveFile(t, path)
	v := d.summaries(1)
	d.press("down", "right", "down", "down", "right", "down")
	before := stems(v)
	b, _ := v.list.Selected()
	if b.id != "sum_B" || v.tree.steps[b.above].id != "sum_D" {
		t.Fatalf("the cursor is on %q", b.id)
	}
	d.send(ui.ChangedMsg{})
	if diff := cmp.Diff(before, stems(v)); diff != "" {
		t.Error(diff)
	}
	if now, _ := v.list.Selected(); now.key != b.key {
		t.Errorf("the cursor went to %q", now.id)
	}
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("DELETE FROM summary_parents WHERE summary_id = 'sum_F'"); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	d.send(ui.ChangedMsg{External: true})
	if now, _ := v.list.Selected(); now.id != "sum_B" {
		t.Errorf("the cursor did not follow its node: %q", now.id)
	}
}

func TestFilterFindsWhatIsFolded(t *testing.T) {
	d := driveFile(t, dag(t, "A 0", "B 1 A", "C 2 B!"))
	v := d.summaries(1)
	d.press("left", "/")
	d.write("text of a")
	d.sees("1 of 3", "d0 sum_A")
	d.press("enter", "enter")
	if diff := cmp.Diff([]string{"sum_C open", " sum_B open", "  sum_A"}, stems(v)); diff != "" {
		t.Error(diff)
	}
	if b, _ := v.list.Selected(); b.id != "sum_A" {
		t.Errorf("the cursor is on %q", b.id)
	}
	d.press("left")
	if b, _ := v.list.Selected(); b.id != "sum_B" {
		t.Errorf("← went to %q", b.id)
	}
	d.press("/")
	d.write("sum_c")
	d.press("esc")
	if b, _ := v.list.Selected(); b.id != "sum_B" {
		t.Errorf("leaving the filter went to %q", b.id)
	}
}

func TestDissolveIsOfferedWhereItCanBeDone(t *testing.T) {
	d := driveFile(t, dag(t, "A 0", "B 1 A", "C 2 B!", "D 0!"))
	v := d.summaries(1)
	d.press("*")
	for _, c := range []struct {
		id, why string
	}{
		{"sum_C", ""},
		{"sum_B", "it isn't in the context: sum_C stands there for it"},
		{"sum_D", "it was made of messages; only a summary of summaries can be dissolved"},
	} {
		v.show(c.id)
		b, _ := v.list.Selected()
		if diff := cmp.Diff(c.why, v.dissolveReason(b)); diff != "" {
			t.Errorf("%s: %s", c.id, diff)
		}
		d.press("d")
		_, reviewed := d.app.Top().(*Review)
		if reviewed != (c.why == "") {
			t.Errorf("%s: a review is %v", c.id, reviewed)
		}
		if reviewed {
			d.press("esc")
		}
	}
}

func TestNothingIsDissolvedReadOnly(t *testing.T) {
	path := dag(t, "A 0", "B 1 A!")
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("DROP TABLE message_parts"); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	d := driveFile(t, path)
	for _, tab := range []int{tabSummaries, tabContext} {
		s := d.open(1, tab)
		i := slices.IndexFunc(s.Actions(), func(a ui.Action) bool { return a.Key.Help().Desc == "dissolve" })
		if a := s.Actions()[i]; a.Key.Enabled() || a.Why != "the file is open read-only" {
			t.Errorf("%T: %v %q", s, a.Key.Enabled(), a.Why)
		}
		d.press("d")
		if d.app.Top() != s {
			t.Errorf("%T: d did something", s)
		}
	}
}

func TestJumpToMessages(t *testing.T) {
	d := driveDemo(t)
	d.summaries(2)
	d.press("m")
	if _, ok := d.app.Top().(*Messages); !ok {
		t.Fatalf("m showed %T", d.app.Top())
	}
}

func TestCopyOfTheText(t *testing.T) {
	d := driveFile(t, dag(t, "A 0!"))
	d.summaries(1)
	d.press("Y")
	if diff := cmp.Diff("text of A", d.clip); diff != "" {
		t.Error(diff)
	}
	d.press("y")
	if diff := cmp.Diff("sum_A", d.clip); diff != "" {
		t.Error(diff)
	}
}

func TestPictureOfCoverage(t *testing.T) {
	d := driveSample(t, fakehost.Head)
	v := d.summaries(1)
	d.sees("in context", "raw")
	d.press("v")
	d.misses(" raw ")
	d.press("v")
	if got := d.screen(80, 18); strings.Contains(got, " raw ") {
		t.Error("the picture is shown where there is no room for it")
	}
	for _, width := range []int{7, 30, 200, 400} {
		v.View(width, 30)
	}
}

// TestSummaryKeysSayWhatTheyDo: on an open node → goes to its first source and ← folds it;
// on one that is folded → unfolds.
func TestSummaryKeysSayWhatTheyDo(t *testing.T) {
	t.Parallel()
	d := driveFile(t, dag(t, "A 0", "B 1 A!", "C 0!"))
	d.open(1, tabSummaries)
	d.sees("→ unfold")
	d.press("right")
	d.sees("→ its first source")
	d.misses("→ unfold")
	d.press("?")
	d.sees("←  fold")
}
