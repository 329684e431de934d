package integrity_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testlength"
)

// change is a copy of the sample on which statements were run, with nothing to stop them.
func altered(t *testing.T, statements ...string) string {
	t.Helper()
	path := broken(t)
	alter(t, path, statements...)
	return path
}

// alter runs statements on a file, with nothing to stop them.
func alter(t *testing.T, path string, statements ...string) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append([]string{"PRAGMA foreign_keys = OFF"}, statements...) {
		if err := h.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCycleThroughTwoConversations: no conversation alone shows it.
func TestCycleThroughTwoConversations(t *testing.T) {
	t.Parallel()
	const one, other = "sum_4047233931efe86e", "sum_690ab324ba5c54f0"
	path := altered(
		t, "INSERT INTO summary_parents VALUES ('"+one+"', '"+other+"', 9)", "INSERT INTO summary_parents VALUES ('"+other+"', '"+one+"', 0)",
	)
	if got := rowsOf(check(t, path, integrity.Request{}), integrity.SummaryCycle); !slices.Equal(got, []string{one, other}) {
		t.Errorf("found %v", got)
	}
	if got := rowsOf(check(t, path, integrity.Request{Conversation: 2}), integrity.SummaryCycle); !slices.Equal(got, []string{other}) {
		t.Errorf("found %v in the second conversation", got)
	}
}

// TestAfterNew: what /new drops from a context is no damage where the host noted
// when it did, or where nothing older is shown.
func TestAfterNew(t *testing.T) {
	t.Parallel()
	const drop = "DELETE FROM context_items WHERE conversation_id = 1 AND (message_id < 45 OR summary_id IN (SELECT summary_id FROM summaries WHERE depth < 2))"
	note := "UPDATE conversation_bootstrap_state SET soft_reset_pruned_at = '2026-01-05 09:54:30'"
	for name, c := range map[string]struct {
		statements []string
		c09, l08   integrity.Severity // Empty: nothing is found.
	}{
		"noted":                      {[]string{drop, note}, "", ""},
		"not noted, though it could": {[]string{drop}, integrity.Warn, integrity.Warn},
		"the host follows nothing":   {[]string{drop, "DELETE FROM conversation_bootstrap_state"}, integrity.Info, integrity.Info},
		"a message in the middle": {
			[]string{"DELETE FROM conversation_bootstrap_state", "DELETE FROM context_items WHERE message_id = 45"}, integrity.Warn, "",
		},
		"archived and cleared": {
			[]string{"DELETE FROM context_items WHERE conversation_id = 1", "UPDATE conversations SET active = 0, archived_at = '2026-01-06 00:00:00'"}, "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := check(t, altered(t, c.statements...), integrity.Request{Conversation: 1, Faults: []integrity.FaultID{integrity.MessageUnreferenced, integrity.SummaryUnreferenced, integrity.ContextEmpty}})
			got := map[integrity.FaultID]integrity.Severity{}
			for _, f := range d.Findings {
				got[f.Fault] = f.Severity
			}
			if got[integrity.MessageUnreferenced] != c.c09 || got[integrity.SummaryUnreferenced] != c.l08 || got[integrity.ContextEmpty] != "" {
				t.Errorf("found %v", got)
			}
		})
	}
}

// TestLoopsAreNoDuplicateRuns: an agent that says the same again and again does so at
// other times, and often.
func TestLoopsAreNoDuplicateRuns(t *testing.T) {
	t.Parallel()
	const loop = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 23)
		INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at)
		SELECT 8000 + i, 1, 8000 + i, CASE i % 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
			'is the deploy through, part ' || (i % 4), 8, datetime('2026-01-06 10:00:00', '+' || (i * 60 + i % 4) || ' seconds') FROM n`
	if got := rowsOf(check(t, altered(t, loop), integrity.Request{Conversation: 1}), integrity.MessageRunDuplicate); len(got) > 0 {
		t.Errorf("found %v", got)
	}
}

// TestHourOfTheHost: where all leaves are off by the same hours, the finding says so.
func TestHourOfTheHost(t *testing.T) {
	t.Parallel()
	path := altered(t, `UPDATE summaries SET earliest_at = strftime('%Y-%m-%dT%H:%M:%S.000Z', earliest_at, '-2 hours'),
		latest_at = strftime('%Y-%m-%dT%H:%M:%S.000Z', latest_at, '-2 hours') WHERE kind = 'leaf' AND conversation_id = 1`)
	d := check(t, path, integrity.Request{Conversation: 1, Faults: []integrity.FaultID{integrity.LeafTimeRangeWrong}})
	if len(d.Findings) != 5 {
		t.Fatalf("%d findings", len(d.Findings))
	}
	if got := d.Findings[0].Detail; !strings.Contains(got, "all of them are off by -2h0m0s") {
		t.Error(got)
	}
}

func TestCheckIsCancelled(t *testing.T) {
	t.Parallel()
	db, err := data.Open(t.Context(), broken(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, conv := range []int64{0, 1} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err = integrity.Check(ctx, db, integrity.Request{Conversation: conv}, func(int, int, string) { cancel() })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("conversation %d: %v", conv, err)
		}
		cancel()
	}
}

// TestCheckWritesNothing, not even beside the file.
func TestCheckWritesNothing(t *testing.T) {
	t.Parallel()
	path := broken(t, "fts-damaged")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check(t, path, integrity.Request{})
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Error("the file changed")
	}
}

// TestSpoiledPages: wherever a file is spoiled, the check ends, and says so.
func TestSpoiledPages(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	whole, err := os.ReadFile(broken(t))
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for n := 1; n < len(whole)/page; n += 7 {
		path := broken(t)
		spoiled := slices.Clone(whole)
		for i := range page {
			spoiled[n*page+i] = "spoiled "[i%8]
		}
		if err := os.WriteFile(path, spoiled, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := data.Open(t.Context(), path)
		if err != nil {
			continue // The schema itself is gone.
		}
		d, err := integrity.Check(t.Context(), db, integrity.Request{}, nil)
		if err != nil {
			t.Errorf("page %d: %v", n, err)
		}
		if d.Counts.Fatal == 0 {
			t.Errorf("page %d was spoiled, and nothing found: %+v", n, d.Counts)
		}
		_ = db.Close()
	}
}

// TestSameTwice: reading side by side doesn't show in what is found, whatever is
// done to a file.
func TestSameTwice(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := broken(t)
	for _, script := range []string{"dangling-edges", "cycle", "bad-values", "malformed-json", "message-replay", "cross-conversation", "fts-out-of-sync", "context-double"} {
		if err := faults.Break(path, script); err != nil {
			t.Fatal(err)
		}
	}
	first := check(t, path, integrity.Request{})
	for range 3 {
		if diff := cmp.Diff(first, check(t, path, integrity.Request{})); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestSearchTablesThatAreBroken: one that lacks an inner table, and one of a form of
// long ago.
func TestSearchTablesThatAreBroken(t *testing.T) {
	t.Parallel()
	for name, statements := range map[string][]string{
		"summaries_fts": {"PRAGMA writable_schema = ON", "DELETE FROM sqlite_master WHERE name = 'summaries_fts_docsize'", "PRAGMA writable_schema = OFF"},
		"messages_fts":  {"DROP TABLE messages_fts", "CREATE VIRTUAL TABLE messages_fts USING fts5(content, content='messages', content_rowid='message_id')"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := check(t, altered(t, statements...), integrity.Request{Faults: []integrity.FaultID{integrity.TablesIncomplete, integrity.MessageNotIndexed, integrity.SummaryIndexRowsWrong}})
			if got := rowsOf(d, integrity.TablesIncomplete); !slices.Equal(got, []string{name}) || len(d.Findings) != 1 {
				t.Errorf("found %+v", d.Findings)
			}
		})
	}
}

// TestTablesThatAreMissing: the missing table is a finding, and what follows from it is none.
func TestTablesThatAreMissing(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, table := range []string{"message_parts", "summary_messages", "summary_parents", "context_items", "large_files", "summaries", "messages", "conversations"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			d := check(t, altered(t, "DROP TABLE "+table), integrity.Request{})
			if got := rowsOf(d, integrity.TablesIncomplete); !slices.Contains(got, table) {
				t.Errorf("S03 at %v", got)
			}
			for _, fault := range []integrity.FaultID{integrity.MessageUnreferenced, integrity.ContextEmpty, integrity.LeafWithoutMessages, integrity.CondensedWithoutSources, integrity.SummaryUnreferenced, integrity.MessageWithoutParts, integrity.MessageEmpty, integrity.MessageFileRowMissing, integrity.PayloadFileRowMissing, integrity.SummaryFileRowMissing} {
				if got := rowsOf(d, fault); len(got) > 0 {
					t.Errorf("%s at %v", fault, got)
				}
			}
		})
	}
}

// TestRandomLinks: whatever the links between summaries and the items of a context
// are, the check finds of them what the queries find.
func TestRandomLinks(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const pick = "(SELECT summary_id FROM summaries WHERE conversation_id = 1 ORDER BY rowid LIMIT 1 OFFSET %d)"
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 7))
		one := func() string { return fmt.Sprintf(pick, r.IntN(8)) }
		var statements []string
		for range 1 + r.IntN(4) {
			statements = append(statements, []string{
				fmt.Sprintf("INSERT OR IGNORE INTO summary_parents VALUES (%s, %s, %d)", one(), one(), r.IntN(5)),
				fmt.Sprintf("INSERT OR IGNORE INTO summary_messages VALUES (%s, %d, %d)", one(), 1+r.IntN(60), r.IntN(9)),
				fmt.Sprintf("DELETE FROM summary_parents WHERE summary_id = %s", one()),
				fmt.Sprintf("DELETE FROM summary_messages WHERE summary_id = %s AND ordinal < %d", one(), r.IntN(9)),
				fmt.Sprintf("INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id) SELECT 1, max(ordinal) + 1 + %d, 'summary', %s FROM context_items", r.IntN(2), one()),
				fmt.Sprintf("DELETE FROM context_items WHERE conversation_id = 1 AND ordinal = %d", r.IntN(16)),
				fmt.Sprintf("UPDATE summaries SET depth = %d WHERE summary_id = %s", r.IntN(4), one()),
			}[r.IntN(7)])
		}
		path := altered(t, statements...)
		d := check(t, path, integrity.Request{Conversation: 1})
		asked := []integrity.FaultID{integrity.ContextItemDuplicate, integrity.ContextOrdinalGaps, integrity.CoveredMessageInContext, integrity.MessageUnreferenced, integrity.LeafWithoutMessages, integrity.CondensedWithoutSources, integrity.SummaryCycle, integrity.MessageInSeveralLeaves, integrity.SummaryInSeveralSummaries, integrity.LinkOrdinalGaps}
		for _, fault := range queried(t, path) {
			shown := len(rowsOf(d, fault)) > 0 || fault[:1] == "L" && len(rowsOf(d, integrity.SummaryKindWrong)) > 0 // A wrong kind is found once.
			if slices.Contains(asked, fault) && !shown {
				t.Errorf("seed %d, after %q: a query finds %s, the check doesn't", seed, statements, fault)
			}
		}
	}
}

// TestNothingUncertainIsFound: of a file of which tables can't be read completely, only the
// damage is reported. Everything that seems to be missing may be there.
func TestNothingUncertainIsFound(t *testing.T) {
	t.Parallel()
	path := fixture(t, "faults/sqlite-truncated.db")
	for _, conversation := range []int64{0, 1} {
		d := check(t, path, integrity.Request{Conversation: conversation})
		if d.Counts.Fatal == 0 {
			t.Errorf("conversation %d: the damage isn't found", conversation)
		}
		for _, f := range d.Findings {
			if f.Fault != integrity.PagesDamaged {
				t.Errorf("conversation %d: %s is found at %s %s", conversation, f.Fault, f.Table, f.Row)
			}
		}
	}
}

// TestAnUnreadableFileHasOneFinding: it says why the file can't be opened.
func TestAnUnreadableFileHasOneFinding(t *testing.T) {
	t.Parallel()
	d := integrity.Unreadable(errors.New("the file is damaged"))
	if len(d.Findings) != 1 || d.Findings[0].Fault != integrity.PagesDamaged || d.Findings[0].Detail != "the file is damaged" || d.Counts.Fatal != 1 {
		t.Errorf("%+v", d)
	}
}
