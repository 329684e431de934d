package transcripts

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestSessionsAreFollowed: f imports what agents write until it is pressed again, and says so while it does; where that
// ends by itself, the screen says why.
func TestSessionsAreFollowed(t *testing.T) {
	t.Parallel()
	d := driveSessionFiles(t, map[string]string{"s1.jsonl": viewtest.TwoMessages})
	d.Press("f")
	d.Sees("this program can't start itself")
	ran, out, failed := "", "imported 2 messages from 1 session file of 1", error(nil)
	d.Env.Agents = views.Agents{
		Clients: []views.AgentClient{{Name: "codex"}},
		Run: func(_ context.Context, args ...string) (string, error) {
			ran = strings.Join(args, " ")
			return out, failed
		},
	}
	d.Press("f")
	d.Sees("this database isn't lcm-tui's own: f again imports the sessions of coding agents into it")
	if ran != "" {
		t.Errorf("ran %s before the answer", ran)
	}
	d.Press("f")
	d.Sees("sessions are followed no longer: imported 2 messages from 1 session file of 1")
	if ran != "follow --apply" {
		t.Errorf("ran %s", ran)
	}
	failed = errors.New("the disk is full")
	d.Press("f")
	d.Sees("the disk is full")
	d.Misses("● live")
	d.App.Top().(*SessionFiles).following = true
	d.Sees("● live", "f ends it")
	d.Clean(80, 24)
	d.Press("f")
	d.Sees("sessions are followed no longer")
	d.Misses("● live")
}
