package transcripts

import (
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ui"
	"lcm-tui/views/viewtest"
)

// TestSliceOfMarkedConversations: the palette of the list leads to what the new file would hold, nothing is
// written before a name is given, and the file holds the marked conversations, ended for another machine.
func TestSliceOfMarkedConversations(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("space", "space")
	d.Palette("slice")
	d.Sees("copy 2 marked conversations into a new database")
	d.Press("enter")
	d.Sees("holds 2 conversations", "to look at: rows as they are", "messages", "summaries")
	d.Press("m")
	d.Sees("for another machine: archived")
	to := filepath.Join(t.TempDir(), "new.db")
	d.Press("enter")
	d.Sees("Write to: slice-of-2.db", "a new database, private to you")
	d.Press("ctrl+u")
	d.Write(to)
	d.Press("enter")
	d.Sees("wrote 2 conversations", "written and checked", to)
	all, err := lcm.Conversations(t.Context(), testdb.Open(t, to))
	if err != nil || len(all) != 2 || all[0].Active || all[1].Active {
		t.Errorf("the file holds %+v, %v", all, err)
	}
	d.Press("enter", "ctrl+u")
	d.Write(to)
	d.Press("enter")
	d.Sees("Write to:", "there is a file already")
}

// TestSliceWithLinks: where links lead to another conversation it is copied too, and said to be, or else the links
// are left out.
func TestSliceWithLinks(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	d.Exec("INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT (SELECT min(summary_id) FROM summaries WHERE conversation_id = 1 AND kind = 'leaf'), (SELECT min(message_id) FROM messages WHERE conversation_id = 2), 900")
	d.Send(ui.PushMsg{Screen: NewSlice(d.Env, []int64{1})})
	d.Sees("holds 2 conversations", "links lead to other conversations: these are copied too", "+ ")
	d.Press("w")
	d.Sees("holds 1 conversation:", "the links are left out")
}

// TestSliceFromTheExport: what writes a conversation into a file also leads to a new database.
func TestSliceFromTheExport(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("X", "d")
	d.Sees("› Slice", "holds 1 conversation:")
}

// TestBundleScreen: every file can be read before the zip file is written, which is private.
func TestBundleScreen(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Palette("bundle")
	d.Press("enter")
	d.Sees("no secret was found", "doctor.json", "timeline.json", `"level"`)
	d.Misses("agent:main:main")
	to := filepath.Join(t.TempDir(), "report.zip")
	d.Press("w")
	d.Sees("Write to: report.zip")
	d.Press("ctrl+u")
	d.Write(to)
	d.Press("enter")
	d.Sees("wrote " + to)
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
		t.Errorf("%v %v", info, err)
	}
	d.Press("w", "ctrl+u")
	d.Write(to)
	d.Press("enter")
	d.Sees("Write to:", "~ ")
}
