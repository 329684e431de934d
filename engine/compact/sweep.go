package compact

import (
	"context"
	"maps"
	"slices"
	"time"
)

// sweep is one full sweep under way.
type sweep struct {
	*engine
	deadline time.Time
	passes   int
	best     int64 // The least running total so far.
	stopped  Reason
	Progress
}

// Progress is how far a sweep came, so that another one goes on there as if both were one.
type Progress struct {
	lastLeaf string // Its text, which the model of the next leaf is shown.
	from     int    // Where the next chunk is looked for: behind those that say nothing.
	phase    phase
	excess   int64 // How much the running total is above the least so far.
}

// phase is a part of a sweep.
type phase int

// The phases, one after the other.
const (
	makingLeaves phase = iota
	// condensing goes by the fanouts and depths of the settings.
	condensing
	// condensingHard goes by the least fanout, at any depth.
	condensingHard
	over
)

// runSweep makes leaves of all messages outside the fresh tail, then condenses
// while the summaries take too much.
func (e *engine) runSweep(ctx context.Context, force bool, deadline time.Time) (Reason, error) {
	e.counted = e.stored()
	small := e.counted <= e.Config.Threshold(e.budget()) && (e.StopAt <= 0 || e.counted <= e.StopAt)
	switch {
	case !force && small:
		return BelowThreshold, nil
	case len(e.items) == 0:
		return Nothing, nil
	}
	s := &sweep{engine: e, deadline: earlierDeadline(deadline, e.deadline(e.Config.SweepDeadlineMS)), best: e.counted}
	if e.Mode == Sweep {
		s.Progress = e.Request.Progress
		s.best -= s.excess
	}
	defer func() {
		s.excess = s.counted - s.best
		e.out.Progress = s.Progress
	}()
	for s.phase < over && s.stopped != IterationCap && s.stopped != Deadline {
		run := s.condense
		if s.phase == makingLeaves {
			run = s.leaves
		}
		if err := run(ctx); err != nil {
			return "", err
		}
	}
	if s.SingleRoot {
		if err := s.root(ctx); err != nil {
			return "", err
		}
	}
	return s.reason(), nil
}

// reason says why the sweep is over. A limit that cut it short is worth more to
// know than that it ran dry.
func (s *sweep) reason() Reason {
	switch {
	case s.stopped != "":
		return s.stopped
	case s.passes == 0:
		return Nothing
	}
	return Compacted
}

// leaves runs the first phase. It drains every message outside the fresh tail and
// doesn't stop at the threshold. The first leaf of a sweep is shown nothing of what
// was before, the others the one before; one that follows on messages of which
// nothing could be made is shown the last summaries before it in the context.
func (s *sweep) leaves(ctx context.Context) error {
	skipped := false
	for {
		chunk := s.leafChunk(s.from, s.Config.LeafChunkTokens)
		if chunk.empty() {
			s.phase = condensing
			return nil
		}
		if s.spent() {
			return nil
		}
		if skipped {
			var err error
			if s.lastLeaf, err = s.previous(ctx, chunk.first, anyDepth); err != nil {
				return err
			}
		}
		n, made, err := s.leafPass(ctx, chunk, s.lastLeaf)
		switch {
		case err != nil:
			return err
		case !made: // Nothing in the chunk says anything: it stays.
			s.from, skipped = chunk.end, true
			continue
		}
		s.lastLeaf, skipped = n.Content, false
		if s.enough() {
			s.phase = condensing
			return nil
		}
	}
}

// condense runs a phase of the second part: first with the fanouts and depths of the
// settings, then, if that wasn't enough, with the least fanout at any depth.
func (s *sweep) condense(ctx context.Context) error {
	hard, depth := s.Hard, s.Config.SweepMaxDepth
	if s.phase == condensingHard {
		hard, depth = true, unlimited
	}
	for s.pressed() {
		c, ok, err := s.nextCandidate(ctx, s.Config, hard, depth)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if s.spent() {
			return nil
		}
		made, err := s.condensedPass(ctx, c)
		if err != nil {
			return err
		}
		if !made || s.stuck() {
			s.phase = over
			return nil
		}
	}
	s.phase++
	return nil
}

// root condenses the summaries that are left, depth by depth, until one is or no two of
// a depth stand together.
func (s *sweep) root(ctx context.Context) error {
	for !slices.ContainsFunc(s.items, func(it item) bool { return !it.IsSummary() }) && !s.spent() {
		c, ok, err := s.pair(ctx)
		if err != nil || !ok {
			return err
		}
		if made, err := s.condensedPass(ctx, c); err != nil || !made {
			return err
		}
		s.passes++
	}
	return nil
}

// pair returns the run of the lowest depth that has two summaries or more.
func (s *sweep) pair(ctx context.Context) (candidate, bool, error) {
	depths := map[int64]bool{}
	for _, it := range s.items {
		depths[it.Depth] = true
	}
	for _, depth := range slices.Sorted(maps.Keys(depths)) {
		c, err := s.oldestRun(ctx, depth, s.Config.LeafChunkTokens)
		if err != nil || c.count >= 2 {
			return c, err == nil, err
		}
	}
	return candidate{}, false, nil
}

// pressed reports whether the summaries before the fresh tail take more than they
// may, or the context is larger than where the sweep is to stop.
func (s *sweep) pressed() bool {
	return s.summariesOutsideTail() > s.Config.prefixTarget(s.budget()) || s.StopAt > 0 && s.counted > s.StopAt
}

// spent reports whether the sweep has used up its passes or its time.
func (s *sweep) spent() bool {
	switch {
	case s.Config.MaxSweepIterations > 0 && s.passes >= s.Config.MaxSweepIterations:
		s.stopped = IterationCap
	case s.isPast(s.deadline):
		s.stopped = Deadline
	default:
		return false
	}
	return true
}

// enough reports, after a leaf, whether the first phase is over.
func (s *sweep) enough() bool {
	if s.stuck() {
		return true
	}
	if s.StopAt > 0 && s.counted <= s.StopAt {
		s.stopped = AtStop
		return true
	}
	return false
}

// stuck reports, after a pass, whether it didn't bring the running total below all
// before.
func (s *sweep) stuck() bool {
	s.passes++
	if s.counted >= s.best {
		s.stopped = NoProgress
		return true
	}
	s.best = s.counted
	return false
}
