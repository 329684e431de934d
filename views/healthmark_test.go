package views

import (
	"testing"
	"time"

	"lcm-tui/engine/integrity"
)

// TestAConversationThatChangesIsCheckedSeldom: the longer a check of it took, the longer the next one
// waits, although the conversation has changed since.
func TestAConversationThatChangesIsCheckedSeldom(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	list, ok := d.app.Top().(*Conversations)
	if !ok {
		t.Fatalf("the first screen is %T", d.app.Top())
	}
	now := d.env.Now()
	d.env.Now = func() time.Time { return now }
	const took = 2 * time.Second
	for _, r := range list.list.Visible() {
		list.receiveMark(markMsg{conv: r.ID, of: state{messages: -1}, found: integrity.Diagnosis{}, took: took})
	}
	if list.checkVisible() != nil {
		t.Error("a conversation that was just checked is checked again")
	}
	now = now.Add(checkShare * took)
	if list.checkVisible() == nil {
		t.Error("it is never checked again")
	}
}
