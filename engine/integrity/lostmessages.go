package integrity

import (
	"context"
	"fmt"
	"time"

	"lcm-tui/data/change/losses"
	"lcm-tui/internal/plural"
)

// compactionCheck finds what compactions did beside changes of this program.
type compactionCheck struct {
	found *findings
	file  *fileScan
}

// checkLostMessages finds messages that a host took out of a context by mistake: it had
// chosen ordinals, and then this program wrote.
func (c *compactionCheck) checkLostMessages(ctx context.Context) error {
	if !c.file.wants(CompactionLostMessages) || !c.file.has("context_items", "messages", "summaries", "summary_messages", "summary_parents") {
		return nil
	}
	lost, err := losses.Find(ctx, c.file.db, time.Time{})
	if err != nil {
		return err
	}
	for _, l := range lost {
		if c.file.Conversation != 0 && c.file.Conversation != l.Conversation {
			continue
		}
		f := &findings{conv: l.Conversation}
		f.add(CompactionLostMessages, messageAt(l.Messages[0]), fmt.Sprintf("%s: the context reached them after record %d, and not since the host wrote %s",
			plural.Count(len(l.Messages), "message", "messages"), l.Record, l.Summary), formatIDs(l.Messages)...)
		c.found.append(f)
	}
	return nil
}

// checkDoubledSummaries finds summaries that a host put in front of a context whose items
// have their messages too: it had chosen ordinals, and then this program wrote.
func (c *compactionCheck) checkDoubledSummaries(ctx context.Context) error {
	if !c.file.wants(SummaryDoubled) || !c.file.has("context_items", "messages", "summaries", "summary_messages", "summary_parents") {
		return nil
	}
	doubles, err := losses.FindDoubles(ctx, c.file.db, time.Time{})
	if err != nil {
		return err
	}
	for _, d := range doubles {
		if c.file.Conversation != 0 && c.file.Conversation != d.Conversation {
			continue
		}
		f := &findings{conv: d.Conversation}
		f.add(SummaryDoubled, summaryAt(d.Summary), fmt.Sprintf("the context reaches its %s without it too, since record %d",
			plural.Count(d.Messages, "message", "messages"), d.Record), d.Summary)
		c.found.append(f)
	}
	return nil
}
