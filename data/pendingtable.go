package data

import "slices"

// The tables in which a host of the 1.0 generation prepares summaries in the background. A
// table comes after those that its rows refer to.
const (
	PendingBatchTable       = "pending_compaction_batches"
	PendingNodeTable        = "pending_summary_nodes"
	PendingNodeMessageTable = "pending_summary_node_messages"
	PendingNodeChildTable   = "pending_summary_node_children"
)

var pendingTables = []string{PendingBatchTable, PendingNodeTable, PendingNodeMessageTable, PendingNodeChildTable}

// isPendingTable reports whether a host prepares summaries in this table.
func isPendingTable(table string) bool { return slices.Contains(pendingTables, table) }

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
	return (c.Table == PendingBatchTable || c.Table == PendingNodeTable) && c.Before != nil && c.After != nil && asText(c.After["status"]) == BatchStale
}
