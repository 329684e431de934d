package home

import (
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/conversation"
	"lcm-tui/views/viewtest"
)

// TestPaletteReachesEveryPlace goes from inside a conversation to each place of the program,
// and back to where it was.
func TestPaletteReachesEveryPlace(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for query, want := range map[string]string{
		"history": "History", "health of the file": "Health", "settings": "Settings", "session files": "Session files", "choose the model": "Model",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveDemo(t)
			v := d.Open(2, views.TabSummaries)
			if query == "settings" || query == "choose the model" {
				if got := d.Palette(query); !strings.Contains(got, query+" – no ") {
					t.Errorf("where there is none, the reason is not told:\n%s", got)
				}
				return
			}
			d.Palette(query)
			d.Press("enter")
			if got := d.App.Top().Title(); !strings.Contains(got, want) {
				t.Errorf("it leads to %q, not to %q", got, want)
			}
			if d.Press("esc"); d.App.Top() != v {
				t.Errorf("back leads to %s", d.App.Top().Title())
			}
		})
	}
}

// server is a database on a server: a home, or a source of a replica.
type server struct{ home bool }

func (s server) Replica() (*data.Replica, bool) { return nil, true }
func (s server) IsHome() bool                   { return s.home }

// TestNoBackupWithoutAFile: a server has no file that could be copied, and the reason says what to do.
func TestNoBackupWithoutAFile(t *testing.T) {
	t.Parallel()
	for want, db := range map[string]server{"pg_dump makes a backup": {home: true}, "on the machine where the file is": {}} {
		if got := whyNoBackup(db); !strings.Contains(got, want) {
			t.Errorf("%+v: %q", db, got)
		}
	}
	if got := whyNoBackup(viewtest.DriveDemo(t).Env.DB); got != "" {
		t.Errorf("of a file: %q", got)
	}
}

// TestPaletteRedoesInABurst: the command is there before the history is read, and no other row is first until then.
func TestPaletteRedoesInABurst(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	d.Open(2, views.TabSummaries)
	d.Press("d", "a", "u", "enter", "esc")
	if got := d.Palette("redo"); !strings.Contains(got, "▌redo what was undone last: #1 dissolve") {
		t.Error(got)
	}
	d.Press("enter")
	d.Sees("redo #1: dissolve", "nothing is written yet")
}

func TestPaletteReturnsToAllConversations(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	d.Open(2, views.TabSummaries)
	d.Press("m")
	d.Palette("all conversations")
	if d.Press("enter"); d.App.Depth() != 1 {
		t.Errorf("it leads to %s", d.App.Top().Title())
	}
}

func TestPaletteFindsByNameAndID(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	first := func(query string) ui.Screen {
		t.Helper()
		d.Palette(query)
		d.Press("enter")
		return d.App.Top()
	}
	if s, ok := first("main:line").(*conversation.Messages); !ok || s.Hub.Row.SessionKey != "agent:main:line:direct:sakura" {
		t.Errorf("a conversation's key leads to %s", d.App.Top().Title())
	}
	d.Send(ui.HomeMsg{})
	s, ok := first("tidewat").(*conversation.Messages)
	if !ok || s.Hub.Row.Title != "Tidewater" {
		t.Fatalf("a conversation's name leads to %s", d.App.Top().Title())
	}
	conv := s.Hub.Row.ID
	d.Press("g")
	message, _ := s.List.Selected()
	d.Press("s")
	summary := d.App.Top().(*conversation.Summaries).Copy()
	d.Send(ui.HomeMsg{})
	if s, ok := first("#" + views.Itoa(conv)).(*conversation.Messages); !ok || s.Hub.Row.ID != conv {
		t.Errorf("a conversation's id leads to %s", d.App.Top().Title())
	}
	d.Send(ui.HomeMsg{})
	d.Palette("#" + views.Itoa(message.ID))
	d.Sees("message #"+views.Itoa(message.ID), "conversation #"+views.Itoa(conv))
	d.Press("esc")
	for _, query := range []string{summary, summary[:12], views.ShortID(summary, views.IDWidth)} {
		if s, ok := first(query).(*conversation.Summaries); !ok || s.Copy() != summary {
			t.Errorf("%s leads to %s of %s", query, d.App.Top().(ui.Copier).Copy(), d.App.Top().Title())
		}
		d.Send(ui.HomeMsg{})
	}
	if got := d.Palette("nowhere to be found"); !strings.Contains(got, "nothing is called that") {
		t.Errorf("what is nowhere is found:\n%s", got)
	}
}

// TestPaletteFindsOnlyWhatIsSeen: a session id, which no list shows, is compared with what
// looks like one, and with nothing else.
func TestPaletteFindsOnlyWhatIsSeen(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	row, err := lcm.ReadConversation(t.Context(), d.Env.DB, 2)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]bool{row.SessionID[:8]: true, row.SessionID: true, row.SessionID[:2]: false} {
		found, err := findConversations(t.Context(), d.Env, query)
		if err != nil {
			t.Fatal(err)
		}
		hit := false
		for _, c := range found {
			hit = hit || c.Kind == "conversation #2" && c.Found
		}
		if hit != want {
			t.Errorf("%q finds the conversation: %v", query, hit)
		}
	}
}

func TestPaletteUndoesTheLastChange(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Palette("undo")
	d.Sees("undo the last change – lcm-tui has changed nothing")
	d.Press("esc")
	d.OpenReview()
	d.Press("a", "enter")
	d.Send(ui.HomeMsg{})
	d.Palette("undo")
	d.Press("enter")
	d.Sees("Review", "undo #1")
}
