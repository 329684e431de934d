package integrity

import (
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// checkContext checks the conversation's context: its items, their order, and what they
// cover.
func (s *conversationScan) checkContext() {
	s.checkContextItems()
	s.checkDuplicateItems()
	s.checkItemOrdinals()
	s.checkItemOrder()
	s.checkCoveredMessages()
}

// checkContextItems looks up the row that each context item names.
func (s *conversationScan) checkContextItems() {
	for _, i := range s.items {
		switch {
		case i.Missing:
			s.add(ContextItemDangling, contextItemAt(i.Ordinal), fmt.Sprintf("context item %d names %s, which doesn't exist", i.Ordinal, describeItem(i))).addSummaryOf(i)
			if s.Conversation != 0 { // A check of the file follows all foreign keys.
				s.add(ReferenceDangling, contextItemAt(i.Ordinal), describeItem(i)+" doesn't exist").addSummaryOf(i)
			}
		case i.Owner != s.row.ID:
			s.add(ContextItemForeign, contextItemAt(i.Ordinal), fmt.Sprintf("context item %d names %s of conversation %d", i.Ordinal, describeItem(i), i.Owner)).addSummaryOf(i)
		}
		if i.Ordinal < 0 {
			s.add(ContextOrdinalNegative, contextItemAt(i.Ordinal), fmt.Sprintf("%s has the ordinal %d", describeItem(i), i.Ordinal)).addSummaryOf(i)
		}
	}
}

// describeItem is the row that a context item names, in words.
func describeItem(i lcm.RawContextItem) string {
	if i.Summary != "" {
		return "summary " + clip(i.Summary)
	}
	return "message " + formatID(i.Message)
}

// checkDuplicateItems finds rows that more than one context item names.
func (s *conversationScan) checkDuplicateItems() {
	first := map[string]int64{}
	for _, i := range s.items {
		key := i.Summary
		if key == "" {
			key = formatID(i.Message)
		}
		kept, again := first[key]
		if !again {
			first[key] = i.Ordinal
			continue
		}
		s.add(ContextItemDuplicate, contextItemAt(i.Ordinal), fmt.Sprintf("%s is at ordinal %d already", describeItem(i), kept), formatID(kept), formatID(i.Ordinal)).addSummaryOf(i)
	}
}

// checkItemOrdinals finds gaps between the ordinals of the context. They stop the background
// compaction of hosts of 1.0; other hosts close them.
func (s *conversationScan) checkItemOrdinals() {
	missing := int64(0)
	for i := 1; i < len(s.items); i++ {
		missing += max(s.items[i].Ordinal-s.items[i-1].Ordinal-1, 0)
	}
	if missing == 0 {
		return
	}
	lo, hi := s.items[0].Ordinal, s.items[len(s.items)-1].Ordinal
	f := s.add(ContextOrdinalGaps, contextItemAt(lo), fmt.Sprintf("%d items with ordinals from %d to %d: %d between them have no item", len(s.items), lo, hi, missing))
	if s.has(data.PendingBatchTable) {
		f.Severity = Error
	}
}

// checkItemOrder finds messages whose seq doesn't rise with the ordinal. Second items of a
// message and messages of other conversations are left out: other faults name them.
func (s *conversationScan) checkItemOrder() {
	seen := map[int64]bool{}
	last := lcm.RawContextItem{}
	for _, i := range s.items {
		if i.Summary != "" || i.Missing || i.Owner != s.row.ID || seen[i.Message] {
			continue
		}
		seen[i.Message] = true
		if last.Message != 0 && i.Seq <= last.Seq {
			s.add(ContextOutOfOrder, contextItemAt(i.Ordinal), fmt.Sprintf("message %d (#%d) follows message %d (#%d)", i.Message, i.Seq, last.Message, last.Seq))
		}
		last = i
	}
}

// checkCoveredMessages finds messages in the context that a summary of the context covers.
func (s *conversationScan) checkCoveredMessages() {
	under := s.coveredMessages()
	for _, i := range s.items {
		if i.Summary != "" || i.Missing {
			continue
		}
		if top, ok := under[i.Message]; ok {
			s.add(CoveredMessageInContext, contextItemAt(i.Ordinal), fmt.Sprintf("message %d is at ordinal %d, and summary %s of the same context covers it", i.Message, i.Ordinal, top),
				formatID(i.Message), top)
		}
	}
	s.checkCoveredSummaries()
}

// coveredMessages are the messages below the summaries of the context, with the summary.
func (s *conversationScan) coveredMessages() map[int64]string {
	under, done := map[int64]string{}, map[string]bool{}
	for _, i := range s.items {
		n := s.nodes[i.Summary]
		if n == nil {
			continue
		}
		take := func(b *node) {
			if done[b.ID] {
				return
			}
			done[b.ID] = true
			for _, m := range b.messages {
				if _, ok := under[m]; !ok {
					under[m] = n.ID
				}
			}
		}
		take(n)
		s.below(n, take)
	}
	return under
}

// checkCoveredSummaries finds summaries in the context below others of it. A summary in a
// cycle lies below itself; SummaryCycle names that.
func (s *conversationScan) checkCoveredSummaries() {
	above := map[string]string{}
	for _, i := range s.items {
		n := s.nodes[i.Summary]
		if n == nil {
			continue
		}
		s.below(n, func(b *node) {
			if _, ok := above[b.ID]; !ok && b.inContext {
				above[b.ID] = n.ID
			}
		})
	}
	for _, i := range s.items {
		if top, ok := above[i.Summary]; ok && i.Summary != "" {
			s.add(CoveredSummaryInContext, contextItemAt(i.Ordinal), fmt.Sprintf("summary %s is at ordinal %d, and %s of the same context was made from it", i.Summary, i.Ordinal, top),
				i.Summary, top)
		}
	}
}
