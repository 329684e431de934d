package conversation

import (
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// The words and marks of pending batches and nodes. Each state has a word; the mark before it
// tells at a glance whether something is wrong.

// verdictText returns the state of a batch with its mark.
func verdictText(s *ui.Styles, b *pendingBatch) string {
	switch {
	case !b.Active():
		return statusText(s, b.Status)
	case b.verdict.Outcome == pending.GivesUp:
		return s.Warn.Render("~ changed")
	}
	return views.StateText(s, b.verdict.State)
}

// statusText returns a stored status of a batch or a node with its mark.
func statusText(s *ui.Styles, status string) string {
	switch status {
	case lcm.NodeReady:
		return s.Good.Render("● ready")
	case lcm.NodeRunning:
		return s.Accent.Render("◐ running")
	case lcm.NodePlanned:
		return s.Muted.Render("○ planned")
	case lcm.NodePromoted:
		return s.Good.Render("✓ promoted")
	case lcm.BatchPublished:
		return s.Good.Render("✓ published")
	case lcm.NodeFailed:
		return s.Warn.Render("~ failed")
	case lcm.NodeStale:
		return s.Faint.Render("· stale")
	}
	return s.Muted.Render("· " + ui.LineN(status, 12))
}

// reasonText says in words what the host does with a batch and why; empty where there is nothing
// to say.
func reasonText(e *views.Env, b *pendingBatch) string {
	return ui.Line(b.verdict.Explain(b.Batch, e.Now(), stamps(e)))
}

// waitingText says what an unfinished node waits for.
func waitingText(e *views.Env, n *pending.Node) string {
	return ui.Line(n.Explain(e.Now(), stamps(e)))
}

// stampWithZone returns a stored time in the user's zone, as it stands in a sentence.
func stampWithZone(e *views.Env, t data.Time) string {
	return e.Local(t.Time).Format(stampFormat + " MST")
}

// stamps writes times with their zone.
func stamps(e *views.Env) func(data.Time) string {
	return func(t data.Time) string { return stampWithZone(e, t) }
}
