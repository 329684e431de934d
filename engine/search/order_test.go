package search_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lcm-tui/engine/search"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// importedFile returns a sample whose first messages were written last, as an import leaves them.
func importedFile(t *testing.T) string {
	t.Helper()
	path := testdb.Sample(t, "0.15.2")
	execute(t, path, `UPDATE messages SET created_at = '2026-03-01 10:00:' || substr('0' || (message_id % 60), -2) WHERE message_id <= 20;
		UPDATE messages SET created_at = 'at noon' WHERE message_id = 22`)
	return path
}

// TestHitsStandInTheOrderOfTheirTimes: rows of one file are shown by time, whatever their ids,
// in the list and where the search itself puts all kinds in order.
func TestHitsStandInTheOrderOfTheirTimes(t *testing.T) {
	t.Parallel()
	path := importedFile(t)
	for _, sort := range []search.Sort{search.Newest, search.Oldest} {
		for _, query := range []string{"ledger", "/ledger/", "step" + everyKind, "台帳"} {
			results, events := find(t, path, query, search.Options{Sort: sort, Ordered: true})
			var streamed []*search.Hit
			for _, e := range events {
				if f, ok := e.(search.Found); ok {
					for _, h := range f.Hits {
						streamed = append(streamed, &h)
					}
				}
			}
			lists := map[string][]*search.Hit{"rows": results.Rows()}
			if query == "ledger" { // What is read row by row comes in the order of the rows.
				lists["events"] = streamed
			}
			for name, hits := range lists {
				if len(hits) < 2 {
					t.Fatalf("%s %q: %d %s", sort, query, len(hits), name)
				}
				for i := 1; i < len(hits); i++ {
					a, b := hits[i-1].At, hits[i].At
					ordered := !a.Before(b.Time)
					if sort == search.Oldest {
						ordered = !a.After(b.Time)
					}
					if a.Valid() && b.Valid() && !ordered || !a.Valid() && b.Valid() {
						t.Errorf("%s %q: %s %s stands before %s %s in the %s", sort, query, hits[i-1].ID(), hits[i-1].At.Raw, hits[i].ID(), hits[i].At.Raw, name)
					}
				}
			}
		}
	}
}

// TestHitsOfConversationsThatOverlapComeInOrder: two conversations were imported one after the other, and went on at the same time. What
// comes first isn't followed by what stands before it, where the search table has very many messages, and where texts are read one by one.
// The newest message of the first one has nothing of it, and a summary stands between.
func TestHitsOfConversationsThatOverlapComeInOrder(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, "0.15.2")
	execute(t, path, `INSERT INTO conversations (conversation_id, session_id) VALUES (9001, 'first'), (9002, 'second');
		INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at)
			WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 10399)
			SELECT 100000 + i + i / 5200, 9001 + i / 5200, 100000 + i, 'user', 'a quokka ' || i, 3, datetime('2026-01-01', '+' || (2 * (i % 5200) + i / 5200) || ' minutes') FROM n;
		INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at) VALUES (105200, 9001, 200000, 'user', 'the last', 3, '2027-01-01 00:00:00');
		INSERT INTO messages_fts (rowid, content) SELECT message_id, content FROM messages WHERE message_id >= 100000;
		INSERT INTO summaries (summary_id, conversation_id, kind, content, token_count, latest_at, created_at) VALUES ('sum_between', 9001, 'leaf', 'a quokka', 3, '2026-01-04 12:00:30', '2026-01-04 12:00:30');
		INSERT INTO summaries_fts (summary_id, content) VALUES ('sum_between', 'a quokka')`)
	for _, query := range []string{"quokka", "/quokka/"} {
		for _, sort := range []search.Sort{search.Newest, search.Oldest} {
			_, events := find(t, path, query, search.Options{Sort: sort, Ordered: true})
			var hits []search.Hit
			for _, e := range events {
				if f, ok := e.(search.Found); ok {
					hits = append(hits, f.Hits...)
				}
			}
			for i := 1; i < len(hits); i++ {
				if before, at := hits[i-1].At, hits[i].At; !at.Equal(before.Time) && at.After(before.Time) == (sort == search.Newest) {
					t.Fatalf("%s, %s: hit %d, %s, follows %s", query, sort, i, hits[i].ID(), hits[i-1].ID())
				}
			}
			if len(hits) <= search.MaxHits {
				t.Errorf("%s, %s: %d hits", query, sort, len(hits))
			}
		}
	}
}

func TestConversationsStandTogether(t *testing.T) {
	t.Parallel()
	results, _ := find(t, testdb.Sample(t, "0.15.2"), "kind:message", search.Options{Sort: search.ByConversation})
	last := int64(1 << 62)
	for _, h := range results.Rows() {
		if h.Conversation > last {
			t.Errorf("conversation %d stands behind %d", h.Conversation, last)
		}
		last = h.Conversation
	}
}

// TestTheBestHitsComeFirst: a rare word counts more than a common one.
func TestTheBestHitsComeFirst(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, "0.15.2")
	results, events := find(t, path, "ledger OR mysql", search.Options{Sort: search.Best})
	if _, ok := events[len(events)-1].(search.Ranked); !ok {
		t.Fatalf("the last event is %T", events[len(events)-1])
	}
	first := results.Rows()[0]
	if !strings.Contains(strings.ToLower(first.Snippet), "mysql") {
		t.Errorf("the best hit is %q", first.Snippet)
	}
	unranked, _ := find(t, path, "ledger OR mysql", search.Options{})
	if len(unranked.Rows()) != len(results.Rows()) {
		t.Errorf("%d rows, and %d ranked", len(unranked.Rows()), len(results.Rows()))
	}
}

// TestNeighboursWithTheSameTextAreOneRow folds what was sent again.
func TestNeighboursWithTheSameTextAreOneRow(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, "0.15.2")
	execute(t, path, "UPDATE messages SET content = 'the same zebra' WHERE message_id IN (2, 3, 4)")
	results, _ := find(t, path, "/zebra/", search.Options{})
	rows := results.Rows()
	if len(rows) != 1 || rows[0].Copies != 3 {
		t.Errorf("%d rows: %+v", len(rows), rows)
	}
	if total, more := results.Count(); total != 3 || more {
		t.Errorf("%d hits, more %v", total, more)
	}
}

// TestSuggestions: where nothing is found, the search offers what finds something, in order.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, "0.15.2")
	for query, want := range map[string]string{
		"ledger role:system before:2001": "without filters: ledger",
		"postg":                          "words that begin so: postg*",
		"edge":                           "anywhere in words: /edge/",
		"ledgre":                         "a similar word: ledger",
		"ledger inventroy":               "a similar word: ledger inventory",
		"qqqq":                           "",
	} {
		_, events := find(t, path, query, search.Options{})
		var got []string
		for _, e := range events {
			if s, ok := e.(search.Suggested); ok && s.Count > 0 {
				got = append(got, fmt.Sprintf("%s: %s", s.Reason, s.Query))
			}
		}
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || got[0] != want) {
			t.Errorf("%q: suggestions %q, want %q", query, got, want)
		}
	}
}

// TestACommandIsOfferedAsAPhrase: in a command that was pasted, -n is no minus.
func TestACommandIsOfferedAsAPhrase(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, "0.15.2")
	for _, row := range []string{"messages SET content = ? WHERE message_id = 2", "messages_fts SET content = ? WHERE rowid = 2"} {
		execute(t, path, "UPDATE "+strings.Replace(row, "?", `'then I ran rg -n zebra "two words" src/'`, 1))
	}
	for query, want := range map[string]string{
		"rg -n zebra":                   `in quotation marks: "rg -n zebra"`,
		`rg -n zebra "two words"`:       `in quotation marks: "rg -n zebra two words"`,
		"in:1 rg -n zebra kind:message": `in quotation marks: "rg -n zebra" in:1 kind:message`,
	} {
		_, events := find(t, path, query, search.Options{})
		got := ""
		for _, e := range events {
			if s, ok := e.(search.Suggested); ok && got == "" {
				got = fmt.Sprintf("%s: %s", s.Reason, s.Query)
			}
		}
		if got != want {
			t.Errorf("%q: the first suggestion is %q, want %q", query, got, want)
		}
	}
	want := `-n takes away what has n; put a command in quotation marks: "qqqq -n zebra"`
	if got := search.Parse("qqqq -n zebra", search.ParseOptions{}).Advice(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestACancelledSearchStops ends a search at its first event, whatever it reads.
func TestACancelledSearchStops(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, "0.15.2"))
	for _, query := range []string{"ledger", "/led.er/", "台帳", "kind:part ok", "qqqq"} {
		ctx, cancel := context.WithCancel(t.Context())
		after := 0
		err := search.Run(ctx, db, search.Parse(query, search.ParseOptions{}), search.Options{}, func(search.Event) {
			if ctx.Err() != nil {
				after++
			}
			cancel()
		})
		if !errors.Is(err, context.Canceled) || after > 0 {
			t.Errorf("%q: %v, and %d events after it was cancelled", query, err, after)
		}
	}
}
