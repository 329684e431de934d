package repair

import (
	"maps"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops/repair/draft"
)

// countFaults says how many findings of each fault there are, in words, most important
// faults first: "4 truncated summaries, 1 cycle". It is empty for none.
func countFaults(counts map[integrity.FaultID]int) string {
	var parts []string
	for _, f := range bySeverity() {
		if n := counts[f.ID]; n > 0 {
			parts = append(parts, f.Count(n))
		}
	}
	return strings.Join(parts, ", ")
}

// bySeverity returns all faults, the worst first.
func bySeverity() []integrity.Fault {
	faults, order := slices.Clone(integrity.Faults()), integrity.Severities()
	sorting.Stable(faults, func(a, b *integrity.Fault) int {
		return slices.Index(order, a.Severity) - slices.Index(order, b.Severity)
	})
	return faults
}

// problem says in words what a finding is about.
func problem(f integrity.Finding) string {
	fault, _ := integrity.Lookup(f.Fault)
	row := rowName(f.Table, f.Row)
	if strings.HasPrefix(f.Detail, row) {
		return fault.Title + ": " + f.Detail
	}
	return fault.Title + ": " + row + ", " + f.Detail
}

// rowNames are what a row of a table is called; others are named by table and key.
var rowNames = map[string]string{
	"messages": "message", "message_parts": "message part", "summaries": "summary", "context_items": "context item",
	"conversations": "conversation", "conversation_bootstrap_state": "conversation", "conversation_compaction_maintenance": "conversation",
	"large_files": "file", data.AnchorTrustTable: "anchor of message", data.EpochTable: "epoch of conversation", data.TurnTable: "session", "focus_briefs": "focus brief", draft.SourceTable: "summary", draft.MessageTable: "summary",
	data.PendingBatchTable: "pending batch", data.PendingNodeTable: "pending node",
}

// rowName names a row for people.
func rowName(table, row string) string {
	if len(row) > longestKey {
		row = row[:longestKey] + "…"
	}
	if name, ok := rowNames[table]; ok {
		return name + " " + row
	}
	return strings.TrimSpace(table + " " + row)
}

// longestKey is how many bytes of a key are shown; hosts write no longer ones.
const longestKey = 80

// either joins words as alternatives: "drop or keep".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// sameCell reports whether two cells hold the same, of whatever type.
func sameCell(a, b any) bool { return data.Row{"": a}.Equal(data.Row{"": b}) }
