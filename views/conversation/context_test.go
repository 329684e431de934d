package conversation

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/review"
	"lcm-tui/views/viewtest"
)

func contextOf(d *viewtest.Driver, conv int64) *Context {
	d.T.Helper()
	return d.Open(conv, views.TabContext).(*Context)
}

func TestContextOfTheDemo(t *testing.T) {
	d := viewtest.DriveDemo(t)
	contextOf(d, 2)
	d.Press("t", "up")
	d.Goldens()
}

func TestContextOfTheSample(t *testing.T) {
	d := viewtest.DriveSample(t, fakehost.Head)
	contextOf(d, 1)
	d.Goldens()
}

func TestContextWhatIf(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Wide(t, 40, 1000))
	v := contextOf(d, 1)
	d.Sees("40,000 of 128,000 tokens", "all of it reaches the model")
	for range 4 {
		d.Press("<")
	}
	d.Sees("40,000 of 32,000 tokens", "what if:", "× 8 items fall out, 8,000t")
	if r := v.List.Items()[7]; r.kept {
		t.Error("the eighth item is kept")
	}
	d.Goldens()
	d.Press("<", "<", "<", "<", "<")
	if v.budget <= 0 {
		t.Errorf("the budget is %d", v.budget)
	}
	d.Press("{", "{", "=")
	if v.hasWhatIf() {
		t.Error("= did not end it")
	}
	d.Sees("40,000 of 128,000 tokens", "fresh tail 64")
}

// TestTokensOfAContextAddUpToNoLessThanOneOfThem: of sums that no number holds the largest number is shown.
func TestTokensOfAContextAddUpToNoLessThanOneOfThem(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Wide(t, 5, math.MaxInt64/2))
	contextOf(d, 1)
	d.Sees("9,223,372,036,854,775,807 of 128,000 tokens", "× 5 items fall out, 9,223,372,036,854,775,807t")
	d.Misses("-9", "-4")
}

func TestContextLongTail(t *testing.T) {
	d := viewtest.DriveDemo(t)
	v := contextOf(d, 2)
	for range 30 {
		d.Press("}")
	}
	if v.sums.piece[pieceTail] == 0 || v.sums.piece[pieceOlder] != 0 {
		t.Errorf("%+v", v.sums)
	}
	for range 50 {
		d.Press("{")
	}
	if v.tailCount != 0 || v.sums.piece[pieceTail] != 0 {
		t.Errorf("tail %d, %+v", v.tailCount, v.sums)
	}
	d.Press("t")
	d.Sees("nothing is in the fresh tail")
}

func TestContextJumps(t *testing.T) {
	d := viewtest.DriveDemo(t)
	c := contextOf(d, 2)
	d.Press("enter")
	s, ok := d.App.Top().(*Summaries)
	if !ok {
		t.Fatalf("enter on a summary showed %T", d.App.Top())
	}
	r, _ := c.List.Selected()
	if b, _ := s.List.Selected(); b == nil || b.id != r.Summary {
		t.Errorf("the cursor is not on %s", r.Summary)
	}
	d.Press("3", "G", "enter")
	if _, ok := d.App.Top().(*Messages); !ok {
		t.Fatalf("enter on a message showed %T", d.App.Top())
	}
	r, _ = c.List.Selected()
	d.Sees(fmt.Sprintf("seq %d", r.Seq))
}

func TestContextDissolves(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t, "A 0", "B 1 A!", "C 0!"))
	c := contextOf(d, 1)
	d.Press("down", "d")
	if d.App.Top() != ui.Screen(c) {
		t.Fatal("d on a leaf did something")
	}
	d.Press("up", "d")
	if _, ok := d.App.Top().(*review.Review); !ok {
		t.Fatalf("d showed %T", d.App.Top())
	}
	d.Press("a", "enter")
	if r, _ := c.List.Selected(); r.Summary != "sum_A" {
		t.Errorf("the cursor is on %q", r.Summary)
	}
	d.Misses("sum_B")
}

func TestContextOfWhatIsMissing(t *testing.T) {
	path := viewtest.Dag(t, "A 0!")
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
	d := viewtest.DriveFile(t, path)
	v := contextOf(d, 1)
	d.Sees("! missing: there is no summary sum_gone", "! missing: there is no message 77")
	d.Press("!")
	if r, _ := v.List.Selected(); r.Summary != "sum_gone" {
		t.Errorf("! went to %s", r.Ref())
	}
	d.Sees("The context names this summary at 4")
	d.Press("enter", "d")
	if d.App.Top() != ui.Screen(v) {
		t.Error("one can go to what is missing")
	}
	d.Press("up", "up", "down")
	if r, _ := v.List.Selected(); r.Ordinal != 3 {
		t.Errorf("the second mention can't be reached: at %d", r.Ordinal)
	}
	d.Send(ui.ChangedMsg{})
	if r, _ := v.List.Selected(); r.Ordinal != 3 {
		t.Errorf("reloading went to the other mention, at %d", r.Ordinal)
	}
}

func TestContextEmpty(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t))
	contextOf(d, 1)
	d.Sees("the context is empty: the host fills it")
	d.Press("enter", "d", "t", "!", "<", "tab")
	d.Clean(80, 24)
}

func TestContextDetailOfAMessage(t *testing.T) {
	d := viewtest.DriveDemo(t)
	v := contextOf(d, 2)
	for _, r := range v.List.Items() {
		if r.Role == "tool" {
			v.List.Select(r.key)
			break
		}
	}
	d.Press("J", "K", "tab", "J")
	d.Goldens()
}

func TestContextKeepsItsPlace(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Dag(t, "A 0", "B 0", "C 1 A B!", "D 0!", "E 0!"))
	v := contextOf(d, 1)
	d.Press("d", "a", "enter")
	d.Press("G")
	h, err := fakehost.Open(d.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("DELETE FROM context_items WHERE ordinal = 0"); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	d.Send(ui.ChangedMsg{External: true})
	r, _ := v.List.Selected()
	if diff := cmp.Diff("sum_E", r.Summary); diff != "" {
		t.Error(diff)
	}
}

// TestContextTypedWhatIf: budget and fresh tail are typed, or taken from common sizes, and
// what is no number changes nothing.
func TestContextTypedWhatIf(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Wide(t, 40, 1000))
	v := contextOf(d, 1)
	d.Press("B")
	d.Sees("budget in tokens:", "such as 32k, 128k, 200k")
	d.Write("1M")
	d.Press("enter")
	d.Sees("40,000 of 1,000,000 tokens", "what if:")
	d.Press("B", "up", "up", "enter")
	d.Sees("40,000 of 128,000 tokens")
	d.Press("T")
	d.Write("5")
	d.Press("enter", "B")
	d.Write("3000")
	d.Press("enter")
	if v.tailCount != 5 || v.budget != 3000 {
		t.Errorf("tail %d, budget %d", v.tailCount, v.budget)
	}
	d.Press("B")
	d.Write("many")
	d.Press("enter")
	d.Sees(`"many" is not a number`)
	d.Press("B", "esc")
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
		`[exec] "{\"cmd\":\"cat a.go\"}"`:                "[exec] cat a.go",
		`[exec] "line one\nline`:                         "[exec] line one line",
		`see [the notes] {"command":"x"}`:                `see [the notes] {"command":"x"}`,
		"## A heading":                                   "A heading",
	} {
		if got := views.ItemPreview(&lcm.ContextItem{Message: 1, Preview: preview}, 80); got != want {
			t.Errorf("%q is %q, want %q", preview, got, want)
		}
	}
	if got := views.ItemPreview(&lcm.ContextItem{Message: 1, Role: "user", Preview: `[note] "as typed"`}, 80); got != `[note] "as typed"` {
		t.Errorf("of a user: %q", got)
	}
}

// TestAnAnswerInTheMetadataIsSeenInTheContext as it is among the messages.
func TestAnAnswerInTheMetadataIsSeenInTheContext(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Fixture(t, "v0.15.3/small.db"))
	db, err := fakehost.Open(d.Path)
	testdb.Must(t, err)
	testdb.Must(t, db.Exec("UPDATE context_items SET item_type = 'message', summary_id = NULL, message_id = (SELECT message_id FROM messages WHERE conversation_id = 1 AND seq = 7) WHERE conversation_id = 1 AND ordinal = 0"))
	testdb.Must(t, db.Close())
	d.Open(1, views.TabContext)
	d.Sees("export const POOL = 34;")
}
