package repair

import (
	"context"

	"lcm-tui/engine/integrity"
)

// stage is one step of a repair. Stages run in the order of the table stages.
type stage struct {
	run func(context.Context, *state) error
	// repairs are the faults whose findings it repairs or leaves with a reason. No other stage
	// repairs them.
	repairs []integrity.FaultID
	// needs is what has to be right before it runs, and provides what is right afterwards.
	needs, provides []aspect
}

// aspect is a part of a conversation that is right once a stage has run.
type aspect string

// The aspects, in the order in which stages provide them.
const (
	existence     aspect = "whether the conversation stays, and where"
	links         aspect = "links lead to rows that exist"
	acyclic       aspect = "no summary is made of itself"
	owners        aspect = "each row is under one summary"
	kinds         aspect = "kinds of summaries fit their links"
	sources       aspect = "summaries have their sources"
	leftovers     aspect = "no compaction is half done"
	contextItems  aspect = "which items stand in the context"
	keptMessages  aspect = "which messages stay"
	messageTimes  aspect = "times of messages"
	messageRoles  aspect = "roles of messages"
	messageTokens aspect = "tokens of messages"
	summaryTexts  aspect = "texts of summaries"
	keptSummaries aspect = "which summaries stay"
	summaryTokens aspect = "tokens of summaries"
)

// stages are all steps of a repair. What a stage needs is provided by the stages before it,
// and each fault that can be repaired has one stage: a test holds both.
var stages = []stage{
	{
		run: mergeConversation, repairs: []integrity.FaultID{integrity.HistorySplit},
		provides: []aspect{existence},
	},
	{
		run: endConversation,
		repairs: []integrity.FaultID{
			integrity.ArchiveStateWrong, integrity.SessionKeyDuplicate, integrity.SessionIDDuplicate, integrity.ConversationSilent,
			integrity.JobConversation, integrity.ConversationEmpty,
		},
		provides: []aspect{existence},
	},
	{run: deleteDoubled, repairs: []integrity.FaultID{integrity.SummaryDoubled}, needs: []aspect{existence}},
	{
		run: repairLinks,
		repairs: []integrity.FaultID{
			integrity.LinkDangling, integrity.LinkAcrossConversations, integrity.LinkOrdinalGaps, integrity.ReferenceDangling,
		},
		needs: []aspect{existence}, provides: []aspect{links},
	},
	{
		run: unlinkCycles, repairs: []integrity.FaultID{integrity.SummaryCycle},
		needs: []aspect{links}, provides: []aspect{acyclic},
	},
	{
		run: unlinkShared, repairs: []integrity.FaultID{integrity.MessageInSeveralLeaves, integrity.SummaryInSeveralSummaries},
		needs: []aspect{acyclic}, provides: []aspect{owners},
	},
	{
		run: repairKinds, repairs: []integrity.FaultID{integrity.SummaryKindWrong},
		needs: []aspect{links, acyclic, owners}, provides: []aspect{kinds},
	},
	{
		run: linkSourceless, repairs: []integrity.FaultID{integrity.LeafWithoutMessages, integrity.CondensedWithoutSources},
		needs: []aspect{owners, kinds}, provides: []aspect{sources},
	},
	{
		run: finishCompactions, repairs: []integrity.FaultID{integrity.CompactionLeftover},
		needs: []aspect{owners, sources}, provides: []aspect{leftovers},
	},
	{
		run: repairContext,
		repairs: []integrity.FaultID{
			integrity.ContextItemDangling, integrity.ContextItemForeign, integrity.ContextItemDuplicate, integrity.ContextOrdinalNegative,
			integrity.ContextOrdinalGaps, integrity.CoveredMessageInContext, integrity.CoveredSummaryInContext, integrity.ContextOutOfOrder,
			integrity.MessageUnreferenced, integrity.ContextEmpty, integrity.CompactionLostMessages,
		},
		needs: []aspect{existence, sources, leftovers}, provides: []aspect{contextItems},
	},
	{
		run: placeUnreferenced, repairs: []integrity.FaultID{integrity.SummaryUnreferenced},
		needs: []aspect{contextItems}, provides: []aspect{contextItems},
	},
	{
		run: removeMessages,
		repairs: []integrity.FaultID{
			integrity.TranscriptEntryDuplicate, integrity.MessageDuplicate, integrity.MessageRunDuplicate, integrity.ToolResultDuplicate, integrity.MessageEmpty,
			integrity.TurnStoredAgain, integrity.EntryInSeveralConversations, integrity.ArchivedHistoryRepeated, integrity.RewoundMessagesInContext,
		},
		needs: []aspect{contextItems}, provides: []aspect{keptMessages},
	},
	{
		run: repairAnchors,
		repairs: []integrity.FaultID{
			integrity.AnchorEntryWrong, integrity.AnchorConversationWrong, integrity.AnchorIncomplete, integrity.EntryWithoutAnchor,
			integrity.EpochUnusual, integrity.TurnReceiptDangling, integrity.AnchorDistrusted,
		},
		needs: []aspect{keptMessages},
	},
	{
		run: repairTimes, repairs: []integrity.FaultID{integrity.TimeInvalid},
		needs: []aspect{keptMessages, sources}, provides: []aspect{messageTimes},
	},
	{
		run: repairRoles, repairs: []integrity.FaultID{integrity.MessageRoleWrong},
		needs: []aspect{keptMessages}, provides: []aspect{messageRoles},
	},
	{run: repairMalformed, repairs: []integrity.FaultID{integrity.ContentMalformed}, needs: []aspect{keptMessages}},
	{run: computeHashes, repairs: []integrity.FaultID{integrity.IdentityHashWrong}, needs: []aspect{messageRoles}},
	{run: clearPayloads, repairs: []integrity.FaultID{integrity.PayloadFileRowMissing}, needs: []aspect{keptMessages}},
	{run: copyToolColumns, repairs: []integrity.FaultID{integrity.ToolColumnsEmpty, integrity.ToolResultWithoutCallID}, needs: []aspect{keptMessages}},
	{run: numberParts, repairs: []integrity.FaultID{integrity.PartOrdinalGaps}, needs: []aspect{keptMessages}},
	{run: addParts, repairs: []integrity.FaultID{integrity.MessageWithoutParts}, needs: []aspect{keptMessages}},
	{
		run: countMessageTokens, repairs: []integrity.FaultID{integrity.MessageTokensMissing, integrity.MessageTokensWrong},
		needs: []aspect{keptMessages}, provides: []aspect{messageTokens},
	},
	{
		run: regenerateTexts,
		repairs: []integrity.FaultID{
			integrity.SummaryEmpty, integrity.SummaryFallback, integrity.SummaryLargerThanSource, integrity.SummaryOversized,
			integrity.SummaryCapped, integrity.SummaryHoldsThinking,
		},
		needs: []aspect{acyclic, kinds, sources, keptMessages}, provides: []aspect{summaryTexts},
	},
	{
		run: countSummaryTokens, repairs: []integrity.FaultID{integrity.SummaryTokensWrong},
		needs: []aspect{summaryTexts}, provides: []aspect{summaryTokens},
	},
	{
		run: deleteDuplicateSummaries, repairs: []integrity.FaultID{integrity.SummaryDuplicate},
		needs: []aspect{contextItems, summaryTexts}, provides: []aspect{keptSummaries},
	},
	{run: repairFileNames, repairs: []integrity.FaultID{integrity.SummaryFileRowMissing}, needs: []aspect{keptSummaries}},
	{
		run: computeCounters,
		repairs: []integrity.FaultID{
			integrity.SummaryDepthWrong, integrity.DescendantCountersWrong, integrity.SourceTokensWrong,
			integrity.LeafTimeRangeWrong, integrity.CondensedTimeRangeWrong,
		},
		needs: []aspect{kinds, sources, keptMessages, messageTimes, messageTokens, summaryTokens, keptSummaries},
	},
	{run: restoreFiles, repairs: []integrity.FaultID{integrity.MessageFileRowMissing}, needs: []aspect{existence}},
	{run: deleteFileRows, repairs: []integrity.FaultID{integrity.FileUnreferenced}, needs: []aspect{existence}},
	{
		run: repairHostState,
		repairs: []integrity.FaultID{
			integrity.BootstrapStateWrong, integrity.TranscriptShared, integrity.CompactionStuck, integrity.CompactionOwedByArchived,
			integrity.CompactionFailing, integrity.FocusBriefWrong, integrity.HostStateDangling,
		},
		needs: []aspect{existence},
	},
	{run: repairPending, repairs: pendingRepairs, needs: []aspect{existence}},
	{
		run: repairSearchRows,
		repairs: []integrity.FaultID{
			integrity.MessageNotIndexed, integrity.MessageIndexStale, integrity.SummaryIndexRowsWrong, integrity.SummaryIndexStale, integrity.MessageIndexDangling,
		},
		needs: []aspect{keptMessages, keptSummaries, summaryTexts},
	},
	{run: rebuildSearchTables, repairs: []integrity.FaultID{integrity.SearchTableDamaged, integrity.TablesIncomplete}},
	{run: raiseIDCounters, repairs: []integrity.FaultID{integrity.IDCounterBehind}},
}

// runStages repairs what was found, step by step.
func runStages(ctx context.Context, s *state) error {
	for _, stage := range stages {
		if err := stage.run(ctx, s); err != nil {
			return err
		}
	}
	return nil
}
