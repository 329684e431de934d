package pending

import (
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Explain says what the host does with a batch and why, in one sentence without a full stop; it
// is empty where there is nothing to say. now is the time of the verdict, and stamp writes a time.
func (v Verdict) Explain(b *Batch, now time.Time, stamp func(data.Time) string) string {
	switch v.Outcome {
	case Publishes:
		return "the host publishes it after a turn, once the context is over its threshold"
	case GivesUp:
		return ReasonText(v.Reason) + "; the host gives the batch up and plans another"
	case Finished:
		return finishText(b)
	case Fails:
		if n := b.node(v.Node); n != nil && !n.isReady() {
			return "every attempt to publish it fails: " + n.Explain(now, stamp)
		}
		return "every attempt to publish it fails: " + v.Reason
	}
	if n := b.node(v.Node); n != nil {
		return n.Explain(now, stamp)
	}
	return v.Reason
}

// Explain works as Waiting with times that stamp writes.
func (n *Node) Explain(now time.Time, stamp func(data.Time) string) string {
	text := n.Waiting(now)
	for _, t := range []data.Time{n.LeaseExpiresAt, n.NextAttemptAfter} {
		if t.Valid() && t.Raw != "" {
			text = strings.ReplaceAll(text, t.Raw, stamp(t))
		}
	}
	return text
}

// ReasonText puts a reason for which hosts give a batch up into plain words; other texts stay.
func ReasonText(reason string) string {
	switch reason {
	case ReasonRange:
		return "its range is no longer older than the fresh tail"
	case ReasonFingerprint:
		return "messages or summaries of its range are not what they were when it was planned"
	case ReasonSource:
		return "what a node was planned from is not what it was"
	case ReasonSourceRange:
		return "the context has no item at some ordinals of its range"
	}
	return reason
}

// finishText says what became of a batch. Hosts and other programs may have given it up.
func finishText(b *Batch) string {
	if b.Status == lcm.BatchPublished {
		return "its texts became summaries of the context"
	}
	return "it was given up" + because(ReasonText(b.Failure.Text))
}
