package compact

import "lcm-tui/data/lcm"

// boundary returns where the fresh tail begins: the newest messages, which are never
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
	start, _ := s.tail.Start(len(s.items), // Weights are known, so it can't fail.
		func(i int) (string, bool) { return s.items[i].Role, !s.items[i].IsSummary() },
		func(i int) (int64, error) { return s.items[i].weight, nil })
	return start
}

// rawOutsideTail returns the weight of the messages that may be compacted.
func (s *state) rawOutsideTail() (n int64) {
	for _, it := range s.items[:s.boundary()] {
		if !it.IsSummary() {
			n = lcm.AddTokens(n, it.weight)
		}
	}
	return n
}

// summariesOutsideTail returns the weight of the summaries before the fresh tail.
func (s *state) summariesOutsideTail() (n int64) {
	for _, it := range s.items[:s.boundary()] {
		if it.IsSummary() {
			n = lcm.AddTokens(n, it.weight)
		}
	}
	return n
}
