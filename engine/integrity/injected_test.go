package integrity_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// injections are the faults that can be done to a sample: the script, the fault that
// it is to be found as, and the rows that must be named. What follows from it may be
// found too.
var injections = []injection{
	{"missing-optional-tables", integrity.TablesIncomplete, "messages_fts"},
	{"dangling-edges", integrity.ReferenceDangling, "sum_eeeeeeeeeeeeeeee sum_dddddddddddddddd"},
	{"counter-behind", integrity.IDCounterBehind, "conversations"},
	{"context-missing-summary", integrity.ContextItemDangling, "0"},
	{"context-missing-message", integrity.ContextItemDangling, "4"},
	{"cross-conversation", integrity.ContextItemForeign, "4"},
	{"context-duplicate", integrity.ContextItemDuplicate, "17"},
	{"negative-ordinal", integrity.ContextOrdinalNegative, "-5 -6"},
	{"ordinal-gaps", integrity.ContextOrdinalGaps, "0"},
	{"context-double", integrity.CoveredMessageInContext, "901"},
	{"context-double", integrity.CoveredSummaryInContext, "900"},
	{"context-disorder", integrity.ContextOutOfOrder, "6 8"},
	{"uncovered-message", integrity.MessageUnreferenced, "51"},
	{"context-empty", integrity.ContextEmpty, "1"},
	{"host-race", integrity.CompactionLostMessages, "39"},
	{"host-double", integrity.SummaryDoubled, "sum_0ace0ace0ace0ace"},
	{"no-sources", integrity.LeafWithoutMessages, "sum_19efce1160eed294"},
	{"no-sources", integrity.CondensedWithoutSources, "sum_37fdcb590c19b92a"},
	{"dangling-edges", integrity.LinkDangling, "sum_37f814a5afbec780 sum_eeeeeeeeeeeeeeee sum_0b09b01c9d232372 sum_dddddddddddddddd"},
	{"cross-conversation", integrity.LinkAcrossConversations, "sum_0b09b01c9d232372"},
	{"cycle", integrity.SummaryCycle, "sum_37f814a5afbec780 sum_4047233931efe86e"},
	{"self-loop", integrity.SummaryCycle, "sum_37fdcb590c19b92a"},
	{"depth-mismatch", integrity.SummaryDepthWrong, "sum_37f814a5afbec780 sum_19efce1160eed294"},
	{"kind-mismatch", integrity.SummaryKindWrong, "sum_19efce1160eed294"},
	{"context-missing-summary", integrity.SummaryUnreferenced, "sum_4047233931efe86e"},
	{"orphan-summary", integrity.CompactionLeftover, "sum_0bad0bad0bad0bad"},
	{"overlap", integrity.MessageInSeveralLeaves, "1"},
	{"diamond", integrity.SummaryInSeveralSummaries, "sum_0b09b01c9d232372"},
	{"link-gaps", integrity.LinkOrdinalGaps, "sum_19efce1160eed294"},
	{"counters-drift", integrity.DescendantCountersWrong, "sum_4047233931efe86e"},
	{"counters-drift", integrity.SourceTokensWrong, "sum_19efce1160eed294"},
	{"message-double", integrity.MessageDuplicate, "9001 9002"},
	{"message-decorated", integrity.MessageDuplicate, "9201"},
	{"message-masked", integrity.MessageDuplicate, "9302"},
	{"message-replay", integrity.MessageRunDuplicate, "9107"},
	{"entry-double", integrity.TranscriptEntryDuplicate, "9"},
	{"tool-result-double", integrity.ToolResultDuplicate, "41"},
	{"tool-unpaired", integrity.ToolCallWithoutResult, "3"},
	{"tool-unpaired", integrity.ToolResultWithoutCall, "4"},
	{"tool-nameless", integrity.ToolResultWithoutCallID, "39"},
	{"tool-columns-empty", integrity.ToolColumnsEmpty, ""},
	{"partless", integrity.MessageWithoutParts, "7"},
	{"empty-message", integrity.MessageEmpty, "3"},
	{"malformed-json", integrity.ContentMalformed, "sum_19efce1160eed294"},
	{"bad-values", integrity.ContentMalformed, "6 8 9"},
	{"part-gaps", integrity.PartOrdinalGaps, "3"},
	{"uncounted", integrity.MessageTokensMissing, "7 8"},
	{"bad-values", integrity.MessageTokensMissing, "10 11"},
	{"undercounted", integrity.MessageTokensWrong, "7 9"},
	{"bad-hash", integrity.IdentityHashWrong, "2 7"},
	{"seq-gaps", integrity.MessageSeqGaps, "1"},
	{"time-backwards", integrity.MessageTimeBackwards, "7"},
	{"import-stamped", integrity.MessageTimeOfImport, "20"},
	{"future", integrity.TimeInvalid, "7"},
	{"bad-values", integrity.TimeInvalid, "3 5"},
	{"inline-media", integrity.MediaInRow, ""},
	{"compaction-notes", integrity.CompactionNoteStored, "9401"},
	{"heartbeat", integrity.HeartbeatStored, "7"},
	{"injected", integrity.InjectedContextStored, "51"},
	{"oversized-message", integrity.PayloadInRow, "7"},
	{"role-mismatch", integrity.MessageRoleWrong, "8"},
	{"marker-fallback", integrity.SummaryFallback, "sum_19efce1160eed294"},
	{"marker-old", integrity.SummaryFallback, "sum_19efce1160eed294"},
	{"marker-truncated", integrity.SummaryFallback, "sum_19efce1160eed294"},
	{"emergency-model", integrity.SummaryFallback, "sum_19efce1160eed294"},
	{"summary-empty", integrity.SummaryEmpty, "sum_19efce1160eed294"},
	{"summary-larger", integrity.SummaryLargerThanSource, "sum_19efce1160eed294"},
	{"summary-oversized", integrity.SummaryOversized, "sum_19efce1160eed294"},
	{"summary-capped", integrity.SummaryCapped, "sum_19efce1160eed294"},
	{"summary-thinking", integrity.SummaryHoldsThinking, "sum_19efce1160eed294"},
	{"summary-double", integrity.SummaryDuplicate, "sum_19efce1160eed294"},
	{"time-range", integrity.LeafTimeRangeWrong, "sum_19efce1160eed294"},
	{"summary-time", integrity.CondensedTimeRangeWrong, "sum_37f814a5afbec780"},
	{"summary-miscounted", integrity.SummaryTokensWrong, "sum_19efce1160eed294"},
	{"model-unknown", integrity.SummaryModelUnknown, "sum_19efce1160eed294"},
	{"summary-file-missing", integrity.SummaryFileRowMissing, "sum_19efce1160eed294"},
	{"summary-id-odd", integrity.SummaryIDUnusual, "odd_1"},
	{"stored-secret", integrity.SecretStored, "1"},
	{"unrestorable-record", integrity.TrashMissing, "4711"},
	{"unwritable-summary", integrity.ForgottenUnderMarked, "sum_19efce1160eed294"},
	{"file-row-missing", integrity.MessageFileRowMissing, "37"},
	{"payload-row-missing", integrity.PayloadFileRowMissing, "7"},
	{"file-missing", integrity.FileWrong, "file_0123456789abcdef"},
	{"file-unreferenced", integrity.FileUnreferenced, "file_00000000feedbeef"},
	{"file-prompt-copied", integrity.FilePromptStored, "file_0123456789abcdef"},
	{"double-active-key", integrity.SessionKeyDuplicate, "1"},
	{"double-active-session", integrity.SessionIDDuplicate, "1"},
	{"archived-contradiction", integrity.ArchiveStateWrong, "1"},
	{"rollover-split", integrity.HistorySplit, "1"},
	{"conversation-empty", integrity.ConversationSilent, "1 900"},
	{"subagent", integrity.JobConversation, "1"},
	{"conversation-empty", integrity.ConversationEmpty, "900"},
	{"frozen", integrity.IngestionStopped, "901"},
	{"never-compacted", integrity.NeverCompacted, "902"},
	{"fts-out-of-sync", integrity.MessageNotIndexed, "7"},
	{"fts-out-of-sync", integrity.MessageIndexDangling, "777777"},
	{"bad-values", integrity.MessageIndexStale, "8 9"},
	{"fts-out-of-sync", integrity.SummaryIndexRowsWrong, "sum_0b09b01c9d232372"},
	{"fts-out-of-sync", integrity.SummaryIndexStale, "sum_19efce1160eed294"},
	{"cjk-out-of-sync", integrity.SummaryIndexStale, "sum_21b77ddfe6ff0d74"},
	{"fts-damaged", integrity.SearchTableDamaged, "messages_fts"},
	{"checkpoint-wrong", integrity.BootstrapStateWrong, "1"},
	{"transcript-shared", integrity.TranscriptShared, "1"},
	{"compaction-stuck", integrity.CompactionStuck, "1"},
	{"compaction-owed", integrity.CompactionOwedByArchived, "2"},
	{"compaction-failing", integrity.CompactionFailing, "1"},
	{"focus-double", integrity.FocusBriefWrong, "focus_ffffffffffffffff"},
	{"note-dangling", integrity.HostStateDangling, "7777"},
	{"turn-again", integrity.TurnStoredAgain, "9501 9502"},
	{"anchor-other-entry", integrity.AnchorEntryWrong, "50"},
	{"anchor-other-conversation", integrity.AnchorConversationWrong, "48"},
	{"anchor-incomplete", integrity.AnchorIncomplete, "46 47"},
	{"entry-unproven", integrity.EntryWithoutAnchor, "1 2"},
	{"epoch-other-session", integrity.EpochOfOtherSession, "1"},
	{"epoch-unusual", integrity.EpochUnusual, "1 2"},
	{"rewind-in-context", integrity.RewoundMessagesInContext, "1"},
	{"entry-two-conversations", integrity.EntryInSeveralConversations, "52"},
	{"history-repeated", integrity.ArchivedHistoryRepeated, "2"},
	{"receipt-dangling", integrity.TurnReceiptDangling, "session-deleted"},
	{"anchor-distrusted", integrity.AnchorDistrusted, "1"},
	{"pending-archived", integrity.PendingOfArchived, "pcb_archived"},
	{"pending-lease-expired", integrity.PendingLeaseExpired, "psn_lease-leaf-2-5"},
	{"pending-lease-missing", integrity.PendingLeaseMissing, "psn_noend-leaf-2-5"},
	{"pending-retries", integrity.PendingRetriesUsedUp, "psn_used-leaf-2-3"},
	{"pending-retries", integrity.PendingRetryWaiting, "psn_waits-leaf-4-5"},
	{"pending-failing", integrity.PendingFailureRepeated, "pcb_failing_2"},
	{"pending-source-moved", integrity.PendingSourceChanged, "pcb_moved"},
	{"pending-double", integrity.PendingBatchDuplicate, "pcb_double_1"},
	{"pending-text-missing", integrity.PendingTextMissing, "psn_blank-leaf-2-3 psn_uncounted-leaf-4-5"},
	{"pending-summary-deleted", integrity.PendingSummaryDeleted, "psn_deleted-leaf-2-5"},
	{"pending-status", integrity.PendingStatusContradictory, "psn_half-leaf-2-5 pcb_timeless"},
	{"pending-foreign", integrity.PendingAcrossConversations, "psn_foreign-leaf-0-1 psn_other-leaf-2-5"},
	{"pending-sourceless", integrity.PendingSourceMissing, "psn_leaf-leaf-2-3 psn_parent-condensed-d1-2-5 psn_link-condensed-d1-6-9"},
	{"pending-expired", integrity.PendingBatchExpired, "pcb_expired"},
	{"pending-fallback", integrity.PendingFallback, "psn_fallback-leaf-2-5"},
	{"pending-uncovered", integrity.PendingRangeUncovered, "pcb_uncovered"},
}

type injection struct {
	script string
	fault  integrity.FaultID
	rows   string
}

// sampleCache makes each sample once.
var sampleCache samples.Cache

// broken returns a copy of the sample, of the level that the first fault needs, with faults done
// to it.
func broken(t *testing.T, scripts ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	level := fakehost.Head
	if len(scripts) > 0 {
		level = faults.Level(scripts[0])
	}
	if err := sampleCache.Sample(path, level); err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		if err := faults.Break(path, script); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// check returns the diagnosis of a file.
func check(t *testing.T, path string, r integrity.Request) integrity.Diagnosis {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if r.FilesDir == "" {
		r.FilesDir = filepath.Join(filepath.Dir(path), "lcm-files")
	}
	d, err := integrity.Check(t.Context(), db, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// rowsOf returns the rows of a fault.
func rowsOf(d integrity.Diagnosis, fault integrity.FaultID) (rows []string) {
	for _, f := range d.Findings {
		if f.Fault == fault {
			rows = append(rows, f.Row)
		}
	}
	return rows
}

// TestInjected: every fault that is done to a file is found under its id and names
// its rows.
func TestInjected(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	byScript := map[string][]injection{}
	for _, in := range injections {
		byScript[in.script] = append(byScript[in.script], in)
	}
	for script, list := range byScript {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			var r integrity.Request
			for _, in := range list {
				r.Faults = append(r.Faults, in.fault)
			}
			d := check(t, broken(t, script), r)
			for _, in := range list {
				found(t, d, in.fault, in.rows)
			}
		})
	}
}

// found wants a fault among the findings, at these rows.
func found(t *testing.T, d integrity.Diagnosis, fault integrity.FaultID, rows string) {
	t.Helper()
	got := rowsOf(d, fault)
	if len(got) == 0 {
		t.Errorf("%s wasn't found", fault)
	}
	for _, want := range strings.Fields(rows) {
		if !slices.Contains(got, want) {
			t.Errorf("%s: rows %v, want %s among them", fault, got, want)
		}
	}
}

func TestEveryFaultIsInjected(t *testing.T) {
	t.Parallel()
	// A damaged page and files beside the database are no script: TestSpoiledPages and TestFilesBeside make them.
	covered := map[integrity.FaultID]bool{integrity.PagesDamaged: true, integrity.LogLargerThanFile: true, integrity.BackupReadable: true}
	for _, in := range injections {
		covered[in.fault] = true
		if !slices.Contains(faults.NamesAt(faults.Level(in.script)), in.script) {
			t.Errorf("there is no script %s", in.script)
		}
	}
	for _, f := range integrity.Faults() {
		if !covered[f.ID] {
			t.Errorf("nothing injects %s", f.ID)
		}
	}
}

// query matches a query of testdata/faults.sql.
var query = regexp.MustCompile(`(?s)-- (\w\d\d) \[\w+\][^\n]*\n(.*?);\n`)

// notQueried are the faults for which testdata/faults.sql has a pragma, a write, or the list
// of all files instead of a query.
var notQueried = []integrity.FaultID{integrity.PagesDamaged, integrity.ReferenceDangling, integrity.SearchTableDamaged, integrity.FileWrong}

// queries are those of testdata/faults.sql, except notQueried.
var queries = sync.OnceValues(func() (faults []integrity.FaultID, queries []string) {
	b, err := os.ReadFile(filepath.Join("testdata", "faults.sql"))
	if err != nil {
		panic(err)
	}
	for _, m := range query.FindAllStringSubmatch(string(b)+"\n", -1) {
		if id := integrity.FaultID(m[1]); !slices.Contains(notQueried, id) {
			faults, queries = append(faults, id), append(queries, m[2])
		}
	}
	return faults, queries
})

// queried returns the faults that the queries find in a file.
func queried(t *testing.T, path string) (found []integrity.FaultID) {
	t.Helper()
	faults, queries := queries()
	counts, err := testdb.CountRows(path, queries)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range counts {
		if n > 0 {
			found = append(found, faults[i])
		}
	}
	return found
}

// excused are the faults that a query finds because it leaves out a caution that the file
// names beside it, by script.
var excused = map[string][]integrity.FaultID{
	"bad-values":         {integrity.SourceTokensWrong, integrity.MessageTokensWrong, integrity.PayloadInRow, integrity.SummaryLargerThanSource, integrity.SummaryOversized}, // Text compares above every number.
	"context-duplicate":  {integrity.ContextOutOfOrder},                                                                                                                      // A second item has a fault of its own.
	"cross-conversation": {integrity.ContextOutOfOrder, integrity.SourceTokensWrong, integrity.LeafTimeRangeWrong},                                                           // So is the row of another conversation.
	"cycle":              {integrity.CoveredSummaryInContext},
	"self-loop":          {integrity.SummaryDepthWrong, integrity.DescendantCountersWrong},
	"dangling-edges":     {integrity.MessageInSeveralLeaves}, // One of the two leaves doesn't exist.
	"kind-mismatch":      {integrity.CondensedWithoutSources, integrity.SummaryDepthWrong, integrity.DescendantCountersWrong},
	"orphan-summary":     {integrity.SummaryUnreferenced}, // L09 tells more.
	"marker-quoted":      {integrity.SummaryFallback},
	"summary-empty":      {integrity.SummaryFallback},
	"import-stamped":     {integrity.MessageDuplicate},      // Blank tool rows with different calls.
	"tool-columns-empty": {integrity.ToolResultWithoutCall}, // The metadata knows the call.
	"uncounted":          {integrity.SourceTokensWrong, integrity.MessageTokensWrong},
}

// TestNothingIsMissedThatQueriesFind breaks files in many ways each: what a query of
// testdata/faults.sql finds in one is found by the check.
func TestNothingIsMissedThatQueriesFind(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	scripts := slices.DeleteFunc(faults.Names(), func(s string) bool {
		return slices.Contains([]string{"empty-file", "not-sqlite", "truncated-file", "no-fts", "missing-optional-tables", "huge-cell", "hostile-text"}, s)
	})
	for group := range slices.Chunk(scripts, 12) {
		t.Run(group[0], func(t *testing.T) {
			t.Parallel()
			path := broken(t)
			var excuses []integrity.FaultID
			for _, s := range group {
				if err := faults.Break(path, s); err != nil {
					t.Fatal(err)
				}
				excuses = append(excuses, excused[s]...)
			}
			d := check(t, path, integrity.Request{})
			for _, fault := range queried(t, path) {
				if len(rowsOf(d, fault)) == 0 && !slices.Contains(excuses, fault) {
					t.Errorf("after %v a query finds %s, the check doesn't", group, fault)
				}
			}
		})
	}
}

func TestHealthyFilesOfAllLevels(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range append(fakehost.Levels(), fakehost.Beta, fakehost.Fork) {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "lcm.db")
			if err := samples.Write(path, level); err != nil {
				t.Fatal(err)
			}
			if bad := check(t, path, integrity.Request{}).AtLeast(integrity.Warn).Findings; len(bad) > 0 {
				t.Errorf("found in a healthy file: %+v", bad)
			}
		})
	}
}

// TestOneConversation: what is found in a conversation alone is what is found there
// in the whole file, but for what only the whole file shows.
func TestOneConversation(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, script := range []string{"context-double", "dangling-edges", "orphan-summary", "message-replay", "fts-out-of-sync", "transcript-shared", "double-active-key", "diamond"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			path := broken(t, script)
			var whole []string
			for _, f := range check(t, path, integrity.Request{}).Findings {
				if f.Conversation == 1 && f.Fault != integrity.ReferenceDangling {
					whole = append(whole, string(f.Fault)+" "+f.Row)
				}
			}
			var alone []string
			for _, f := range check(t, path, integrity.Request{Conversation: 1}).Findings {
				if f.Fault != integrity.ReferenceDangling {
					alone = append(alone, string(f.Fault)+" "+f.Row)
				}
			}
			for _, w := range whole {
				if !slices.Contains(alone, w) {
					t.Errorf("%s is found in the whole file only", w)
				}
			}
		})
	}
}

func TestFaultsAskedForOnly(t *testing.T) {
	t.Parallel()
	d := check(t, broken(t, "context-double"), integrity.Request{Faults: []integrity.FaultID{integrity.CoveredMessageInContext}})
	if len(d.Findings) != 1 || d.Findings[0].Fault != integrity.CoveredMessageInContext || d.Counts != (integrity.Counts{Error: 1}) {
		t.Errorf("%+v", d)
	}
}
