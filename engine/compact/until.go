package compact

import "context"

// runUntil sweeps until the context is no larger than the target. A context that is
// exactly as large is still compacted: the host asks when a model has refused it.
//
// The reference engine compares what it counts within a sweep, which may be less
// than what is stored, and so can take a context for small enough that isn't. Here
// it is the stored tokens.
func (e *engine) runUntil(ctx context.Context) (Reason, error) {
	target, last := e.target(), max(e.stored(), e.Observed)
	if e.counted = e.stored(); last < target {
		e.out.Reached = true
		return UnderTarget, nil
	}
	deadline := e.deadline(e.Config.UntilUnderDeadlineMS)
	for e.round = 1; e.round <= maxRounds; e.round++ {
		e.out.Rounds = e.round
		made := len(e.out.New)
		if _, err := e.runSweep(ctx, true, deadline); err != nil {
			e.out.Reached = e.stored() <= target
			return "", err
		}
		after := e.stored()
		e.out.Reached = after <= target
		switch {
		case e.out.Reached && e.out.Acted():
			return Compacted, nil
		case len(e.out.New) == made || after >= last:
			return e.gaveUp(), nil
		case e.isPast(deadline):
			return Deadline, nil
		}
		last = after
	}
	return StillOver, nil
}

// gaveUp says why no further round would help.
func (e *engine) gaveUp() Reason {
	switch {
	case e.out.Reached && e.Observed > e.target():
		e.out.Reached = false
		return LiveOver
	case !e.out.Acted():
		return Nothing
	}
	return StillOver
}
