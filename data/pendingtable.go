package data

// splitPending returns the changes of the pending tables and all others.
func splitPending(cs []Change) (pending, others []Change) {
	for _, c := range cs {
		if isPendingTable(c.Table) {
			pending = append(pending, c)
		} else {
			others = append(others, c)
		}
	}
	return pending, others
}

// MakesStale reports whether a change makes a pending batch or node stale. Undo doesn't revert
// it.
func (c Change) MakesStale() bool {
	return (c.Table == PendingBatchTable || c.Table == PendingNodeTable) && c.Before != nil && c.After != nil && CellText(c.After["status"]) == BatchStale
}
