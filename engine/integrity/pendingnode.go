package integrity

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
)

// checkNode checks one node.
func (p *pendingScan) checkNode(n *lcm.PendingNode) {
	if p.isActive(n) {
		p.checkWork(n)
		p.checkPreparedText(n)
	}
	b := p.of(n)
	if n.Status == lcm.NodePromoted {
		if n.CanonicalSummary == "" && p.hasNodeColumns("canonical_summary_id") {
			p.addNode(PendingSummaryDeleted, n, "published, and names no summary")
		}
		if b != nil && b.Status != lcm.BatchPublished && b.Status != "" {
			p.addNode(PendingStatusContradictory, n, "published, in a batch that is "+clip(b.Status))
		}
	}
	p.checkOwners(n)
	p.checkLinks(n)
}

// checkWork checks the lease and the retries of a node of an active batch.
func (p *pendingScan) checkWork(n *lcm.PendingNode) {
	switch n.Status {
	case lcm.NodeRunning:
		now := data.FormatTimeMillis(p.file.now)
		if at := n.LeaseExpiresAt; !at.Null && at.Raw <= now {
			f := p.addNode(PendingLeaseExpired, n, fmt.Sprintf("%s had it until %s", orUnknownOwner(n.LeaseOwner.Text), clip(at.Raw)))
			if at.Raw > data.FormatTimeMillis(p.file.now.Add(-24*time.Hour)) {
				f.downgrade()
			}
		}
		if p.hasNodeColumns("lease_owner", "lease_expires_at") && (n.LeaseExpiresAt.Null || n.LeaseOwner.Null) {
			p.addNode(PendingLeaseMissing, n, "running, and its lease has no owner or no end")
		}
	case lcm.NodeFailed:
		detail := "failed " + plural.Count(int(n.RetryCount), "time", "times")
		if !n.Failure.Null {
			detail += ": " + clip(n.Failure.Text)
		}
		if n.RetryCount >= pending.MaxRetries {
			p.addNode(PendingRetriesUsedUp, n, detail)
			return
		}
		if !n.NextAttemptAfter.Null {
			detail += "; the next attempt is after " + clip(n.NextAttemptAfter.Raw)
		}
		p.addNode(PendingRetryWaiting, n, detail)
	}
}

// orUnknownOwner returns who has a lease, or words for nobody.
func orUnknownOwner(s string) string {
	if s == "" {
		return "an unknown host"
	}
	return clip(s)
}

// checkPreparedText checks the text of a node of an active batch that is ready.
func (p *pendingScan) checkPreparedText(n *lcm.PendingNode) {
	if n.Status != lcm.NodeReady || !p.hasNodeColumns("content", "token_count") {
		return
	}
	noTokens := !n.Tokens.Valid && n.Tokens.Raw == ""
	switch {
	case n.Content.Null || strings.Trim(n.Content.Text, " ") == "": // As SQLite trims.
		p.addNode(PendingTextMissing, n, "ready, without a text")
	case noTokens:
		p.addNode(PendingTextMissing, n, "ready, without a token count")
	}
	if marker := pendingMarker(n); marker != summarize.None {
		p.addNode(PendingFallback, n, markerWords[marker])
	}
}

// pendingMarker returns the marker of a prepared text, by the rules for summaries. A form of the
// marker at the start or on the last line that no known host writes is one too.
func pendingMarker(n *lcm.PendingNode) summarize.Marker {
	if marker := summarize.Detect(n.Content.Text, n.Model); marker != summarize.None {
		return marker
	}
	const mark = "[lcm fallback summary"
	text := strings.ToLower(strings.TrimSpace(n.Content.Text))
	last := text[strings.LastIndexByte(text, '\n')+1:]
	switch {
	case strings.HasPrefix(text, mark):
		return summarize.Old
	case strings.HasPrefix(last, mark) && strings.HasSuffix(last, "]"):
		return summarize.Fallback
	}
	return summarize.None
}

// checkOwners compares the conversations of a node, of its batch and of its messages.
func (p *pendingScan) checkOwners(n *lcm.PendingNode) {
	var details []string
	if b := p.of(n); b != nil && b.Conversation != n.Conversation {
		details = append(details, fmt.Sprintf("its batch belongs to conversation %d", b.Conversation))
	}
	if s := p.sources[n.ID]; s != nil {
		foreign := func(m lcm.PendingMessage) bool { return m.Owner != 0 && m.Owner != n.Conversation }
		if i := slices.IndexFunc(s.Messages, foreign); i >= 0 {
			details = append(details, fmt.Sprintf("message %d belongs to conversation %d", s.Messages[i].Message, s.Messages[i].Owner))
		}
	}
	if len(details) > 0 {
		p.addNode(PendingAcrossConversations, n, fmt.Sprintf("a node of conversation %d: %s", n.Conversation, strings.Join(details, ", ")))
	}
}

// checkLinks finds nodes without sources, and children that don't exist or belong to another
// batch.
func (p *pendingScan) checkLinks(n *lcm.PendingNode) {
	var s lcm.PendingSources
	if known := p.sources[n.ID]; known != nil {
		s = *known
	}
	schema := p.file.db.Schema()
	var detail string
	switch {
	case n.Kind == lcm.KindLeaf && len(s.Messages) == 0 && schema.Has(data.PendingNodeMessageTable, "node_id", "message_id"):
		detail = "a leaf that covers no message"
	case n.Kind == lcm.KindCondensed && len(s.Children) == 0 && schema.Has(data.PendingNodeChildTable, "node_id"):
		detail = "a condensed node without children"
	}
	for _, c := range s.Children {
		child := p.byID[c.ChildNode]
		switch {
		case c.ChildNode == "" && c.ChildSummary == "":
		case c.Missing && c.ChildNode != "":
			detail = "its child node " + clip(c.ChildNode) + " doesn't exist"
		case c.Missing && !p.file.has("summaries"):
		case c.Missing:
			detail = "its child summary " + clip(c.ChildSummary) + " doesn't exist"
		case child != nil && child.Batch != n.Batch:
			detail = "its child node " + clip(c.ChildNode) + " belongs to another batch"
		}
	}
	if detail != "" {
		p.addNode(PendingSourceMissing, n, detail)
	}
}
