package views

import (
	"os"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/faults"
	"lcm-tui/ui"
)

// changeSome changes a copy of the demonstration in every way that the screen of differences shows.
const changeSome = `UPDATE messages SET content = '[LCM Forgotten: user message 3, 2026-01-05, 60 bytes]' WHERE message_id = 3;
UPDATE messages SET content = content || ' It was said later that this is not so.' WHERE message_id = 4;
UPDATE summaries SET content = replace(content, 'the', 'THE') WHERE summary_id = (SELECT min(summary_id) FROM summaries WHERE conversation_id = 2);
UPDATE context_items SET ordinal = ordinal + 1000 WHERE conversation_id = 2;
UPDATE context_items SET ordinal = ordinal - 999 WHERE conversation_id = 2;
UPDATE conversations SET active = 0 WHERE conversation_id = 3;
INSERT INTO conversations (conversation_id, session_id, session_key, created_at) VALUES (99, 'new', 'agent:main:new', '2026-03-18 11:00:00')`

// openDiff shows what differs between the demonstration and a copy that changeSome changed, named as a
// backup or as another database.
func (d *driver) openDiff(backup bool) *Diff {
	d.t.Helper()
	path := d.path + ".before.bak"
	content, err := os.ReadFile(d.path)
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err == nil {
		err = faults.Alter(path, changeSome)
	}
	if err == nil {
		err = os.Chtimes(path, demoNow.Add(-time.Hour), demoNow.Add(-time.Hour))
	}
	if err != nil {
		d.t.Fatal(err)
	}
	source := fileSource(path, backup)
	source.name = "other.db"
	v := newDiff(d.env, source)
	d.send(ui.PushMsg{Screen: v})
	return v
}

// unfoldedDiff is openDiff with conversation 2 unfolded.
func (d *driver) unfoldedDiff() *Diff {
	d.t.Helper()
	v := d.openDiff(false)
	v.list.Select("2changed")
	d.press("right")
	return v
}

func TestDifferencesOfAnotherFile(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.openDiff(false)
	d.sees("added", "archived", "changed", "agent:main:new", "differ")
	d.golden()
}

func TestRowsOfAConversationAreUnfoldedAndVisited(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	v := d.unfoldedDiff()
	d.sees("▾ #2", "rewritten", "↕ context")
	d.press("down")
	d.goldens()
	at, _ := v.list.Selected()
	d.press("g")
	summaries, ok := d.app.Top().(*Summaries)
	if !ok {
		t.Fatalf("g leads to %s", d.app.Top().Title())
	}
	if n, ok := summaries.list.Selected(); !ok || n.node.ID != data.CellText(at.row.Value("summary_id")) {
		t.Error("the cursor is on another summary")
	}
	d.press("esc", "left")
	d.misses("sum_0422")
}

func TestTheBackupIsChosenAndIsTheEarlierFile(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.openDiff(true)
	d.sees("removed", "unarchived")
	d.press("esc")
	d.send(ui.PushMsg{Screen: NewDiffChoice(d.env)})
	d.sees("backup", "1h ago", "before.bak")
	d.press("enter")
	d.sees("unarchived", "agent:main:new")
}

func TestDifferencesBeforeARecord(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.review()
	d.press("a", "enter")
	d.send(ui.PushMsg{Screen: NewHistory(d.env)})
	d.press("x")
	d.sees("before #1", "1 conversation differs", "+ context", "− context")
	d.press("esc", "u", "a")
	d.send(ui.PushMsg{Screen: NewHistory(d.env)})
	d.press("x")
	d.sees("nothing differs")
}

func TestAnUnreadableFileIsNotCompared(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.send(ui.PushMsg{Screen: newDiff(d.env, fileSource(d.path+".gone", false))})
	d.sees("can't be compared", "there is no such file")
}
