package views

import (
	"strconv"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// TargetOf returns where the row of a finding is seen; ok is false where it is seen nowhere.
func TargetOf(f *integrity.Finding) (to Target, ok bool) {
	if to.Tab, ok = TabOf(f.Table); !ok {
		return to, false
	}
	to.ID = f.Row
	if to.Tab == TabMessages {
		to.ID = ""
		if id, ok := messageOf(f); ok {
			to.ID = Itoa(id)
		}
	}
	return to, true
}

// TabOf returns the tab in which rows of a table are seen.
func TabOf(table string) (tab int, ok bool) {
	switch table {
	case "messages", "message_parts", "conversations":
		return TabMessages, true
	case "summaries", "summary_parents", "summary_messages":
		return TabSummaries, true
	case "context_items":
		return TabContext, true
	case "large_files":
		return TabFiles, true
	case "focus_briefs":
		return TabFocus, true
	case data.PendingBatchTable, data.PendingNodeTable, data.PendingNodeMessageTable, data.PendingNodeChildTable:
		return TabPending, true
	}
	return 0, false
}

// messageOf returns the message that a finding is about: its row, or that of its part.
func messageOf(f *integrity.Finding) (int64, bool) {
	for _, row := range append([]string{f.Row}, f.Rows...) {
		if id, err := strconv.ParseInt(row, 10, 64); err == nil && f.Table != "conversations" {
			return id, true
		}
	}
	return 0, false
}
