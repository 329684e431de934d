package integrity

// FaultID names a fault. Its value is the id in JSON, commands and documentation; code
// uses the constants, which say what is wrong.
type FaultID string

// Area is what a fault is about: the letter that its id begins with.
type Area string

// The areas, in the order of Faults.
const (
	StorageArea      Area = "S"
	ContextArea      Area = "C"
	LinkArea         Area = "L"
	MessageArea      Area = "M"
	SummaryArea      Area = "Q"
	FileArea         Area = "G"
	ConversationArea Area = "V"
	SearchArea       Area = "X"
	HostStateArea    Area = "A"
	PendingArea      Area = "P"
	AnchorArea       Area = "T"
)

// Area returns what the fault is about.
func (id FaultID) Area() Area { return Area(id[:1]) }

// The faults, by what they are about. Lookup returns the entry of one.
const (
	// The file itself.

	PagesDamaged      FaultID = "S01"
	ReferenceDangling FaultID = "S02"
	TablesIncomplete  FaultID = "S03"
	IDCounterBehind   FaultID = "S04"
	TrashMissing      FaultID = "S05"
	LogLargerThanFile FaultID = "S06"
	BackupReadable    FaultID = "S07"
	SecretStored      FaultID = "S08"

	// The context: what the model is shown.

	ContextItemDangling     FaultID = "C01"
	ContextItemForeign      FaultID = "C02"
	ContextItemDuplicate    FaultID = "C03"
	ContextOrdinalNegative  FaultID = "C04"
	ContextOrdinalGaps      FaultID = "C05"
	CoveredMessageInContext FaultID = "C06"
	CoveredSummaryInContext FaultID = "C07"
	ContextOutOfOrder       FaultID = "C08"
	MessageUnreferenced     FaultID = "C09"
	ContextEmpty            FaultID = "C10"
	CompactionLostMessages  FaultID = "C11"
	SummaryDoubled          FaultID = "C12"

	// Links between summaries and what they were made of.

	LeafWithoutMessages       FaultID = "L01"
	CondensedWithoutSources   FaultID = "L02"
	LinkDangling              FaultID = "L03"
	LinkAcrossConversations   FaultID = "L04"
	SummaryCycle              FaultID = "L05"
	SummaryDepthWrong         FaultID = "L06"
	SummaryKindWrong          FaultID = "L07"
	SummaryUnreferenced       FaultID = "L08"
	CompactionLeftover        FaultID = "L09"
	MessageInSeveralLeaves    FaultID = "L10"
	SummaryInSeveralSummaries FaultID = "L11"
	LinkOrdinalGaps           FaultID = "L12"
	DescendantCountersWrong   FaultID = "L13"
	SourceTokensWrong         FaultID = "L14"

	// Messages and their parts.

	MessageDuplicate         FaultID = "M01"
	MessageRunDuplicate      FaultID = "M02"
	TranscriptEntryDuplicate FaultID = "M03"
	ToolResultDuplicate      FaultID = "M04"
	ToolCallWithoutResult    FaultID = "M05"
	ToolResultWithoutCall    FaultID = "M06"
	ToolResultWithoutCallID  FaultID = "M07"
	ToolColumnsEmpty         FaultID = "M08"
	MessageWithoutParts      FaultID = "M09"
	MessageEmpty             FaultID = "M10"
	ContentMalformed         FaultID = "M11"
	PartOrdinalGaps          FaultID = "M12"
	MessageTokensMissing     FaultID = "M13"
	MessageTokensWrong       FaultID = "M14"
	IdentityHashWrong        FaultID = "M15"
	MessageSeqGaps           FaultID = "M16"
	MessageTimeBackwards     FaultID = "M17"
	MessageTimeOfImport      FaultID = "M18"
	TimeInvalid              FaultID = "M19"
	MediaInRow               FaultID = "M20"
	CompactionNoteStored     FaultID = "M21"
	HeartbeatStored          FaultID = "M22"
	InjectedContextStored    FaultID = "M23"
	PayloadInRow             FaultID = "M24"
	MessageRoleWrong         FaultID = "M25"

	// What summaries say, and how they are counted and dated.

	SummaryFallback         FaultID = "Q01"
	SummaryEmpty            FaultID = "Q02"
	SummaryLargerThanSource FaultID = "Q03"
	SummaryOversized        FaultID = "Q04"
	SummaryCapped           FaultID = "Q05"
	SummaryHoldsThinking    FaultID = "Q06"
	SummaryDuplicate        FaultID = "Q07"
	LeafTimeRangeWrong      FaultID = "Q08"
	CondensedTimeRangeWrong FaultID = "Q09"
	SummaryTokensWrong      FaultID = "Q10"
	SummaryModelUnknown     FaultID = "Q11"
	SummaryFileRowMissing   FaultID = "Q12"
	SummaryIDUnusual        FaultID = "Q13"
	ForgottenUnderMarked    FaultID = "Q14"

	// Large files beside the database.

	MessageFileRowMissing FaultID = "G01"
	PayloadFileRowMissing FaultID = "G02"
	FileWrong             FaultID = "G03"
	FileUnreferenced      FaultID = "G04"
	FilePromptStored      FaultID = "G05"

	// Conversations as a whole.

	SessionKeyDuplicate FaultID = "V01"
	SessionIDDuplicate  FaultID = "V02"
	ArchiveStateWrong   FaultID = "V03"
	HistorySplit        FaultID = "V04"
	ConversationSilent  FaultID = "V05"
	JobConversation     FaultID = "V06"
	ConversationEmpty   FaultID = "V07"
	IngestionStopped    FaultID = "V08"
	NeverCompacted      FaultID = "V09"

	// Search tables.

	MessageNotIndexed     FaultID = "X01"
	MessageIndexDangling  FaultID = "X02"
	MessageIndexStale     FaultID = "X03"
	SummaryIndexRowsWrong FaultID = "X04"
	SummaryIndexStale     FaultID = "X05"
	SearchTableDamaged    FaultID = "X06"

	// What hosts note beside the memory.

	BootstrapStateWrong      FaultID = "A01"
	TranscriptShared         FaultID = "A02"
	CompactionStuck          FaultID = "A03"
	CompactionOwedByArchived FaultID = "A04"
	CompactionFailing        FaultID = "A05"
	FocusBriefWrong          FaultID = "A06"
	HostStateDangling        FaultID = "A07"

	// What hosts of 1.0 prepare in the background.

	PendingOfArchived          FaultID = "P01"
	PendingLeaseExpired        FaultID = "P02"
	PendingLeaseMissing        FaultID = "P03"
	PendingRetriesUsedUp       FaultID = "P04"
	PendingRetryWaiting        FaultID = "P04b"
	PendingFailureRepeated     FaultID = "P05"
	PendingSourceChanged       FaultID = "P06"
	PendingBatchDuplicate      FaultID = "P07"
	PendingTextMissing         FaultID = "P08"
	PendingSummaryDeleted      FaultID = "P09"
	PendingStatusContradictory FaultID = "P10"
	PendingAcrossConversations FaultID = "P11"
	PendingSourceMissing       FaultID = "P12"
	PendingBatchExpired        FaultID = "P13"
	PendingFallback            FaultID = "P14"
	PendingRangeUncovered      FaultID = "P15"

	// Anchors: which entry of the transcript each message is, from 1.0.

	TurnStoredAgain             FaultID = "T01"
	AnchorEntryWrong            FaultID = "T02"
	AnchorConversationWrong     FaultID = "T03"
	AnchorIncomplete            FaultID = "T04"
	EntryWithoutAnchor          FaultID = "T05"
	EpochOfOtherSession         FaultID = "T06"
	EpochUnusual                FaultID = "T07"
	RewoundMessagesInContext    FaultID = "T08"
	EntryInSeveralConversations FaultID = "T09"
	ArchivedHistoryRepeated     FaultID = "T10"
	TurnReceiptDangling         FaultID = "T11"
	AnchorDistrusted            FaultID = "T12"
)
