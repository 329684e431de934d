package compact

import "context"

// runLeaf makes one leaf, if the context is above its threshold or there are
// messages enough outside the fresh tail, and then condenses the oldest run of each
// depth that is due.
func (e *engine) runLeaf(ctx context.Context) (Reason, error) {
	e.counted = e.stored()
	due := e.counted > e.Config.Threshold(e.budget()) || e.rawOutsideTail() >= e.Config.LeafChunkTokens
	if !e.Force && !due {
		return BelowThreshold, nil
	}
	for from := 0; ; {
		chunk := e.leafChunk(from, e.Config.LeafChunkTokens)
		if chunk.empty() {
			return Nothing, nil
		}
		previous, err := e.previous(ctx, chunk.first, anyDepth)
		if err != nil {
			return "", err
		}
		if _, made, err := e.leafPass(ctx, chunk, previous); err != nil {
			return "", err
		} else if made {
			return Compacted, e.condenseByDepth(ctx)
		}
		from = chunk.end // Nothing in the chunk says anything: it stays.
	}
}

// condenseByDepth condenses depth by depth up to the limit, and stops at the first depth
// that isn't due or whose summary saves nothing.
func (e *engine) condenseByDepth(ctx context.Context) error {
	for depth := int64(0); isBelow(depth, e.Config.IncrementalMaxDepth); depth++ {
		c, ok, err := e.eligible(ctx, e.Config, depth, false)
		if err != nil || !ok {
			return err
		}
		before := e.counted
		if made, err := e.condensedPass(ctx, c); err != nil || !made || e.counted >= before {
			return err
		}
	}
	return nil
}
