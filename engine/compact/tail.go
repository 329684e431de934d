package compact

import "slices"

// boundary is where the fresh tail begins: the newest messages, which are never
// compacted, up to a number and, if one is set, to so many tokens. It is the end of
// the context if nothing is protected.
//
// Summaries among the newest messages don't count, and the newest message always
// stays. Neither limit ends the tail before the newest message of the user is
// inside, so one long turn of tools may make it long.
func (s *state) boundary() int {
	if s.edge == unknown {
		s.edge = s.freshTail()
	}
	return s.edge
}

// unknown is an edge that must be looked for.
const unknown = -1

func (s *state) freshTail() int {
	if s.tailCount <= 0 {
		return len(s.items)
	}
	start, tokens, count := len(s.items), int64(0), 0
	user := s.newestUser()
	for i, it := range slices.Backward(s.items) {
		if it.IsSummary() {
			continue
		}
		full := count >= s.tailCount || s.tailTokens != nil && count > 0 && tokens+it.weight > *s.tailTokens
		if full && start <= user {
			break
		}
		start, count, tokens = i, count+1, tokens+it.weight
	}
	return start
}

// newestUser is the place of the newest message of the user, or the end if there is
// none.
func (s *state) newestUser() int {
	for i, it := range slices.Backward(s.items) {
		if it.Role == "user" {
			return i
		}
	}
	return len(s.items)
}

// rawOutsideTail is the weight of the messages that may be compacted.
func (s *state) rawOutsideTail() (n int64) {
	for _, it := range s.items[:s.boundary()] {
		if !it.IsSummary() {
			n += it.weight
		}
	}
	return n
}

// summariesOutsideTail is the weight of the summaries before the fresh tail.
func (s *state) summariesOutsideTail() (n int64) {
	for _, it := range s.items[:s.boundary()] {
		if it.IsSummary() {
			n += it.weight
		}
	}
	return n
}
