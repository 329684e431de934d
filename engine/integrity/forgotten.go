package integrity

import (
	"fmt"

	"lcm-tui/internal/plural"
)

// isForgotten reports whether a message's text was forgotten. It is known once the messages
// were read.
func (s *conversationScan) isForgotten(message int64) bool {
	i, ok := s.messageIndex[message]
	return ok && s.messages[i].isForgotten
}

// checkForgottenSources finds summaries that no model wrote and whose sources, at any depth,
// were forgotten: whoever writes them again, the host too, has only stubs to write from.
func (s *conversationScan) checkForgottenSources() {
	for _, n := range s.summaries {
		if !n.hasNoModelText {
			continue
		}
		var ids []int64
		seen := map[int64]bool{}
		collect := func(b *node) {
			for _, id := range b.messages {
				if s.isForgotten(id) && !seen[id] {
					seen[id] = true
					ids = append(ids, id)
				}
			}
		}
		collect(n)
		s.below(n, collect)
		if len(ids) > 0 {
			s.add(ForgottenUnderMarked, summaryAt(n.ID), fmt.Sprintf("no model wrote it, and the text of %s below it was forgotten", plural.Count(len(ids), "message", "messages")), formatIDs(ids)...)
		}
	}
}
