package lcm

import (
	"strings"

	"lcm-tui/data"
)

// PendingSelection selects pending batches and what belongs to them. Its zero value selects
// all of the file.
type PendingSelection struct {
	Conversation int64  // Whose batches; 0 is every conversation's.
	Batch        string // One batch, or empty.
	OnlyActive   bool   // Leaves out batches that are published, stale or failed.
}

// condition returns an SQL condition on the batches b that are selected. It is false where the file
// lacks a column that it needs.
func (p PendingSelection) condition(s *data.Schema) (where string, args []any) {
	var all []string
	also := func(column, condition string, arg ...any) {
		if !s.Has(data.PendingBatchTable, column) {
			condition, arg = "0", nil
		}
		all, args = append(all, condition), append(args, arg...)
	}
	if p.Conversation != 0 {
		also("conversation_id", "b.conversation_id = ?", p.Conversation)
	}
	if p.Batch != "" {
		also("batch_id", "b.batch_id = ?", p.Batch)
	}
	if p.OnlyActive {
		also("status", "b."+ActiveBatch)
	}
	if len(all) == 0 {
		return "1", nil
	}
	return strings.Join(all, " AND "), args
}

// nodeCondition returns an SQL condition on the nodes n of the batches that are selected. Only the
// zero value selects nodes whose batch doesn't exist.
func (p PendingSelection) nodeCondition(s *data.Schema) (where string, args []any) {
	if p == (PendingSelection{}) {
		return "1", nil
	}
	if !s.Has(data.PendingBatchTable, "batch_id") || !s.Has(data.PendingNodeTable, "batch_id") {
		return "0", nil
	}
	where, args = p.condition(s)
	return "n.batch_id IN (SELECT b.batch_id FROM " + data.PendingBatchTable + " b WHERE " + where + ")", args
}

// ActiveBatch is the condition of a batch that a host may still publish.
const ActiveBatch = "status IN ('planning', 'ready', 'publishing')"
