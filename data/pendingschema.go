package data

import "strings"

// unstoppable names the columns without which a pending batch can't be made stale, or is empty.
// Such a file must not be changed: its host may publish what it prepared before, by ordinals
// that mean other rows by then.
func (s *Schema) unstoppable() string {
	if !s.Has(PendingBatchTable) {
		return "" // Without its batch a node is never published.
	}
	var lacks []string
	for _, need := range []struct{ table, columns string }{{PendingBatchTable, "batch_id conversation_id status"}, {PendingNodeTable, "node_id batch_id status"}} {
		for _, c := range strings.Fields(need.columns) {
			if s.Has(need.table) && !s.Has(need.table, c) {
				lacks = append(lacks, need.table+"."+c)
			}
		}
	}
	return listOf("the column", "the columns", lacks)
}
