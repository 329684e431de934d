package integrity

import (
	"context"
	"fmt"
	"time"

	"lcm-tui/data/change/losses"
	"lcm-tui/internal/plural"
)

// checkLostMessages finds messages that a host took out of a context by mistake: it had
// chosen ordinals, and then this program wrote.
func (c *checker) checkLostMessages(ctx context.Context) error {
	if !c.wants(CompactionLostMessages) || !c.has("context_items", "messages", "summaries", "summary_messages", "summary_parents") {
		return nil
	}
	lost, err := losses.Find(ctx, c.db, time.Time{})
	if err != nil {
		return err
	}
	for _, l := range lost {
		if c.Conversation != 0 && c.Conversation != l.Conversation {
			continue
		}
		f := &findings{conv: l.Conversation}
		f.add(CompactionLostMessages, messageAt(l.Messages[0]), fmt.Sprintf("%s: the context reached them after record %d, and not since the host wrote %s",
			plural.Count(len(l.Messages), "message", "messages"), l.Record, l.Summary), formatIDs(l.Messages)...)
		c.findings.append(f)
	}
	return nil
}

// checkDoubledSummaries finds summaries that a host put in front of a context whose items
// have their messages too: it had chosen ordinals, and then this program wrote.
func (c *checker) checkDoubledSummaries(ctx context.Context) error {
	if !c.wants(SummaryDoubled) || !c.has("context_items", "messages", "summaries", "summary_messages", "summary_parents") {
		return nil
	}
	doubles, err := losses.FindDoubles(ctx, c.db, time.Time{})
	if err != nil {
		return err
	}
	for _, d := range doubles {
		if c.Conversation != 0 && c.Conversation != d.Conversation {
			continue
		}
		f := &findings{conv: d.Conversation}
		f.add(SummaryDoubled, summaryAt(d.Summary), fmt.Sprintf("the context reaches its %s without it too, since record %d",
			plural.Count(d.Messages, "message", "messages"), d.Record), d.Summary)
		c.findings.append(f)
	}
	return nil
}
