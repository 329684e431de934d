package home

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestUncheckedIsNeitherSoundNorDamaged: what nobody has checked is said by the key and
// in the order by damage, and stands between the damaged and the sound.
func TestUncheckedIsNeitherSoundNorDamaged(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	c := d.App.Top().(*Conversations)
	items := c.List.Rows()
	d.Env.Sound, d.Env.Whole = nil, false
	if say := viewtest.Plain(status(c.nextDamaged())); !strings.Contains(say, "no conversation of this list is checked yet") {
		t.Errorf("! says %q", say)
	}
	d.Env.Learn(items[0].ID, integrity.Diagnosis{})
	d.Env.Learn(items[3].ID, integrity.Diagnosis{Findings: []integrity.Finding{{Conversation: items[3].ID, Severity: integrity.Error}}})
	d.Jobs.Cancel(c, "health")
	sound, damaged := items[0].ID, items[3].ID
	say := viewtest.Plain(status(c.nextDamaged()))
	if want := "6 conversations aren't checked yet"; !strings.Contains(say, want) {
		t.Errorf("! says %q, want %q", say, want)
	}
	d.Env.Sound[damaged] = views.Soundness{}
	if say := viewtest.Plain(status(c.nextDamaged())); !strings.Contains(say, "no damage in the 2 of 8 conversations that are checked") {
		t.Errorf("! says %q", say)
	}
	d.Env.Learn(damaged, integrity.Diagnosis{Findings: []integrity.Finding{{Conversation: damaged, Severity: integrity.Error}}})
	for c.List.SortName() != sortDamage {
		c.List.Update(tea.KeyPressMsg{Code: 'o', Text: "o"})
	}
	if bar := viewtest.Plain(c.View(120, 30)); !strings.Contains(bar, "6 not checked yet") {
		t.Errorf("the order by damage doesn't say what isn't checked:\n%s", bar)
	}
	sorted := c.List.Rows()
	if first, last := sorted[0].ID, sorted[len(sorted)-1].ID; first != damaged || last != sound {
		t.Errorf("first is %d and last %d, want %d and %d", first, last, damaged, sound)
	}
}

// TestConversationsThatWereNotRead aren't said to be read for ever: the list says why it is empty, and ctrl+r reads it.
func TestConversationsThatWereNotRead(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	c := d.App.Top().(*Conversations)
	c.loads, c.rows = 0, nil
	c.List.SetItems(nil)
	c.Update(ui.FailedMsg{Name: "load", Err: data.ErrLocked})
	d.Sees("what belongs here could not be read; ctrl+r tries again")
	d.Press("ctrl+r")
	d.Sees("8 conversations", "Tidewater")
}

// TestUnreadableIsNotSound: where pages of the file can't be read, a conversation
// without findings of its own gets no mark of a sound one.
func TestUnreadableIsNotSound(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	conv := d.App.Top().(*Conversations).List.Rows()[0].ID
	pages := integrity.Finding{Fault: "S01", Severity: integrity.Fatal}
	for _, checked := range []int64{conv, 0} {
		d.Env.Learn(checked, integrity.Diagnosis{Findings: []integrity.Finding{pages}})
		if mark := viewtest.Plain(d.Env.HealthMark(conv)); mark != "·" {
			t.Errorf("after a check of %d: the mark is %q", checked, mark)
		}
	}
	d.Env.Learn(conv, integrity.Diagnosis{Findings: []integrity.Finding{pages, {Conversation: conv, Severity: integrity.Error}}})
	if mark := viewtest.Plain(d.Env.HealthMark(conv)); mark != "! 1" {
		t.Errorf("damaged: the mark is %q", mark)
	}
	d.Env.Learn(0, integrity.Diagnosis{})
	if mark := viewtest.Plain(d.Env.HealthMark(conv)); mark != "" {
		t.Errorf("once the file can be read: the mark is %q", mark)
	}
}

// status returns what a command has the status line say.
func status(cmd tea.Cmd) string {
	if cmd == nil {
		return ""
	}
	m, _ := cmd().(ui.StatusMsg)
	return m.Text
}
