package compact

import "context"

// runLeaf makes one leaf, if the context is above its threshold or there are
// messages enough outside the fresh tail, and then condenses the oldest run of each
// depth that is due. Where nothing in the chunk of the leaf says anything, it makes none.
func (e *engine) runLeaf(ctx context.Context) (Reason, error) {
	e.counted = e.stored()
	due := e.counted > e.Config.Threshold(e.budget()) || e.rawOutsideTail() >= e.Config.LeafChunkTokens
	if !e.Force && !due {
		return BelowThreshold, nil
	}
	chunk := e.leafChunk(0, e.Config.LeafChunkTokens)
	if chunk.empty() {
		return Nothing, nil
	}
	previous, err := e.previous(ctx, chunk.first, anyDepth)
	if err != nil {
		return "", err
	}
	if _, made, err := e.leafPass(ctx, chunk, previous); err != nil || !made {
		return Nothing, err
	}
	return Compacted, e.condenseByDepth(ctx)
}

// condenseByDepth condenses depth by depth up to the limit, which is that of a sweep, and stops
// at the first depth that isn't due or whose summary saves nothing.
func (e *engine) condenseByDepth(ctx context.Context) error {
	for depth := int64(0); isBelow(depth, e.Config.SweepMaxDepth); depth++ {
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
