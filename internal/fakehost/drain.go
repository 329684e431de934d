package fakehost

import "errors"

// Failures of background compaction that a gap in the ordinals of a context brings about.
var (
	// ErrNoCoverage says that nothing can be published: the ordinals before what is prepared
	// have a gap. A host says so in every pass, and the context grows without end.
	ErrNoCoverage = errors.New("no publishable pending summary coverage planned")
	// ErrEndless says that the same batches were planned, paid for and found stale again and
	// again, because a gap lies in their range.
	ErrEndless = errors.New("batches go stale without end")
)

// Drain compacts a conversation as hosts of 1.0 do: it plans a batch, asks a model for each of
// its nodes, and publishes it, until nothing is left to plan or most batches were planned. It
// returns the number of calls of the model.
func (h *Host) Drain(conv int64, most int) (calls int, err error) {
	for range most {
		if err := h.makeStale(conv, "planned again"); err != nil {
			return calls, err
		}
		batch, nodes, ok, err := h.Plan(conv)
		if err != nil || !ok {
			return calls, err
		}
		if ok, err := h.covers(conv, nodes); err != nil || !ok {
			return calls, errors.Join(err, ErrNoCoverage)
		}
		for _, n := range nodes {
			n, ok, err := h.Claim(n)
			if err != nil || !ok {
				return calls, errors.Join(err, ErrNotReady)
			}
			calls++
			if err := h.Finish(n, "what the host made of "+n.ID); err != nil {
				return calls, err
			}
		}
		why, err := h.Check(batch)
		if err != nil {
			return calls, err
		}
		if why != "" {
			continue
		}
		if err := h.Publish(batch); err != nil {
			return calls, err
		}
	}
	return calls, ErrEndless
}

// covers reports whether the first node can be reached from the start of a context: a host
// walks from one ordinal to the next, over summaries, and ends at the first that has no item.
func (h *Host) covers(conv int64, nodes []Node) (bool, error) {
	items, err := h.context(conv)
	if err != nil || len(items) == 0 || len(nodes) == 0 {
		return false, err
	}
	next := items[0].ordinal
	for _, i := range items {
		if i.ordinal != next {
			return false, nil
		}
		if i.ordinal == nodes[0].First {
			return true, nil
		}
		if i.summary == "" {
			return false, nil
		}
		next++
	}
	return false, nil
}
