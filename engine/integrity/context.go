package integrity

import (
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
)

// contextCheck checks the context of a conversation.
type contextCheck struct {
	found *findings
	file  *fileScan
	rows  *scan.Conversation
}

// checkContext checks the conversation's context: its items, their order, and what they
// cover.
func (c *contextCheck) checkContext() {
	c.checkContextItems()
	c.checkDuplicateItems()
	c.checkItemOrdinals()
	c.checkItemOrder()
	c.checkCoveredMessages()
}

// checkContextItems looks up the row that each context item names.
func (c *contextCheck) checkContextItems() {
	for _, i := range c.rows.Items {
		switch {
		case i.Missing:
			c.found.add(ContextItemDangling, contextItemAt(i.Ordinal), fmt.Sprintf("context item %d names %s, which doesn't exist", i.Ordinal, describeItem(i))).addSummaryOf(i)
			if c.file.Conversation != 0 { // A check of the file follows all foreign keys.
				c.found.add(ReferenceDangling, contextItemAt(i.Ordinal), describeItem(i)+" doesn't exist").addSummaryOf(i)
			}
		case i.Owner != c.rows.Row.ID:
			c.found.add(ContextItemForeign, contextItemAt(i.Ordinal), fmt.Sprintf("context item %d names %s of conversation %d", i.Ordinal, describeItem(i), i.Owner)).addSummaryOf(i)
		}
		if i.Ordinal < 0 {
			c.found.add(ContextOrdinalNegative, contextItemAt(i.Ordinal), fmt.Sprintf("%s has the ordinal %d", describeItem(i), i.Ordinal)).addSummaryOf(i)
		}
	}
}

// describeItem returns the row that a context item names, in words.
func describeItem(i lcm.RawContextItem) string {
	if i.Summary != "" {
		return "summary " + clip(i.Summary)
	}
	return "message " + formatID(i.Message)
}

// checkDuplicateItems finds rows that more than one context item names.
func (c *contextCheck) checkDuplicateItems() {
	first := map[string]int64{}
	for _, i := range c.rows.Items {
		key := i.Summary
		if key == "" {
			key = formatID(i.Message)
		}
		kept, again := first[key]
		if !again {
			first[key] = i.Ordinal
			continue
		}
		c.found.add(ContextItemDuplicate, contextItemAt(i.Ordinal), fmt.Sprintf("%s is at ordinal %d already", describeItem(i), kept), formatID(kept), formatID(i.Ordinal)).addSummaryOf(i)
	}
}

// checkItemOrdinals finds gaps between the ordinals of the context. They stop the background
// compaction of hosts of 1.0; other hosts close them.
func (c *contextCheck) checkItemOrdinals() {
	missing := int64(0)
	for i := 1; i < len(c.rows.Items); i++ {
		missing += max(c.rows.Items[i].Ordinal-c.rows.Items[i-1].Ordinal-1, 0)
	}
	if missing == 0 {
		return
	}
	lo, hi := c.rows.Items[0].Ordinal, c.rows.Items[len(c.rows.Items)-1].Ordinal
	f := c.found.add(ContextOrdinalGaps, contextItemAt(lo), fmt.Sprintf("%d items with ordinals from %d to %d: %d between them have no item", len(c.rows.Items), lo, hi, missing))
	if c.file.has(data.PendingBatchTable) {
		f.Severity = Error
	}
}

// checkItemOrder finds messages whose seq doesn't rise with the ordinal. Second items of a
// message and messages of other conversations are left out: other faults name them.
func (c *contextCheck) checkItemOrder() {
	seen := map[int64]bool{}
	last := lcm.RawContextItem{}
	for _, i := range c.rows.Items {
		if i.Summary != "" || i.Missing || i.Owner != c.rows.Row.ID || seen[i.Message] {
			continue
		}
		seen[i.Message] = true
		if last.Message != 0 && i.Seq <= last.Seq {
			c.found.add(ContextOutOfOrder, contextItemAt(i.Ordinal), fmt.Sprintf("message %d (#%d) follows message %d (#%d)", i.Message, i.Seq, last.Message, last.Seq))
		}
		last = i
	}
}

// checkCoveredMessages finds messages in the context that a summary of the context covers.
func (c *contextCheck) checkCoveredMessages() {
	under := c.rows.CoveredMessages()
	for _, i := range c.rows.Items {
		if i.Summary != "" || i.Missing {
			continue
		}
		if top, ok := under[i.Message]; ok {
			c.found.add(CoveredMessageInContext, contextItemAt(i.Ordinal), fmt.Sprintf("message %d is at ordinal %d, and summary %s of the same context covers it", i.Message, i.Ordinal, top),
				formatID(i.Message), top)
		}
	}
	c.checkCoveredSummaries()
}

// checkCoveredSummaries finds summaries in the context below others of it. A summary in a
// cycle lies below itself; SummaryCycle names that.
func (c *contextCheck) checkCoveredSummaries() {
	above := map[string]string{}
	for _, i := range c.rows.Items {
		n := c.rows.Nodes[i.Summary]
		if n == nil {
			continue
		}
		c.rows.Below(n, func(b *scan.Summary) {
			if _, ok := above[b.ID]; !ok && b.InContext {
				above[b.ID] = n.ID
			}
		})
	}
	for _, i := range c.rows.Items {
		if top, ok := above[i.Summary]; ok && i.Summary != "" {
			c.found.add(CoveredSummaryInContext, contextItemAt(i.Ordinal), fmt.Sprintf("summary %s is at ordinal %d, and %s of the same context was made from it", i.Summary, i.Ordinal, top),
				i.Summary, top)
		}
	}
}
