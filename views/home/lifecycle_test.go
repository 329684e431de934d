package home

import (
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/views/review"
	"lcm-tui/views/viewtest"
)

// TestASessionBegins: the screen says what stays and what each reason does, and opens the review, from where it is
// written and undone.
func TestASessionBegins(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press(".", "N")
	d.Sees("› Begin or end", "new: empty the context", "summaries of depth 2 and above stay", "reset: begin another one", "end the session", "where no summary stays,")
	d.Press("d", "d")
	d.Sees("summaries of depth 1 and above stay")
	d.Press("G", "c")
	d.Sees("reason: reset", "and begins another one.")
	d.Press("c", "c")
	d.Sees("not possible: a host does nothing")
	d.Goldens()
	d.Press("up", "enter")
	if _, ok := d.App.Top().(*review.Review); !ok {
		t.Fatalf("a reset opens %T", d.App.Top())
	}
	d.Sees("nothing is written yet", "insert conversations 9")
	d.Press("a")
	d.Sees("applied as #1")
	d.Press("u")
	d.Sees("#1 is undone")
}

// TestNoSessionBeginsInAFileThatIsNotWritten: the reason stands beside what would be possible.
func TestNoSessionBeginsInAFileThatIsNotWritten(t *testing.T) {
	t.Parallel()
	path := viewtest.Dag(t, "A 0", "B 1 A!")
	h, err := fakehost.Open(path)
	testdb.Must(t, err)
	testdb.Must(t, h.Exec("DROP TABLE message_parts"))
	testdb.Must(t, h.Close())
	d := viewtest.DriveFile(t, path)
	d.Press(".", "N")
	d.Sees("new: empty the context", "not possible: the file is open read-only", "end the session")
	d.Misses("could not be read")
}

// TestThePaletteBeginsAndEndsSessions: words of the operations are entries of the palette, which open the review.
func TestThePaletteBeginsAndEndsSessions(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for word, sees := range map[string]string{"reset": "reset ", "end the session": "end the session of", "empty the context": "empty the context of"} {
		d := viewtest.DriveDemo(t)
		d.Palette(word)
		d.Press("enter")
		d.Sees(sees, "nothing is written yet")
	}
}
