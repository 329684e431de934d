package repair

import (
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
	"lcm-tui/ops/repair/draft"
)

// planItems returns the findings that the request is about, each with what the plan does about
// it and with the rows and texts that change for it.
func planItems(s *state) (items []ops.Item) {
	index, seen, texts := newRowIndex(s.plan.Changes), map[*outcome]bool{}, map[string]bool{}
	for _, t := range s.plan.Texts {
		texts[t.ID] = true
	}
	for _, f := range s.found.listed {
		o := s.found.outcome(f)
		if seen[o] || !o.wanted || o.quiet && !o.repaired {
			continue
		}
		seen[o] = true
		item := planItem(s, f, o)
		if item.State == ops.Included {
			item.Rows, item.Texts = index.rows(f), textsOf(f, texts)
		}
		items = append(items, item)
	}
	return items
}

// elsewhere is why nothing is done about a finding of which another finding is the other side.
const elsewhere = "its row is repaired with another finding: repair the whole file"

// unchanged says of items that a plan counts as repaired that it changes nothing.
func unchanged(items []ops.Item) {
	for i := range items {
		if items[i].State == ops.Included {
			items[i].State, items[i].Action, items[i].Reason = ops.Open, "", elsewhere
		}
	}
}

// planItem returns a finding with what the plan does about it.
func planItem(s *state, f integrity.Finding, o *outcome) ops.Item {
	i := ops.Item{ID: ID(f), Conversation: f.Conversation, Kind: string(f.Fault), Table: f.Table, Row: f.Row, Problem: problem(f), Choice: s.op.chosen(f)}
	if !f.NeedsNoChoice {
		for _, c := range f.Kind().Choices {
			i.Choices = append(i.Choices, ops.Alternative{Name: c.Word, Words: c.Meaning})
		}
	}
	i.State, i.Action = ops.Included, action(f, i.Choice)
	switch {
	case s.op.skips(f) || i.Choice == integrity.Keep:
		i.State, i.Action = ops.Skipped, ""
	case o.repaired:
	case o.reason == modelNotAllowed || o.reason == modelNotNamed:
		i.State, i.Reason = ops.NeedsModel, o.reason
	case o.reason != "":
		i.State, i.Action, i.Reason = ops.Open, "", o.reason
	case s.merged:
		i.State, i.Action, i.Reason = ops.Open, "", "the merge comes first: plan its repair again when that is applied"
	case s.plan.More && slices.Contains(needsText, f.Fault):
		i.State = ops.Estimated
	}
	return i
}

// action says what a repair does about a finding, in words.
func action(f integrity.Finding, choice string) string {
	for _, c := range f.Kind().Choices {
		if c.Word == choice {
			return c.Meaning
		}
	}
	return f.Kind().Repair
}

// textsOf returns the texts of a plan that change for a finding.
func textsOf(f integrity.Finding, texts map[string]bool) (ids []string) {
	if !slices.Contains(withText, f.Fault) {
		return nil
	}
	for _, id := range append([]string{f.Row}, f.Rows...) {
		if texts[id] && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// rowIndex finds the changes of a plan by what their rows are.
type rowIndex map[[3]string][]string // Labels by table, column and value.

// newRowIndex indexes changes by each column that findings name.
func newRowIndex(changes []change.Change) rowIndex {
	x := rowIndex{}
	for _, c := range changes {
		row := c.Before
		if row == nil {
			row = c.After
		}
		label := c.Label()
		for _, column := range indexedColumns[c.Table] {
			if v := keyName(row[column]); row[column] != nil {
				k := [3]string{c.Table, column, v}
				x[k] = append(x[k], label)
			}
		}
	}
	return x
}

// indexedColumns are the columns by which findings name rows of a table.
var indexedColumns = map[string][]string{
	"messages": {"message_id"}, "message_parts": {"part_id", "message_id"}, "summaries": {"summary_id"},
	"context_items": {"ordinal", "message_id", "summary_id"}, draft.SourceTable: {"summary_id", "parent_summary_id"}, draft.MessageTable: {"summary_id", "message_id"},
	"conversations": {"conversation_id"}, "large_files": {"file_id"}, "focus_briefs": {"brief_id"}, "sqlite_sequence": {"name"},
	"conversation_bootstrap_state": {"conversation_id"}, "conversation_compaction_maintenance": {"conversation_id"},
	data.MessageIndex: {"rowid"}, data.SummaryIndex: {"summary_id"}, data.SummaryTrigrams: {"summary_id"},
	data.AnchorTrustTable: {"message_id", "conversation_id"}, data.EpochTable: {"conversation_id"}, data.TurnTable: {"session_id"},
	data.PendingBatchTable: {"batch_id"}, data.PendingNodeTable: {"node_id", "batch_id"},
}

// related are the columns that name the same row in the tables where its removal or its
// repair shows.
var related = map[string][][2]string{
	"messages":             {{"messages", "message_id"}, {"message_parts", "message_id"}, {"context_items", "message_id"}, {draft.MessageTable, "message_id"}, {data.MessageIndex, "rowid"}},
	"message_parts":        {{"message_parts", "part_id"}},
	"summaries":            {{"summaries", "summary_id"}, {"context_items", "summary_id"}, {draft.SourceTable, "summary_id"}, {draft.SourceTable, "parent_summary_id"}, {draft.MessageTable, "summary_id"}, {data.SummaryIndex, "summary_id"}, {data.SummaryTrigrams, "summary_id"}},
	draft.SourceTable:      {{draft.SourceTable, "summary_id"}},
	draft.MessageTable:     {{draft.MessageTable, "summary_id"}},
	"context_items":        {{"context_items", "ordinal"}},
	data.MessageIndex:      {{data.MessageIndex, "rowid"}},
	data.PendingBatchTable: {{data.PendingBatchTable, "batch_id"}, {data.PendingNodeTable, "batch_id"}},
	data.PendingNodeTable:  {{data.PendingNodeTable, "node_id"}, {data.PendingBatchTable, "batch_id"}},
}

// moving are the faults, beside those of contexts and links, whose repair also changes the
// context and the links of a row.
var moving = []integrity.FaultID{
	integrity.MessageDuplicate, integrity.MessageRunDuplicate, integrity.TranscriptEntryDuplicate, integrity.ToolResultDuplicate,
	integrity.MessageEmpty, integrity.SummaryDuplicate, integrity.TurnStoredAgain, integrity.EntryInSeveralConversations,
	integrity.ArchivedHistoryRepeated, integrity.RewoundMessagesInContext,
}

// moves reports whether the repair of a fault changes contexts or links, or a batch with its
// nodes.
func moves(fault integrity.FaultID) bool {
	areas := []integrity.Area{integrity.ContextArea, integrity.LinkArea, integrity.PendingArea}
	return slices.Contains(areas, fault.Area()) || slices.Contains(moving, fault)
}

// rows returns the labels of the changes of a finding's rows.
func (x rowIndex) rows(f integrity.Finding) (labels []string) {
	tables := related[f.Table]
	if tables == nil || !moves(f.Fault) {
		tables = nil
		for _, column := range indexedColumns[f.Table] {
			tables = append(tables, [2]string{f.Table, column})
		}
	}
	keys := f.Rows
	if len(keys) == 0 || f.Table == draft.SourceTable || f.Table == draft.MessageTable {
		keys = []string{f.Row} // All rows of a link's finding are named by its summary.
	}
	seen := map[string]bool{}
	for _, t := range tables {
		for _, key := range keys {
			for _, label := range x[[3]string{t[0], t[1], key}] {
				if !seen[label] {
					seen[label] = true
					labels = append(labels, label)
				}
			}
		}
	}
	return labels
}
