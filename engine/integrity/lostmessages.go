package integrity

import (
	"context"
	"fmt"
	"time"

	"lcm-tui/internal/plural"
)

// checkLostMessages finds messages that a host took out of a context by mistake: it had
// chosen ordinals, and then this program wrote.
func (c *checker) checkLostMessages(ctx context.Context) error {
	if !c.wants(CompactionLostMessages) || !c.has("context_items", "messages", "summaries", "summary_messages", "summary_parents") {
		return nil
	}
	losses, err := c.db.Losses(ctx, time.Time{})
	if err != nil {
		return err
	}
	for _, l := range losses {
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
