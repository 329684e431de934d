package home

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// leftWork drives the screens of a file that take work for the time when it is closed.
func leftWork(t *testing.T, path string) (d *viewtest.Driver, left *views.ClosedWork) {
	t.Helper()
	d, left = viewtest.DriveFile(t, path), &views.ClosedWork{}
	d.Env.WhileClosed = func(w views.ClosedWork) { *left = w }
	return d, left
}

// TestSpaceIsGivenBackWhileTheFileIsClosed: after a yes the screens end, and the work that is left
// gives the space back; once they are gone it may take the place of the file.
func TestSpaceIsGivenBackWhileTheFileIsClosed(t *testing.T) {
	t.Parallel()
	d, left := leftWork(t, testdb.Sample(t, fakehost.Head))
	d.Palette("give unused")
	d.Press("enter")
	d.Sees("Give unused space back?", "The screens end while")
	d.Press("esc")
	if d.Quit || left.Run != nil {
		t.Fatal("it began without a yes")
	}
	d.Palette("give unused")
	d.Press("enter", "y")
	if !d.Quit || !d.App.Restart() || left.Run == nil {
		t.Fatalf("quit %v, work %q", d.Quit, left.Name)
	}
	done, err := left.Run(t.Context(), func(int, int, string) {}) // The driver's handle is still open.
	if err != nil || !strings.Contains(done, "and take") || !strings.Contains(done, "isn't rewritten") {
		t.Errorf("%q, %v", done, err)
	}
}

// TestABackupIsRestoredWhileTheFileIsClosed: the question says what is lost; the work refuses while
// somebody has the file open, and restores when nobody has.
func TestABackupIsRestoredWhileTheFileIsClosed(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	backup := path + ".before.bak"
	db := testdb.Open(t, path)
	if _, err := db.Backup(t.Context(), backup, func(int, int, string) {}); err != nil {
		t.Fatal(err)
	}
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.Exec("DELETE FROM focus_briefs"), h.Exec("UPDATE messages SET content = 'else'"), h.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	d, left := leftWork(t, path)
	d.Palette("restore " + filepath.Base(backup))
	d.Press("enter")
	d.Sees("Restore this backup?", "Lost for good: 0 messages")
	d.Press("y")
	if !d.Quit || left.Run == nil {
		t.Fatal("the screens didn't end")
	}
	if _, err := left.Run(t.Context(), func(int, int, string) {}); !errors.Is(err, data.ErrInUse) {
		t.Errorf("beside a handle: %v", err)
	}
	d.Jobs.Close()
	if err := d.Env.DB.Close(); err != nil {
		t.Fatal(err)
	}
	done, err := left.Run(context.Background(), func(int, int, string) {})
	if err != nil || !strings.Contains(done, "restored") {
		t.Fatalf("%q, %v", done, err)
	}
	if n, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE content = 'else'"); err != nil || n != 0 {
		t.Errorf("%d messages are as they were, %v", n, err)
	}
}

// TestWithoutANextStartNothingIsLeftToDo: the palette says why.
func TestWithoutANextStartNothingIsLeftToDo(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	if got := d.Palette("give unused"); !strings.Contains(got, "needs the program to be started") {
		t.Errorf("no reason:\n%s", got)
	}
}

// TestADamagedFileIsSalvagedWhileItIsClosed: from the palette and from what health found, a new file is
// made beside the damaged one, under a name that nothing has.
func TestADamagedFileIsSalvagedWhileItIsClosed(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "faults/sqlite-truncated.db")
	base := strings.TrimSuffix(path, ".db")
	if err := os.WriteFile(base+"-salvaged.db", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d, left := leftWork(t, path)
	d.Palette("salvage")
	d.Press("enter")
	d.Sees("Save what can still be read?", "is only read")
	d.Press("esc")
	d.Press("h")
	d.CursorOn("Damaged pages")
	d.Press("R")
	d.Sees("Save what can still be read?")
	d.Press("y")
	if !d.Quit || left.Run == nil {
		t.Fatalf("quit %v, work %q", d.Quit, left.Name)
	}
	if err := d.Env.DB.Close(); err != nil {
		t.Fatal(err)
	}
	d.Closed = true
	done, err := left.Run(t.Context(), func(int, int, string) {})
	if err != nil || !strings.Contains(done, "-salvaged-2.db: 2 conversations, 33 messages, 0 summaries; lost are rows of messages") {
		t.Errorf("%q, %v", done, err)
	}
	if db := testdb.Open(t, base+"-salvaged-2.db"); len(db.Warnings()) > 0 {
		t.Errorf("the new file: %v", db.Warnings())
	}
}

// TestTheStartSaysWhatWasDone while the file was closed, also where there is something wrong with the file.
func TestTheStartSaysWhatWasDone(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"sound": testdb.Sample(t, fakehost.Head), "damaged": testdb.Fixture(t, "faults/sqlite-truncated.db")} {
		d := viewtest.DriveFile(t, path)
		d.Env.Notice = ui.StatusMsg{Text: "it was done", Kind: ui.Done, Stays: true}
		d.Press("down") // What was wrong when the driver began was read.
		d.Send(ui.PushMsg{Screen: NewConversations(d.Env)})
		if !strings.Contains(d.Screen(120, 36), "it was done") {
			t.Errorf("%s: what became of the work isn't shown:\n%s", name, d.Screen(120, 36))
		}
	}
}
