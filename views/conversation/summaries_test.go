package conversation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/fakehost"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/review"
	"lcm-tui/views/viewtest"
)

// stems returns the rows of the tree as far as ids and signs go.
func stems(v *Summaries) (out []string) {
	for _, b := range v.List.Items() {
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

func summaries(d *viewtest.Driver, conv int64) *Summaries {
	d.T.Helper()
	return d.Open(conv, views.TabSummaries).(*Summaries)
}

func TestSummariesOfTheDemo(t *testing.T) {
	d := viewtest.DriveDemo(t)
	summaries(d, 2)
	d.Press("*", "down", "down")
	d.Goldens()
}

func TestSummariesOfTheSample(t *testing.T) {
	d := viewtest.DriveSample(t, fakehost.Head)
	summaries(d, 1)
	d.Press("right", "down")
	d.Goldens()
}

// TestTheTreeShowsTextsAtEveryWidth: each row has the first words of its summary, beside the text and without it.
func TestTheTreeShowsTextsAtEveryWidth(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	summaries(d, 2)
	d.Press("*")
	for width := 60; width <= 200; width += 10 {
		got := d.Screen(width, 36)
		for _, want := range []string{"Project s", "deploy pi", "What happ", "Bookings ", "Deploy pi"} {
			if !strings.Contains(got, " "+want) {
				t.Errorf("%d columns: no row begins with %q:\n%s", width, want, got)
			}
		}
	}
}

func TestSummaryAsAPage(t *testing.T) {
	d := viewtest.DriveDemo(t)
	v := summaries(d, 2)
	d.Screen(80, 24)
	d.Press("enter")
	if !v.ListScreen.TextFocused {
		t.Fatal("enter did not open the text")
	}
	d.Goldens()
	d.Screen(80, 24)
	d.Press("esc")
	if v.ListScreen.TextFocused || d.App.Top() != ui.Screen(v) {
		t.Error("esc did not go back to the tree")
	}
}

func TestNoSummaries(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t))
	summaries(d, 1)
	d.Sees("no summaries yet: the host makes the first")
	d.Clean(80, 24)
}

func TestNodeUnderTwoParents(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t, "A 0", "B 1 A", "C 1 A", "D 2 B C!"))
	v := summaries(d, 1)
	d.Press("*")
	want := []string{"sum_D open", " sum_B open", "  sum_A", " sum_C", "  sum_A"}
	want[3] += " open"
	d.Press("down", "down", "down", "right")
	if diff := cmp.Diff(want, stems(v)); diff != "" {
		t.Error(diff)
	}
	d.Press("down")
	d.Sees("×2 text of A", "under 2 summaries: sum_B, sum_C", "folded into sum_D")
	if got := d.Screen(160, 30); !strings.Contains(got, "text of A") || !strings.Contains(got, "also sum_B") {
		t.Error(got)
	}
}

func TestCycleEnds(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t, "A 1 B", "B 1 A", "C 2 A!"))
	v := summaries(d, 1)
	d.Press("*")
	want := []string{"sum_C open", " sum_A open", "  sum_B open", "   sum_A cycle"}
	if diff := cmp.Diff(want, stems(v)); diff != "" {
		t.Error(diff)
	}
	d.Press("!")
	d.Sees("goes round sum_A", "its sources lead back to it")
	d.Goldens()
}

func TestCycleWithoutBeginning(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t, "A 1 B", "B 1 A"))
	v := summaries(d, 1)
	d.Press("*")
	if got := stems(v); len(got) != 3 || !strings.HasSuffix(got[2], "cycle") {
		t.Error(got)
	}
	d.Sees(outsideOfAll)
}

func TestMissingSource(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t, "A 0", "B 1 A Gone!"))
	v := summaries(d, 1)
	d.Press("!")
	b, _ := v.List.Selected()
	if b.id != "sum_Gone" {
		t.Fatalf("! went to %q", b.id)
	}
	d.Sees("! missing sum_Gone", "sum_B names it as a source")
	d.Misses("d dissolve")
	d.Press("d", "m", "enter", "esc", "right", "left")
	d.Clean(120, 36)
}

func TestManyWaysAreUnfoldedOnce(t *testing.T) {
	lines := []string{"L0a 0", "L0b 0"}
	for i := 1; i < 40; i++ { // 2^40 ways lead down.
		for _, s := range "ab" {
			lines = append(lines, fmt.Sprintf("L%d%c %d L%da L%db", i, s, i, i-1, i-1))
		}
	}
	lines[len(lines)-1] += "!"
	d := viewtest.DriveFile(t, viewtest.Dag(t, lines...))
	v := summaries(d, 1)
	d.Press("*")
	if n := v.List.Len(); n < 40 || n > 170 {
		t.Errorf("%d rows", n)
	}
	d.Press("G", "/")
	d.Write("l0b")
	d.Clean(80, 24)
	d.Press("esc", "g", "-")
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
	d := viewtest.DriveFile(t, viewtest.Dag(t, lines...))
	v := summaries(d, 1)
	d.Press("*", "G")
	if n := v.List.Len(); n != 600 {
		t.Errorf("%d rows", n)
	}
	d.Sees("d0 sum_L0")
	d.Clean(80, 24)
}

const hostile = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe\u2066 a\x00b\x9bc \r\n\ttab \x1b[31mred ![x](http://e.vil) \u200b"

func TestHostileTexts(t *testing.T) {
	path := viewtest.Dag(t, "A 0!", "B 1 A!", "C 1 B")
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
	d := viewtest.DriveFile(t, path)
	for _, tab := range []int{views.TabSummaries, views.TabContext} {
		d.Open(1, tab)
		for range 5 {
			d.Clean(120, 36)
			d.Clean(80, 24)
			d.Press("tab")
			d.Clean(80, 24)
			d.Press("esc", "right", "down")
		}
		d.Press("/")
		d.Write("red")
		d.Clean(80, 24)
		d.Press("esc")
	}
}

func TestReloadKeepsThePlace(t *testing.T) {
	path := viewtest.Dag(t, "A 0", "B 0", "C 1 A", "D 1 B", "E 2 C D!", "F 2 C D!")
	d := viewtest.DriveFile(t, path)
	v := summaries(d, 1)
	d.Press("down", "right", "down", "down", "right", "down")
	before := stems(v)
	b, _ := v.List.Selected()
	if b.id != "sum_B" || v.tree.steps[b.above].id != "sum_D" {
		t.Fatalf("the cursor is on %q", b.id)
	}
	d.Send(ui.ChangedMsg{})
	if diff := cmp.Diff(before, stems(v)); diff != "" {
		t.Error(diff)
	}
	if now, _ := v.List.Selected(); now.key != b.key {
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
	d.Send(ui.ChangedMsg{External: true})
	if now, _ := v.List.Selected(); now.id != "sum_B" {
		t.Errorf("the cursor did not follow its node: %q", now.id)
	}
}

func TestFilterFindsWhatIsFolded(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t, "A 0", "B 1 A", "C 2 B!"))
	v := summaries(d, 1)
	d.Press("left", "/")
	d.Write("text of a")
	d.Sees("1 of 3", "d0 sum_A")
	d.Press("enter", "enter")
	if diff := cmp.Diff([]string{"sum_C open", " sum_B open", "  sum_A"}, stems(v)); diff != "" {
		t.Error(diff)
	}
	if b, _ := v.List.Selected(); b.id != "sum_A" {
		t.Errorf("the cursor is on %q", b.id)
	}
	d.Press("left")
	if b, _ := v.List.Selected(); b.id != "sum_B" {
		t.Errorf("← went to %q", b.id)
	}
	d.Press("/")
	d.Write("sum_c")
	d.Press("esc")
	if b, _ := v.List.Selected(); b.id != "sum_B" {
		t.Errorf("leaving the filter went to %q", b.id)
	}
}

func TestDissolveIsOfferedWhereItCanBeDone(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t, "A 0", "B 1 A", "C 2 B!", "D 0!"))
	v := summaries(d, 1)
	d.Press("*")
	for _, c := range []struct {
		id, why string
	}{
		{"sum_C", ""},
		{"sum_B", "it isn't in the context: sum_C stands there for it"},
		{"sum_D", "it was made of messages; only a summary of summaries can be dissolved"},
	} {
		v.show(c.id)
		b, _ := v.List.Selected()
		if diff := cmp.Diff(c.why, v.dissolveReason(b)); diff != "" {
			t.Errorf("%s: %s", c.id, diff)
		}
		d.Press("d")
		_, reviewed := d.App.Top().(*review.Review)
		if reviewed != (c.why == "") {
			t.Errorf("%s: a review is %v", c.id, reviewed)
		}
		if reviewed {
			d.Press("esc")
		}
	}
}

func TestNothingIsDissolvedReadOnly(t *testing.T) {
	path := viewtest.Dag(t, "A 0", "B 1 A!")
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
	d := viewtest.DriveFile(t, path)
	for _, tab := range []int{views.TabSummaries, views.TabContext} {
		s := d.Open(1, tab)
		i := slices.IndexFunc(s.Actions(), func(a ui.Action) bool { return a.Key.Help().Desc == "dissolve" })
		if a := s.Actions()[i]; a.Key.Enabled() || a.Why != "the file is open read-only; the file lacks the table message_parts: restore a backup" {
			t.Errorf("%T: %v %q", s, a.Key.Enabled(), a.Why)
		}
		d.Press("d")
		if d.App.Top() != s {
			t.Errorf("%T: d did something", s)
		}
	}
}

func TestJumpToMessages(t *testing.T) {
	d := viewtest.DriveDemo(t)
	summaries(d, 2)
	d.Press("m")
	if _, ok := d.App.Top().(*Messages); !ok {
		t.Fatalf("m showed %T", d.App.Top())
	}
}

func TestCopyOfTheText(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t, "A 0!"))
	summaries(d, 1)
	d.Press("Y")
	if diff := cmp.Diff("text of A", d.Clip); diff != "" {
		t.Error(diff)
	}
	d.Press("y")
	if diff := cmp.Diff("sum_A", d.Clip); diff != "" {
		t.Error(diff)
	}
}

func TestPictureOfCoverage(t *testing.T) {
	d := viewtest.DriveSample(t, fakehost.Head)
	v := summaries(d, 1)
	d.Sees("in context", "raw")
	d.Press("v")
	d.Misses(" raw ")
	d.Press("v")
	if got := d.Screen(80, 18); strings.Contains(got, " raw ") {
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
	d := viewtest.DriveFile(t, viewtest.Dag(t, "A 0", "B 1 A!", "C 0!"))
	d.Open(1, views.TabSummaries)
	d.Sees("→ unfold")
	d.Press("right")
	d.Sees("→ its first source")
	d.Misses("→ unfold")
	d.Press("?")
	d.Sees("←  fold")
}
