package views

import (
	"lcm-tui/data"
	"lcm-tui/engine/pending"
	"lcm-tui/ui"
)

// The words and marks of pending batches and nodes. Each state has a word; the mark before it
// tells at a glance whether something is wrong.

// verdictText is the state of a batch with its mark.
func verdictText(s *ui.Styles, b *pendingBatch) string {
	switch {
	case !b.Active():
		return statusText(s, b.Status)
	case b.verdict.Outcome == pending.Ignores:
		return s.Muted.Render("· ignored")
	case b.verdict.Outcome == pending.GivesUp:
		return s.Warn.Render("~ changed")
	}
	return stateText(s, b.verdict.State)
}

// stateText is the state of the work on a batch, as lists of conversations show it.
func stateText(s *ui.Styles, state pending.State) string {
	switch state {
	case pending.Prepared:
		return s.Good.Render("● prepared")
	case pending.Preparing:
		return s.Accent.Render("◐ preparing")
	case pending.Waiting:
		return s.Warn.Render("~ waiting")
	case pending.Stuck:
		return s.Bad.Render("! stuck")
	}
	return ""
}

// statusText is a stored status of a batch or a node with its mark.
func statusText(s *ui.Styles, status string) string {
	switch status {
	case data.NodeReady:
		return s.Good.Render("● ready")
	case data.NodeRunning:
		return s.Accent.Render("◐ running")
	case data.NodePlanned:
		return s.Muted.Render("○ planned")
	case data.NodePromoted:
		return s.Good.Render("✓ promoted")
	case data.BatchPublished:
		return s.Good.Render("✓ published")
	case data.NodeFailed:
		return s.Warn.Render("~ failed")
	case data.NodeStale:
		return s.Faint.Render("· stale")
	}
	return s.Muted.Render("· " + ui.LineN(status, 12))
}

// statusMeaning says what the stored status of a batch means.
func statusMeaning(status string) string {
	switch status {
	case data.BatchPublished:
		return "its summaries stand in the context"
	case data.BatchStale:
		return "the host gave it up; its texts are kept for 7 days and never used"
	case data.BatchFailed:
		return "the host gave it up"
	}
	return ""
}

// reasonText says in words why the host doesn't publish a batch now, and what it does about it;
// empty where there is nothing to say.
func (e *Env) reasonText(b *pendingBatch) string {
	switch b.verdict.Outcome {
	case pending.Publishes:
		return "the host publishes it once the context is over its threshold"
	case pending.GivesUp:
		return changeText(b.verdict.Reason) + "; the host gives the batch up and plans another"
	case pending.Finished:
		return statusMeaning(b.Status)
	case pending.Fails:
		if n := b.nodes[b.verdict.Node]; n != nil && !isPrepared(n) {
			return "every attempt to publish it fails: " + e.localTimes(ui.Line(n.Waiting(e.Now())), n)
		}
		return "every attempt to publish it fails: " + e.nodeReason(b)
	}
	return e.nodeReason(b)
}

// nodeReason is the reason of a verdict, with times in the user's zone.
func (e *Env) nodeReason(b *pendingBatch) string {
	return e.localTimes(ui.Line(b.verdict.Reason), b.nodes[b.verdict.Node])
}

// changeText puts the host's words for a change into ours.
func changeText(reason string) string {
	switch reason {
	case pending.ReasonRange:
		return "its range is no longer older than the fresh tail"
	case pending.ReasonFingerprint:
		return "messages or summaries of its range are not what they were when it was planned"
	case pending.ReasonSource:
		return "what a node was planned from is not what it was"
	case pending.ReasonSourceRange:
		return "the context has no item at some ordinals of its range"
	}
	return ui.Line(reason)
}
