package integrity

// Disease is something that users suffer from, and the faults that cause it.
type Disease struct {
	Name   string
	Faults []FaultID
}

// Diseases are all diseases, the worst first. Every fault is in exactly one, that
// under which most would look for it.
func Diseases() []Disease { return diseases }

var diseases = []Disease{
	{"The host may fail to start", []FaultID{PagesDamaged, TablesIncomplete, SessionKeyDuplicate, ContentMalformed, IDCounterBehind}},
	{"The agent has forgotten", []FaultID{ContextEmpty, CompactionLostMessages, ContextItemDangling, MessageUnreferenced, SummaryUnreferenced, HistorySplit, SessionIDDuplicate, ReferenceDangling}},
	{"Nothing is stored any more", []FaultID{IngestionStopped, BootstrapStateWrong, TranscriptShared}},
	{"Summaries are garbage", []FaultID{SummaryFallback, SummaryEmpty, SummaryCapped, SummaryHoldsThinking, SummaryDuplicate}},
	{"Memory is doubled", []FaultID{MessageDuplicate, MessageRunDuplicate, TranscriptEntryDuplicate, ContextItemDuplicate, MessageInSeveralLeaves, SummaryInSeveralSummaries}},
	{"The context keeps growing", []FaultID{CoveredMessageInContext, CoveredSummaryInContext, NeverCompacted, SummaryLargerThanSource, SummaryOversized, CompactionStuck, CompactionOwedByArchived, CompactionFailing, CompactionLeftover}},
	{"The model is shown the wrong things", []FaultID{ContextItemForeign, ContextOrdinalNegative, ContextOutOfOrder, InjectedContextStored, MessageRoleWrong, FocusBriefWrong}},
	{"Providers may reject the request", []FaultID{MessageEmpty, ToolResultWithoutCallID, ToolResultDuplicate, ToolCallWithoutResult, ToolResultWithoutCall, ToolColumnsEmpty}},
	{"Summaries can't be expanded", []FaultID{SummaryCycle, LeafWithoutMessages, CondensedWithoutSources, LinkDangling, LinkAcrossConversations, SummaryDepthWrong, SummaryKindWrong, MessageFileRowMissing, PayloadFileRowMissing, FileWrong, SummaryFileRowMissing}},
	{"Search misses things", []FaultID{SearchTableDamaged, MessageNotIndexed, MessageIndexDangling, MessageIndexStale, SummaryIndexRowsWrong, SummaryIndexStale}},
	{"Times are wrong", []FaultID{TimeInvalid, LeafTimeRangeWrong, CondensedTimeRangeWrong, MessageTimeBackwards, MessageTimeOfImport}},
	{"Counts are wrong", []FaultID{MessageTokensMissing, MessageTokensWrong, SummaryTokensWrong, DescendantCountersWrong, SourceTokensWrong}},
	{"The host may not know its own rows", []FaultID{IdentityHashWrong, MessageWithoutParts, PartOrdinalGaps, ArchiveStateWrong}},
	{"The database is huge", []FaultID{MediaInRow, PayloadInRow, FileUnreferenced, CompactionNoteStored, HeartbeatStored, ConversationSilent, JobConversation, ConversationEmpty}},
	{"Good to know", []FaultID{ContextOrdinalGaps, LinkOrdinalGaps, MessageSeqGaps, SummaryModelUnknown, SummaryIDUnusual, HostStateDangling}},
}

// Of are the findings of the disease.
func (d Disease) Of(all []Finding) (out []Finding) {
	for _, id := range d.Faults {
		for _, f := range all {
			if f.Fault == id {
				out = append(out, f)
			}
		}
	}
	return out
}

// Worst is the worst severity among findings, or Info.
func Worst(list []Finding) Severity {
	worst := Info
	for _, f := range list {
		if f.Severity.AtLeast(worst) {
			worst = f.Severity
		}
	}
	return worst
}
