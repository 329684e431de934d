package views

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ui"
)

func (d *driver) contextOf(conv int64) *Context {
	d.t.Helper()
	return d.open(conv, tabContext).(*Context)
}

func TestContextOfTheDemo(t *testing.T) {
	d := driveDemo(t)
	d.contextOf(2)
	d.press("t", "up")
	d.goldens()
}

func TestContextOfTheSample(t *testing.T) {
	d := driveSample(t, fakehost.Head)
	d.contextOf(1)
	d.goldens()
}

func TestContextWhatIf(t *testing.T) {
	d := driveFile(t, wide(t, 40, 1000))
	v := d.contextOf(1)
	d.sees("40,000 of 128,000 tokens", "all of it reaches the model")
	for range 4 {
		d.press("<")
	}
	d.sees("40,000 of 32,000 tokens", "what if:", "× 8 items fall out, 8,000t")
	if r := v.list.Items()[7]; r.kept {
		t.Error("the eighth item is kept")
	}
	d.goldens()
	d.press("<", "<", "<", "<", "<")
	if v.budget <= 0 {
		t.Errorf("the budget is %d", v.budget)
	}
	d.press("{", "{", "=")
	if v.hasWhatIf() {
		t.Error("= did not end it")
	}
	d.sees("40,000 of 128,000 tokens", "fresh tail 64")
}

func TestContextLongTail(t *testing.T) {
	d := driveDemo(t)
	v := d.contextOf(2)
	for range 30 {
		d.press("}")
	}
	if v.sums.piece[pieceTail] == 0 || v.sums.piece[pieceOlder] != 0 {
		t.Errorf("%+v", v.sums)
	}
	for range 50 {
		d.press("{")
	}
	if v.tailCount != 0 || v.sums.piece[pieceTail] != 0 {
		t.Errorf("tail %d, %+v", v.tailCount, v.sums)
	}
	d.press("t")
	d.sees("nothing is in the fresh tail")
}

func TestContextJumps(t *testing.T) {
	d := driveDemo(t)
	c := d.contextOf(2)
	d.press("enter")
	s, ok := d.app.Top().(*Summaries)
	if !ok {
		t.Fatalf("enter on a summary showed %T", d.app.Top())
	}
	r, _ := c.list.Selected()
	if b, _ := s.list.Selected(); b == nil || b.id != r.Summary {
		t.Errorf("the cursor is not on %s", r.Summary)
	}
	d.press("3", "G", "enter")
	if _, ok := d.app.Top().(*Messages); !ok {
		t.Fatalf("enter on a message showed %T", d.app.Top())
	}
	r, _ = c.list.Selected()
	d.sees(fmt.Sprintf("seq %d", r.Seq))
}

func TestContextDissolves(t *testing.T) {
	d := driveFile(t, dag(t, "A 0", "B 1 A!", "C 0!"))
	c := d.contextOf(1)
	d.press("down", "d")
	if d.app.Top() != ui.Screen(c) {
		t.Fatal("d on a leaf did something")
	}
	d.press("up", "d")
	if _, ok := d.app.Top().(*Review); !ok {
		t.Fatalf("d showed %T", d.app.Top())
	}
	d.press("a", "enter")
	if r, _ := c.list.Selected(); r.Summary != "sum_A" {
		t.Errorf("the cursor is on %q", r.Summary)
	}
	d.misses("sum_B")
}

func TestContextOfWhatIsMissing(t *testing.T) {
	path := dag(t, "A 0!")
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		"PRAGMA foreign_keys = OFF",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id) VALUES (1, 3, 'summary', 'sum_A'), (1, 4, 'summary', 'sum_gone')",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) VALUES (1, 5, 'message', 77)",
	} {
		if err := h.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	d := driveFile(t, path)
	v := d.contextOf(1)
	d.sees("! missing: there is no summary sum_gone", "! missing: there is no message 77")
	d.press("!")
	if r, _ := v.list.Selected(); r.Summary != "sum_gone" {
		t.Errorf("! went to %s", r.Ref())
	}
	d.sees("The context names this summary at 4")
	d.press("enter", "d")
	if d.app.Top() != ui.Screen(v) {
		t.Error("one can go to what is missing")
	}
	d.press("up", "up", "down")
	if r, _ := v.list.Selected(); r.Ordinal != 3 {
		t.Errorf("the second mention can't be reached: at %d", r.Ordinal)
	}
	d.send(ui.ChangedMsg{})
	if r, _ := v.list.Selected(); r.Ordinal != 3 {
		t.Errorf("reloading went to the other mention, at %d", r.Ordinal)
	}
}

func TestContextEmpty(t *testing.T) {
	d := driveFile(t, dag(t))
	d.contextOf(1)
	d.sees("the context is empty: the host fills it")
	d.press("enter", "d", "t", "!", "<", "tab")
	d.clean(80, 24)
}

func TestContextDetailOfAMessage(t *testing.T) {
	d := driveDemo(t)
	v := d.contextOf(2)
	for _, r := range v.list.Items() {
		if r.Role == "tool" {
			v.list.Select(r.key)
			break
		}
	}
	d.press("J", "K", "tab", "J")
	d.goldens()
}

func TestContextKeepsItsPlace(t *testing.T) {
	d := driveFile(t, dag(t, "A 0", "B 0", "C 1 A B!", "D 0!", "E 0!"))
	v := d.contextOf(1)
	d.press("d", "a", "enter")
	d.press("G")
	h, err := fakehost.Open(d.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("DELETE FROM context_items WHERE ordinal = 0"); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	d.send(ui.ChangedMsg{External: true})
	r, _ := v.list.Selected()
	if diff := cmp.Diff("sum_E", r.Summary); diff != "" {
		t.Error(diff)
	}
}

// TestContextTypedWhatIf: budget and fresh tail are typed, or taken from common sizes, and
// what is no number changes nothing.
func TestContextTypedWhatIf(t *testing.T) {
	t.Parallel()
	d := driveFile(t, wide(t, 40, 1000))
	v := d.contextOf(1)
	d.press("B")
	d.sees("budget in tokens:", "such as 32k, 128k, 200k")
	d.write("1M")
	d.press("enter")
	d.sees("40,000 of 1,000,000 tokens", "what if:")
	d.press("B", "up", "up", "enter")
	d.sees("40,000 of 128,000 tokens")
	d.press("T")
	d.write("5")
	d.press("enter", "B")
	d.write("3000")
	d.press("enter")
	if v.tailCount != 5 || v.budget != 3000 {
		t.Errorf("tail %d, budget %d", v.tailCount, v.budget)
	}
	d.press("B")
	d.write("many")
	d.press("enter")
	d.sees(`"many" is not a number`)
	d.press("B", "esc")
	if v.budget != 3000 {
		t.Errorf("the budget is %d", v.budget)
	}
}

// TestAToolCallInTheContextReadsAsAmongTheMessages: also where its input is cut off.
func TestAToolCallInTheContextReadsAsAmongTheMessages(t *testing.T) {
	t.Parallel()
	for preview, want := range map[string]string{
		`[exec] {"command":"make apply"}`:                "[exec] make apply",
		`[exec] {"command":"make apply ENV=prod && make`: "[exec] make apply ENV=prod && make",
		`[read] {"path":"main.go","limit":100`:           "[read] main.go",
		`[read] {"path":"main.go","limits":[1,`:          `[read] {"path":"main.go","limits":[1,`,
		"[exec] ok":                                      "[exec] ok",
		`see [the notes] {"command":"x"}`:                `see [the notes] {"command":"x"}`,
		"## A heading":                                   "A heading",
	} {
		if got := itemPreview(&lcm.ContextItem{Message: 1, Preview: preview}, 80); got != want {
			t.Errorf("%q is %q, want %q", preview, got, want)
		}
	}
}
