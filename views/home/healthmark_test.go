package home

import (
	"testing"
	"time"

	"lcm-tui/engine/integrity"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestAConversationThatChangesIsCheckedSeldom: the longer a check of it took, the longer the next one
// waits, although the conversation has changed since.
func TestAConversationThatChangesIsCheckedSeldom(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	list, ok := d.App.Top().(*Conversations)
	if !ok {
		t.Fatalf("the first screen is %T", d.App.Top())
	}
	now := d.Env.Now()
	d.Env.Now = func() time.Time { return now }
	const took = 2 * time.Second
	for _, r := range list.List.Visible() {
		list.receiveMark(markMsg{conv: r.ID, of: views.State{Messages: -1}, found: integrity.Diagnosis{}, took: took})
	}
	if list.checkVisible() != nil {
		t.Error("a conversation that was just checked is checked again")
	}
	now = now.Add(checkShare * took)
	if list.checkVisible() == nil {
		t.Error("it is never checked again")
	}
}
