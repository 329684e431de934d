package provenance_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/provenance"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// ledgerLeaf is a leaf of the sample with eight messages.
const ledgerLeaf = "sum_abf4af7a674beccb"

// traceChanged traces a text as if it stood in a leaf of the sample, after some statements.
func traceChanged(t *testing.T, summary, text string, statements ...string) *provenance.SummaryTrace {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if err := h.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	trace, err := provenance.TraceSummary(t.Context(), testdb.Open(t, path), summary, text)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func TestSentencesOfASummary(t *testing.T) {
	t.Parallel()
	trace := traceChanged(t, ledgerLeaf, "")
	if len(trace.Sentences) != 2 || trace.Messages != 8 || trace.SourcesGone() {
		t.Fatalf("%+v", trace)
	}
	s := trace.Sentences[1]
	if s.Confidence != provenance.Copied || len(s.Sources) != 1 || s.Sources[0].Message != 7 {
		t.Errorf("%+v", s)
	}
	span := s.Sources[0].Spans[0]
	const text = "Fourteen tables are left; audit_old, tmp_refunds and fx_2019 are unused and can go first."
	if got := text[span.Start:span.End]; got != "audit_old, tmp_refunds and fx_2019 are unused" {
		t.Errorf("%q is marked", got)
	}
}

// TestToolCallsAreSources: the text of a call and of its result may stand in parts only.
func TestToolCallsAreSources(t *testing.T) {
	t.Parallel()
	trace := traceChanged(t, ledgerLeaf, "It ran mysqldump --single-transaction against db-7.",
		"UPDATE messages SET content = '' WHERE message_id = 3",
		`UPDATE message_parts SET text_content = NULL, tool_output = NULL, tool_input = '{"command":"mysqldump --single-transaction -h \"db-7\""}' WHERE message_id = 3`)
	s := trace.Sentences[0]
	if len(s.Sources) == 0 || s.Sources[0].Message != 3 || len(s.Unsupported) > 0 {
		t.Errorf("%+v", s)
	}
}

func TestAlarms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"14 tables are left in MySQL.":                 nil,
		"Fourteen tables, audit_old among them.":       nil,
		"15 tables are left in MySQL.":                 {"15"},
		"See db/mysql/schema.s":                        nil, // It was cut at a length.
		"See schema.sql for fx_2020.":                  {"fx_2020"},
		"On 2026-01-05 the inventory was made.":        nil, // The day of the messages.
		"On 5 January the inventory was made.":         nil,
		"On 2027-01-05 the inventory was made.":        {"2027-01-05"},
		"It is in db/postgres/nowhere.sql, e.g. here.": {"db/postgres/nowhere.sql"},
	} {
		trace := traceChanged(t, ledgerLeaf, text)
		if got := trace.Sentences[0].Unsupported; !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestSourcesThatAreGone: the trace says so, and raises no alarm where nothing can be compared.
func TestSourcesThatAreGone(t *testing.T) {
	t.Parallel()
	trace := traceChanged(t, ledgerLeaf, "", "DELETE FROM summary_messages")
	if !trace.SourcesGone() {
		t.Errorf("%d messages", trace.Messages)
	}
	for _, s := range trace.Sentences {
		if s.Confidence != provenance.None || len(s.Sources) > 0 || len(s.Unsupported) > 0 {
			t.Errorf("%+v", s)
		}
	}
	trace = traceChanged(t, ledgerLeaf, "", "PRAGMA foreign_keys = OFF", "DELETE FROM messages WHERE message_id IN (4, 7)")
	if trace.SourcesGone() || trace.MissingMessages != 2 {
		t.Errorf("%d missing, %d there", trace.MissingMessages, trace.Messages)
	}
}

// TestManyMessagesAreComparedInTurns: a summary of more messages than are compared at once still
// leads to a message of any of them, and numbers of the last turn raise no alarm.
func TestManyMessagesAreComparedInTurns(t *testing.T) {
	t.Parallel()
	trace := traceChanged(t, "sum_top", "The valve of pump 7 leaks at flange Q-88. Boiler B-4321 was drained.",
		`INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, created_at) VALUES ('sum_top', 1, 'condensed', 1, 'x', 1, '2026-01-05 00:00:00')`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5600)
			INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at)
			SELECT 10000 + i, 1, 10000 + i, 'user', CASE i WHEN 30 THEN 'The valve of pump 7 leaks at flange Q-88.' WHEN 5590 THEN 'Boiler B-4321 was drained today.' ELSE 'Round ' || i || ' went well.' END, 5, '2026-01-05 00:00:00' FROM n`,
		`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 55)
			INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, created_at) SELECT 'sum_leaf' || i, 1, 'leaf', 0, 'Rounds of part ' || i, 1, '2026-01-05 00:00:00' FROM n`,
		`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 55)
			INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) SELECT 'sum_top', 'sum_leaf' || i, i FROM n`,
		`INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT 'sum_leaf' || ((message_id - 10001) / 100), message_id, message_id FROM messages WHERE message_id > 10000`)
	if trace.Messages != 5600 {
		t.Fatalf("%d messages", trace.Messages)
	}
	for i, want := range []int64{10030, 15590} {
		s := trace.Sentences[i]
		if len(s.Sources) == 0 || s.Sources[0].Message != want || len(s.Unsupported) > 0 {
			t.Errorf("%q: %s %+v, alarms %q", s.Text, s.Confidence, s.Sources, s.Unsupported)
		}
	}
}

func TestCancelledTrace(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	if _, err := provenance.TraceSummary(ctx, db, ledgerLeaf, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := provenance.TraceSummary(t.Context(), db, "sum_none", ""); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// BenchmarkTraceSummary traces 20 sentences through 300 messages, with the reads.
func BenchmarkTraceSummary(b *testing.B) {
	path := b.TempDir() + "/lcm.db"
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		b.Fatal(err)
	}
	var sentences []string
	err = h.Tx(func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{SessionID: "s", Active: true})
		if err != nil {
			return err
		}
		for i := range 300 {
			text := ""
			for k := range 6 { // 700 bytes, as messages have on average.
				text += fmt.Sprintf("Ticket OPS-%d tracks service-%d in src/part%d/file%d.go; the retry queue of shard %d grows by %d MB an hour. ", i*12+k, (i*7+k)%90, k, i%40, (i+k)%64, k*3)
			}
			if i%15 == 0 {
				sentences = append(sentences, fmt.Sprintf("OPS-%d concerns service-%d, whose retry queue grows by %d MB an hour.", i*12+4, (i*7+4)%90, 12))
			}
			if _, err := h.Message(conv, fakehost.Message{Role: "user", Content: text}); err != nil {
				return err
			}
		}
		if err := h.Exec(`INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, created_at) VALUES ('sum_b', 1, 'leaf', 0, 'x', 1, '2026-01-05 00:00:00')`); err != nil {
			return err
		}
		return h.Exec(`INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT 'sum_b', message_id, message_id FROM messages`)
	})
	if err = errors.Join(err, h.Close()); err != nil {
		b.Fatal(err)
	}
	db, err := data.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	text := strings.Join(sentences, "\n")
	for b.Loop() {
		trace, err := provenance.TraceSummary(b.Context(), db, "sum_b", text)
		if err != nil || len(trace.Sentences) != 20 || trace.Messages != 300 {
			b.Fatal(err)
		}
	}
}

// TestForgottenSources: no sentence is traced to a stub, the trace says how many there are, and
// it raises no alarm about words that a forgotten text may have held.
func TestForgottenSources(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	testdb.Forget(t, path, "message_id = 7")
	trace, err := provenance.TraceSummary(t.Context(), testdb.Open(t, path), ledgerLeaf, "The Forgotten message 7 says 4711.")
	if err != nil {
		t.Fatal(err)
	}
	if trace.ForgottenMessages != 1 || trace.Messages != 8 || len(trace.Sentences) != 1 {
		t.Fatalf("%+v", trace)
	}
	s := trace.Sentences[0]
	if len(s.Unsupported) > 0 || slices.ContainsFunc(s.Sources, func(s provenance.Source) bool { return s.Message == 7 }) {
		t.Errorf("%+v", s)
	}
}
