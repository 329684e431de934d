package repair

import (
	"maps"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
	"lcm-tui/ops/repair/draft"
)

// nouns say what one finding and several findings of a fault are.
var nouns = map[integrity.FaultID][2]string{
	integrity.PagesDamaged:              {"damaged page", "damaged pages"},
	integrity.ReferenceDangling:         {"reference to a missing row", "references to missing rows"},
	integrity.TablesIncomplete:          {"missing or stale table", "missing or stale tables"},
	integrity.IDCounterBehind:           {"id counter behind its table", "id counters behind their tables"},
	integrity.ContextItemDangling:       {"context item that names a missing row", "context items that name missing rows"},
	integrity.ContextItemForeign:        {"context item of another conversation", "context items of other conversations"},
	integrity.ContextItemDuplicate:      {"duplicate context item", "duplicate context items"},
	integrity.ContextOrdinalNegative:    {"negative ordinal in the context", "negative ordinals in the context"},
	integrity.ContextOrdinalGaps:        {"gap in the ordinals of the context", "gaps in the ordinals of the context"},
	integrity.CoveredMessageInContext:   {"message in the context beside the summary that covers it", "messages in the context beside the summaries that cover them"},
	integrity.CoveredSummaryInContext:   {"summary in the context beside the one made of it", "summaries in the context beside those made of them"},
	integrity.ContextOutOfOrder:         {"message out of order", "messages out of order"},
	integrity.MessageUnreferenced:       {"stretch of unreferenced messages", "stretches of unreferenced messages"},
	integrity.ContextEmpty:              {"empty context", "empty contexts"},
	integrity.CompactionLostMessages:    {"stretch of messages that a compaction lost", "stretches of messages that a compaction lost"},
	integrity.LeafWithoutMessages:       {"leaf without messages", "leaves without messages"},
	integrity.CondensedWithoutSources:   {"condensed summary without sources", "condensed summaries without sources"},
	integrity.LinkDangling:              {"dangling link", "dangling links"},
	integrity.LinkAcrossConversations:   {"link to another conversation", "links to other conversations"},
	integrity.SummaryCycle:              {"cycle", "cycles"},
	integrity.SummaryDepthWrong:         {"wrong depth", "wrong depths"},
	integrity.SummaryKindWrong:          {"wrong kind of summary", "wrong kinds of summaries"},
	integrity.SummaryUnreferenced:       {"unreferenced summary", "unreferenced summaries"},
	integrity.CompactionLeftover:        {"leftover of a compaction", "leftovers of compactions"},
	integrity.MessageInSeveralLeaves:    {"message under several leaves", "messages under several leaves"},
	integrity.SummaryInSeveralSummaries: {"summary under several others", "summaries under several others"},
	integrity.LinkOrdinalGaps:           {"gap in the ordinals of links", "gaps in the ordinals of links"},
	integrity.DescendantCountersWrong:   {"wrong descendant count", "wrong descendant counts"},
	integrity.SourceTokensWrong:         {"wrong source token count", "wrong source token counts"},
	integrity.MessageDuplicate:          {"duplicate message", "duplicate messages"},
	integrity.MessageRunDuplicate:       {"duplicate stretch of messages", "duplicate stretches of messages"},
	integrity.TranscriptEntryDuplicate:  {"duplicate transcript entry", "duplicate transcript entries"},
	integrity.ToolResultDuplicate:       {"duplicate tool result", "duplicate tool results"},
	integrity.ToolCallWithoutResult:     {"tool call without a result", "tool calls without results"},
	integrity.ToolResultWithoutCall:     {"tool result without its call", "tool results without their calls"},
	integrity.ToolResultWithoutCallID:   {"tool result that names no call", "tool results that name no call"},
	integrity.ToolColumnsEmpty:          {"tool call with empty columns", "tool calls with empty columns"},
	integrity.MessageWithoutParts:       {"message without parts", "messages without parts"},
	integrity.MessageEmpty:              {"empty message", "empty messages"},
	integrity.ContentMalformed:          {"malformed value", "malformed values"},
	integrity.PartOrdinalGaps:           {"gap in the ordinals of parts", "gaps in the ordinals of parts"},
	integrity.MessageTokensMissing:      {"missing token count of a message", "missing token counts of messages"},
	integrity.MessageTokensWrong:        {"wrong token count of a message", "wrong token counts of messages"},
	integrity.IdentityHashWrong:         {"wrong identity hash", "wrong identity hashes"},
	integrity.MessageSeqGaps:            {"gap in the numbers of messages", "gaps in the numbers of messages"},
	integrity.MessageTimeBackwards:      {"message older than the one before it", "messages older than those before them"},
	integrity.MessageTimeOfImport:       {"message dated by an import", "messages dated by an import"},
	integrity.TimeInvalid:               {"invalid time", "invalid times"},
	integrity.MediaInRow:                {"message with media inside", "messages with media inside"},
	integrity.CompactionNoteStored:      {"stored note of a compaction", "stored notes of compactions"},
	integrity.HeartbeatStored:           {"stored heartbeat", "stored heartbeats"},
	integrity.InjectedContextStored:     {"stored injected context", "stored injected contexts"},
	integrity.PayloadInRow:              {"oversized message", "oversized messages"},
	integrity.MessageRoleWrong:          {"wrong role", "wrong roles"},
	integrity.SummaryFallback:           {"truncated summary", "truncated summaries"},
	integrity.SummaryEmpty:              {"empty summary", "empty summaries"},
	integrity.SummaryLargerThanSource:   {"summary no smaller than its source", "summaries no smaller than their sources"},
	integrity.SummaryOversized:          {"oversized summary", "oversized summaries"},
	integrity.SummaryCapped:             {"capped summary", "capped summaries"},
	integrity.SummaryHoldsThinking:      {"summary with a model's thinking in it", "summaries with a model's thinking in them"},
	integrity.SummaryDuplicate:          {"duplicate summary", "duplicate summaries"},
	integrity.LeafTimeRangeWrong:        {"wrong time range of a leaf", "wrong time ranges of leaves"},
	integrity.CondensedTimeRangeWrong:   {"wrong time range of a condensed summary", "wrong time ranges of condensed summaries"},
	integrity.SummaryTokensWrong:        {"wrong token count of a summary", "wrong token counts of summaries"},
	integrity.SummaryModelUnknown:       {"summary of an unknown model", "summaries of unknown models"},
	integrity.SummaryFileRowMissing:     {"summary that names a missing file", "summaries that name missing files"},
	integrity.SummaryIDUnusual:          {"unusual summary id", "unusual summary ids"},
	integrity.MessageFileRowMissing:     {"reference to a missing file row", "references to missing file rows"},
	integrity.PayloadFileRowMissing:     {"payload without its file row", "payloads without their file rows"},
	integrity.FileWrong:                 {"missing or moved file", "missing or moved files"},
	integrity.FileUnreferenced:          {"unreferenced file", "unreferenced files"},
	integrity.SessionKeyDuplicate:       {"second active conversation of a key", "second active conversations of keys"},
	integrity.SessionIDDuplicate:        {"second active conversation of a session", "second active conversations of sessions"},
	integrity.ArchiveStateWrong:         {"contradictory archive state", "contradictory archive states"},
	integrity.HistorySplit:              {"history left in an archived conversation", "histories left in archived conversations"},
	integrity.ConversationSilent:        {"silent conversation", "silent conversations"},
	integrity.JobConversation:           {"conversation of a job", "conversations of jobs"},
	integrity.ConversationEmpty:         {"empty conversation", "empty conversations"},
	integrity.IngestionStopped:          {"conversation that stores nothing", "conversations that store nothing"},
	integrity.NeverCompacted:            {"context that was never compacted", "contexts that were never compacted"},
	integrity.BootstrapStateWrong:       {"wrong transcript position", "wrong transcript positions"},
	integrity.TranscriptShared:          {"transcript read by two conversations", "transcripts read by two conversations"},
	integrity.CompactionStuck:           {"compaction that never ended", "compactions that never ended"},
	integrity.CompactionOwedByArchived:  {"compaction owed to an archived conversation", "compactions owed to archived conversations"},
	integrity.CompactionFailing:         {"failing compaction", "failing compactions"},
	integrity.FocusBriefWrong:           {"wrong focus brief", "wrong focus briefs"},
	integrity.HostStateDangling:         {"host state of a missing conversation", "host states of missing conversations"},
	integrity.MessageNotIndexed:         {"message missing from search", "messages missing from search"},
	integrity.MessageIndexDangling:      {"search entry of a missing message", "search entries of missing messages"},
	integrity.MessageIndexStale:         {"outdated search entry of a message", "outdated search entries of messages"},
	integrity.SummaryIndexRowsWrong:     {"summary missing from search, or there twice", "summaries missing from search, or there twice"},
	integrity.SummaryIndexStale:         {"outdated search entry of a summary", "outdated search entries of summaries"},
	integrity.SearchTableDamaged:        {"damaged search table", "damaged search tables"},
}

// countFaults says how many findings of each fault there are, in words, most important
// faults first: "4 truncated summaries, 1 cycle". It is empty for none.
func countFaults(counts map[integrity.FaultID]int) string {
	var parts []string
	for _, f := range bySeverity() {
		if n := counts[f.ID]; n > 0 {
			parts = append(parts, ops.Count(n, nouns[f.ID][0], nouns[f.ID][1]))
		}
	}
	return strings.Join(parts, ", ")
}

// bySeverity are all faults, the worst first.
func bySeverity() []integrity.Fault {
	faults, order := slices.Clone(integrity.Faults()), integrity.Severities()
	slices.SortStableFunc(faults, func(a, b integrity.Fault) int {
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
	"large_files": "file", "focus_briefs": "focus brief", draft.SourceTable: "summary", draft.MessageTable: "summary",
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

// sortedKeys are the keys of a map in order.
func sortedKeys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// sameCell reports whether two cells hold the same, of whatever type.
func sameCell(a, b any) bool { return data.Row{"": a}.Equal(data.Row{"": b}) }
