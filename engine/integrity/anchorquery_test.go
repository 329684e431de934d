package integrity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// anchorQuery matches a query of testdata/faults-1.0.sql for anchors.
var anchorQuery = regexp.MustCompile(`(?s)\n-- (T\d\d) [^\n]*\n(?:--[^\n]*\n)*(SELECT .*?);\n`)

// anchorRow says for each query how many columns it has and what of them a finding tells, and
// how the finding does.
var anchorRow = map[integrity.FaultID]struct {
	columns string
	row     string
	of      func(integrity.Finding) string
}{
	integrity.TurnStoredAgain: {"a, b, c", "a || ' ' || b || ' ' || c", func(f integrity.Finding) string {
		return fmt.Sprintf("%d %s", f.Conversation, strings.Join(f.Rows, " "))
	}},
	integrity.AnchorEntryWrong:         {"a, b, c, d", "a || ' ' || b", conversationAndRow},
	integrity.AnchorConversationWrong:  {"a, b, c", "c || ' ' || a", conversationAndRow},
	integrity.AnchorIncomplete:         {"a, b", "a || ' ' || b", conversationAndRow},
	integrity.EntryWithoutAnchor:       {"a, b", "a || ' ' || b", conversationAndCount},
	integrity.EpochOfOtherSession:      {"a, b, c", "a || ' ' || a", conversationAndRow},
	integrity.EpochUnusual:             {"a, b", "a || ' ' || a", conversationAndRow},
	integrity.RewoundMessagesInContext: {"a, b", "a || ' ' || b", conversationAndRows},
	integrity.EntryInSeveralConversations: {"a, b, c", "c || ' ' || a || ' ' || b", func(f integrity.Finding) string {
		m := regexp.MustCompile(`entry (\S+) of message \d+ in conversation (\d+)`).FindStringSubmatch(f.Detail)
		return fmt.Sprintf("%d %s %s", f.Conversation, m[1], m[2])
	}},
	integrity.ArchivedHistoryRepeated: {"a, b, c", "a || ' ' || b", func(f integrity.Finding) string {
		m := regexp.MustCompile(`^\d+ messages? of conversation (\d+)`).FindStringSubmatch(f.Detail)
		return fmt.Sprintf("%d %s", f.Conversation, m[1])
	}},
	integrity.TurnReceiptDangling: {"a, b", "a || ' ' || b", func(f integrity.Finding) string { return f.Row + " " + firstWord(f.Detail) }},
	integrity.AnchorDistrusted:    {"a, b, c", "a || ' ' || b", conversationAndRows},
}

func conversationAndRow(f integrity.Finding) string {
	return fmt.Sprintf("%d %s", f.Conversation, f.Row)
}

func conversationAndRows(f integrity.Finding) string {
	return fmt.Sprintf("%d %d", f.Conversation, len(f.Rows))
}

func conversationAndCount(f integrity.Finding) string {
	return fmt.Sprintf("%d %s", f.Conversation, firstWord(f.Detail))
}

func firstWord(s string) string { word, _, _ := strings.Cut(s, " "); return word }

// anchorIDs are the faults of anchors.
var anchorIDs = integrity.Select(func(f integrity.Fault) bool { return f.ID.Area() == integrity.AnchorArea })

// checkAnchors returns the rows that the check finds, named as those of the queries are.
func checkAnchors(t *testing.T, path string) map[integrity.FaultID][]string {
	t.Helper()
	out := map[integrity.FaultID][]string{}
	for _, f := range check(t, path, integrity.Request{Faults: anchorIDs}).Findings {
		out[f.Fault] = append(out[f.Fault], anchorRow[f.Fault].of(f))
	}
	return out
}

// queryAnchors returns the rows that the queries find, by fault.
func queryAnchors(t *testing.T, path string) map[integrity.FaultID][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "faults-1.0.sql"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[integrity.FaultID][]string{}
	queries := anchorQuery.FindAllStringSubmatch(string(b), -1)
	if len(queries) != len(anchorRow) {
		t.Fatalf("%d queries", len(queries))
	}
	for _, m := range queries {
		id := integrity.FaultID(m[1])
		out[id] = testdb.Rows(t, path, fmt.Sprintf("WITH q(%s) AS (%s) SELECT %s FROM q", anchorRow[id].columns, m[2], anchorRow[id].row))
	}
	return out
}

// compareAnchors wants the check to find exactly what the queries find.
func compareAnchors(t *testing.T, path string) (found int) {
	t.Helper()
	want, got := queryAnchors(t, path), checkAnchors(t, path)
	for _, id := range anchorIDs {
		slices.Sort(want[id])
		slices.Sort(got[id])
		if !slices.Equal(got[id], want[id]) {
			t.Errorf("%s: found %q, the query finds %q", id, got[id], want[id])
		}
		found += len(got[id])
	}
	return found
}

// TestAnchorFaultsAreThoseOfTheQueries: in files with one fault, with all of them, and with
// rows that no host writes.
func TestAnchorFaultsAreThoseOfTheQueries(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	files := map[string]string{"all faults": broken(t, faults.NamesAt(fakehost.Beta)...)}
	for _, name := range faults.NamesAt(fakehost.Beta) {
		if !strings.HasPrefix(name, "pending-") {
			files[name] = broken(t, name)
		}
	}
	unusual := broken(t, "turn-again", "history-repeated", "rewind-in-context", "anchor-distrusted")
	alter(
		t, unusual,
		"INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at, identity_hash, transcript_entry_id) SELECT message_id + 100, 1, message_id + 100, role, content, token_count, created_at, identity_hash, NULL FROM messages WHERE message_id IN (50, 9501, 9502)",
		"INSERT INTO message_transcript_anchor_trust (message_id, conversation_id, trust_state, source) VALUES (9601, 1, 'suspect', 'transcript-import'), (88888, 1, 'verified', 'transcript-import')",
		"INSERT INTO message_transcript_anchor_trust (message_id, conversation_id, transcript_entry_id, trust_state, source, reason) VALUES (99999, 77, x'00ff', 'suspect', 'x', 'entry id missing from projection'), (99998, 1, 5, 'suspect', 'x', 'entry id lacks explicit trust')",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) VALUES (2, 99, 'message', 99999), (2, 98, 'message', 44), (1, 97, 'message', 44)",
		"INSERT INTO conversations (conversation_id, session_id, active) SELECT 3, session_id, 0 FROM conversations WHERE conversation_id = 1",
		"INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at, identity_hash) SELECT message_id + 20000, 3, message_id, role, content, token_count, created_at, identity_hash FROM messages WHERE message_id BETWEEN 40 AND 51",
		"INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at, identity_hash) SELECT message_id + 30000, 3, message_id + 100, role, content, token_count, created_at, identity_hash FROM messages WHERE message_id BETWEEN 49 AND 51",
	)
	files["rows that no host writes"] = unusual
	for name, path := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if compareAnchors(t, path) == 0 {
				t.Error("nothing was found")
			}
		})
	}
}

// anchored are the faults of anchors in files that hosts of the 1.0 generation wrote, and in
// damaged copies of them.
var anchored = map[string]map[integrity.FaultID][]string{
	"small": {integrity.TurnStoredAgain: {"1 120 160"}},
	"rich": {
		integrity.TurnStoredAgain:          {"1 521 1236", "3 721 1306"},
		integrity.RewoundMessagesInContext: {"4 8"},
		integrity.ArchivedHistoryRepeated:  {"6 5"},
	},
	"upgraded": {
		integrity.TurnStoredAgain: {
			"1 3471 3564", "2 3477 3565", "3 3494 3566", "6 3521 3568", "6 3522 3569", "6 3523 3570", "6 3524 3571", "6 3525 3572", "6 3526 3573",
			"6 3527 3574", "6 3533 3575", "6 3534 3576", "6 3535 3577", "6 3536 3578", "6 3539 3579", "6 3540 3580", "6 3544 3581", "6 3545 3582", "6 3546 3583",
			"6 3550 3584", "6 3551 3585", "6 3555 3586", "6 3556 3587", "6 3559 3588", "6 3561 3589", "6 3563 3590",
		},
		integrity.AnchorDistrusted: {"6 20"},
	},
	"upgraded-small": {
		integrity.TurnStoredAgain: {
			"1 124 163", "1 128 165", "1 130 166", "1 131 167", "1 132 168", "1 133 169", "1 134 170", "1 135 171", "1 136 172", "1 138 173", "1 139 174", "1 141 176", "1 142 177",
		},
		integrity.AnchorDistrusted: {"1 24"},
	},
	"faults/anchor-of-another-entry":       {integrity.TurnStoredAgain: {"1 120 160"}, integrity.AnchorEntryWrong: {"2 121"}},
	"faults/pending-running-without-lease": {integrity.TurnStoredAgain: {"1 120 160"}},
	"faults/pending-source-edited":         {integrity.TurnStoredAgain: {"1 120 160"}},
	"faults/pending-two-active":            {integrity.TurnStoredAgain: {"1 120 160"}},
}

// TestAnchorFaultsOfTheReference: what is in the files of the reference engine, and nothing
// else: look-alikes, such as rows without anchors and suspect anchors of files, are silent.
func TestAnchorFaultsOfTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, want := range anchored {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := fixture(t, "v1.0/"+name+".db")
			got := checkAnchors(t, path)
			for _, id := range anchorIDs {
				slices.Sort(got[id])
				if w := slices.Sorted(slices.Values(want[id])); !slices.Equal(got[id], w) {
					t.Errorf("%s: found %q, want %q", id, got[id], w)
				}
			}
			compareAnchors(t, path)
		})
	}
	d := check(t, fixture(t, "v1.0/rich.db"), integrity.Request{Faults: []integrity.FaultID{integrity.ArchivedHistoryRepeated}})
	if len(d.Findings) != 1 || len(d.Findings[0].Rows) != 27 {
		t.Errorf("not the 27 messages that were imported again after a reset: %+v", d.Findings)
	}
}

// TestAnchorsOfOneConversation: a check of one conversation finds what a check of the file
// finds there.
func TestAnchorsOfOneConversation(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := broken(t, faults.NamesAt(fakehost.Beta)...)
	found := func(conversation int64) (out []string) {
		for _, f := range check(t, path, integrity.Request{Conversation: conversation, Faults: anchorIDs}).Findings {
			out = append(out, fmt.Sprint(f.Conversation, f.Fault, f.Row, f.Rows, f.Detail, f.NeedsNoChoice))
		}
		return out
	}
	whole := found(0)
	for _, conversation := range []int64{1, 2} {
		want := slices.DeleteFunc(slices.Clone(whole), func(s string) bool {
			return !strings.HasPrefix(s, fmt.Sprint(conversation)+"T") && !strings.HasPrefix(s, fmt.Sprint(conversation)+" ")
		})
		if got := found(conversation); !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("alone:\n%s\nof the file:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
