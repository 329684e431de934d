package views

import (
	"strings"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// TestPaletteReachesEveryPlace goes from inside a conversation to each place of the program,
// and back to where it was.
func TestPaletteReachesEveryPlace(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"history": "History", "health of the file": "Health", "settings": "Settings", "session files": "Session files", "choose the model": "Model",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			d := driveDemo(t)
			v := d.open(2, tabSummaries)
			if query == "settings" || query == "choose the model" {
				if got := d.palette(query); !strings.Contains(got, query+" – no ") {
					t.Errorf("where there is none, the reason is not told:\n%s", got)
				}
				return
			}
			d.palette(query)
			d.press("enter")
			if got := d.app.Top().Title(); !strings.Contains(got, want) {
				t.Errorf("it leads to %q, not to %q", got, want)
			}
			if d.press("esc"); d.app.Top() != v {
				t.Errorf("back leads to %s", d.app.Top().Title())
			}
		})
	}
}

func TestPaletteReturnsToAllConversations(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.open(2, tabSummaries)
	d.press("m")
	d.palette("all conversations")
	if d.press("enter"); d.app.Depth() != 1 {
		t.Errorf("it leads to %s", d.app.Top().Title())
	}
}

func TestPaletteFindsByNameAndID(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	first := func(query string) ui.Screen {
		t.Helper()
		d.palette(query)
		d.press("enter")
		return d.app.Top()
	}
	if s, ok := first("main:line").(*Messages); !ok || s.hub.row.SessionKey != "agent:main:line:direct:sakura" {
		t.Errorf("a conversation's key leads to %s", d.app.Top().Title())
	}
	d.send(ui.HomeMsg{})
	s, ok := first("tidewat").(*Messages)
	if !ok || s.hub.row.Title != "Tidewater" {
		t.Fatalf("a conversation's name leads to %s", d.app.Top().Title())
	}
	conv := s.hub.row.ID
	d.press("g")
	message, _ := s.list.Selected()
	d.press("s")
	summary := d.app.Top().(*Summaries).Copy()
	d.send(ui.HomeMsg{})
	if s, ok := first("#" + itoa(conv)).(*Messages); !ok || s.hub.row.ID != conv {
		t.Errorf("a conversation's id leads to %s", d.app.Top().Title())
	}
	d.send(ui.HomeMsg{})
	d.palette("#" + itoa(message.ID))
	d.sees("message #"+itoa(message.ID), "conversation #"+itoa(conv))
	d.press("esc")
	for _, query := range []string{summary, summary[:12], shortID(summary, idInList)} {
		if s, ok := first(query).(*Summaries); !ok || s.Copy() != summary {
			t.Errorf("%s leads to %s of %s", query, d.app.Top().(ui.Copier).Copy(), d.app.Top().Title())
		}
		d.send(ui.HomeMsg{})
	}
	if got := d.palette("nowhere to be found"); !strings.Contains(got, "nothing is called that") {
		t.Errorf("what is nowhere is found:\n%s", got)
	}
}

// TestPaletteFindsOnlyWhatIsSeen: a session id, which no list shows, is compared with what
// looks like one, and with nothing else.
func TestPaletteFindsOnlyWhatIsSeen(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	row, err := lcm.ReadConversation(t.Context(), d.env.DB, 2)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]bool{row.SessionID[:8]: true, row.SessionID: true, row.SessionID[:2]: false} {
		found, err := d.env.findConversations(t.Context(), query)
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
	d := driveDemo(t)
	d.palette("undo")
	d.sees("undo the last change – lcm-tui has changed nothing")
	d.press("esc")
	d.openReview()
	d.press("a", "enter")
	d.send(ui.HomeMsg{})
	d.palette("undo")
	d.press("enter")
	d.sees("Review", "undo #1")
}
