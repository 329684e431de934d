package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ops"
	"lcm-tui/ui"
)

// sides draws two texts beside each other, 43 cells wide, without styles and blanks at the ends of lines.
func sides(before, after string) string {
	s := ui.NewStyles(true)
	var out []string
	for l := range strings.Lines(ansi.Strip(SideBySide(DiffRows(ops.Words(before, after), &s), 43, &s))) {
		out = append(out, strings.TrimRight(l, " \n"))
	}
	return strings.Join(out, "\n")
}

// TestTextsBesideEachOther: a line stands beside the line that it became, and lines that have nothing in common leave no
// blank lines between those of a text.
func TestTextsBesideEachOther(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, after, want string }{
		{"the budget is 3 of 12 retries now\nend", "the budget is 5 of 12 retries now\nend", "" +
			"− the budget is 3 of │ + the budget is 5 of\n" +
			"− 12 retries now     │ + 12 retries now\n" +
			"  end                │   end"},
		{"alpha beta\ngamma delta", "one two three four five six seven eight\nnine", "" +
			"− alpha beta         │ + one two three four\n" +
			"− gamma delta        │ + five six seven\n" +
			"                     │ + eight\n" +
			"                     │ + nine"},
	} {
		if got := sides(c.before, c.after); got != c.want {
			t.Errorf("%q beside %q is\n%s\nwant\n%s", c.before, c.after, got, c.want)
		}
	}
}

// TestOnlyChangedWordsAreMarked: of a line that changed in part the words are marked, a line that is wholly another has
// only its sign.
func TestOnlyChangedWordsAreMarked(t *testing.T) {
	t.Parallel()
	s := ui.NewStyles(true)
	rows := DiffRows(ops.Words("the budget is 3 of 12\nalpha beta", "the budget is 5 of 12\nuno dos"), &s)
	if len(rows) != 2 || rows[0].after != "the budget is "+s.AddedWord.Render("5")+" of 12" || rows[0].before != "the budget is "+s.RemovedWord.Render("3")+" of 12" {
		t.Errorf("%+v", rows)
	}
	if rows[1].before != "alpha beta" || rows[1].after != "uno dos" {
		t.Errorf("%+v", rows[1])
	}
}
