package replica_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lcm-tui/data/postgres"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/replica"
)

// count returns the number that a query returns.
func (s *server) count(query string, args ...any) (n int64) {
	s.Helper()
	if _, err := s.conn.One(s.Context(), "count", query, args, &n); err != nil {
		s.Error(err)
	}
	return n
}

// TestALevelSendsNoMore: metrics have no text at all, summaries none of messages, and another level takes away what
// the one before sent.
func TestALevelSendsNoMore(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	rows := func() (conversations, counted, summaries, messages, others int64) {
		return s.count("SELECT count(*) FROM lcm.conversations"), s.count("SELECT coalesce(sum(messages), 0)::bigint FROM lcm.conversation_metrics"), s.count("SELECT count(*) FROM lcm.summaries"),
			s.count("SELECT (SELECT count(*) FROM lcm.messages) + (SELECT count(*) FROM lcm.message_parts) + (SELECT count(*) FROM lcm.large_files)"), s.count("SELECT (SELECT count(*) FROM lcm.other_rows) + (SELECT count(*) FROM lcm.search_docs WHERE kind = 'message')")
	}
	for _, c := range []struct {
		level                               replica.Level
		counts, texts, summaries, fullTexts bool
	}{
		{replica.LevelFull, true, true, true, true},
		{replica.LevelSummaries, false, true, true, false},
		{replica.LevelMetrics, true, false, false, false},
		{replica.LevelFull, true, true, true, true},
	} {
		o := options("laptop")
		o.Level = c.level
		s.sync(db, o)
		if again, _ := s.sync(db, o); again.Sent.Rows > 0 {
			t.Errorf("%s: %d rows were sent again", c.level, again.Sent.Rows)
		}
		conversations, counted, summaries, messages, others := rows()
		if (counted > 0) != c.counts || (conversations > 0) != c.texts || (summaries > 0) != c.summaries || (messages > 0) != c.fullTexts || (others > 0) != c.fullTexts {
			t.Errorf("%s: %d conversations, %d messages counted, %d summaries, %d messages and parts, %d others", c.level, conversations, counted, summaries, messages, others)
		}
	}
}

// TestSecretsAreTakenOutBeforeTheyAreSent: with --redact no byte of one reaches the server, in rows or in search texts.
func TestSecretsAreTakenOutBeforeTheyAreSent(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	const secret = "ghp_9f8Kd0sLq2Wm7Xc4Vb1Nz6Tr3Yp5Hj0Gu8Ea"
	path := testdb.Sample(t, fakehost.Head)
	changeFile(t, path, script("UPDATE messages SET content = content || ' export GITHUB_TOKEN="+secret+"' WHERE message_id IN (2, 5); UPDATE messages SET content = CAST(content || ' export GITHUB_TOKEN="+secret+"' AS BLOB) WHERE message_id = 3; UPDATE summaries SET content = content || ' "+secret+"'"))
	db := testdb.Open(t, path)
	holds := func() (n int64) {
		for _, table := range []string{"messages", "summaries", "search_docs", "odd_cells", "other_rows"} {
			n += s.count("SELECT count(*) FROM lcm." + table + " t WHERE t::text ILIKE '%" + secret + "%'")
		}
		return n + s.count("SELECT count(*) FROM lcm.odd_cells WHERE encode(bytes, 'escape') LIKE '%"+secret+"%'")
	}
	o := options("laptop")
	s.sync(db, o)
	if holds() < 6 {
		t.Fatal("the secret isn't where it is looked for")
	}
	o.Redact, o.Mask = new(true), func(text string) string {
		masked, _ := redact.Masker{}.Mask(text)
		return masked
	}
	s.sync(db, o)
	if n := holds(); n > 0 {
		t.Errorf("%d rows of the replica have the secret", n)
	}
	if again, _ := s.sync(db, o); again.Sent.Rows > 0 {
		t.Errorf("%d rows were sent again", again.Sent.Rows)
	}
}

// TestTextsCanBeSearched: English words in any form, pairs of Chinese characters, and the end of a very long text. What
// goes from the file can't be found any more.
func TestTextsCanBeSearched(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	changeFile(t, path, func(h *fakehost.Writer) error {
		_, err := h.Message(1, fakehost.Message{Role: "user", Content: strings.Repeat("filler words ", 30_000) + "zanzibar ferries 台帳の差分"})
		return err
	})
	db := testdb.Open(t, path)
	o := options("laptop")
	s.sync(db, o)
	finds := func(query string) int64 {
		return s.count("SELECT count(DISTINCT message_id) FROM lcm.search_docs WHERE kind = 'message' AND content_tsv @@ " + query)
	}
	for _, query := range []string{"websearch_to_tsquery('english', 'ferry zanzibar')", `'''台帳'' <-> ''帳の'''::tsquery`} {
		if finds(query) == 0 {
			t.Errorf("%s finds nothing", query)
		}
	}
	changeFile(t, path, script("DELETE FROM message_parts WHERE message_id = (SELECT max(message_id) FROM messages); DELETE FROM context_items WHERE message_id = (SELECT max(message_id) FROM messages); DELETE FROM messages WHERE message_id = (SELECT max(message_id) FROM messages)"))
	s.sync(db, o)
	if n := finds("websearch_to_tsquery('english', 'zanzibar')"); n > 0 {
		t.Errorf("%d deleted messages are found", n)
	}
}

// TestTheAuditHasWhoDidWhat: each sync that changed something, and what was forgotten.
func TestTheAuditHasWhoDidWhat(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	s.sync(db, options("laptop"))
	s.sync(db, options("laptop")) // Nothing changed.
	if _, _, err := replica.Forget(t.Context(), s.conn, "laptop", "you", "test"); err != nil {
		t.Fatal(err)
	}
	var text string
	if _, err := s.conn.One(t.Context(), "read", "SELECT string_agg(action || ' ' || source_name || ' by ' || principal || ' with ' || origin, '; ' ORDER BY audit_id) FROM lcm.audit", nil, &text); err != nil || text != "sync laptop by me with test; forget laptop by you with test" {
		t.Errorf("%s, %v", text, err)
	}
	for _, table := range []string{"sources", "messages", "search_docs", "sync_conversations", "sync_tables", "other_rows"} {
		if n := s.count("SELECT count(*) FROM lcm." + table); n > 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
}

// TestWhoSendsDatabasesMayNotForgetThem: the orders of a source go with it, and only the owner may delete those. The refusal names that role.
func TestWhoSendsDatabasesMayNotForgetThem(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	s.sync(testdb.Open(t, testdb.Sample(t, fakehost.Head)), options("laptop"))
	forget := func() error {
		return s.conn.Transact(t.Context(), "test", func() error {
			if _, err := s.conn.Exec(t.Context(), "test", "SET LOCAL ROLE "+postgres.RoleSync); err != nil {
				return err
			}
			_, _, err := replica.Forget(t.Context(), s.conn, "laptop", "you", "test")
			return err
		})
	}
	if err := forget(); !errors.Is(err, postgres.ErrRights) || !strings.Contains(hint.Of(err), postgres.RoleOwner) {
		t.Errorf("%v: %s", err, hint.Of(err))
	}
	if n := s.count("SELECT count(*) FROM lcm.messages"); n == 0 {
		t.Error("its messages are gone")
	}
}

// TestEveryRowHasItsSender: the view of provenance has who sent each conversation and each other table, and with what program; another
// sender of later messages stands there for the conversation that goes on.
func TestEveryRowHasItsSender(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	s.sync(db, options("laptop"))
	const without = `SELECT (SELECT count(*) FROM lcm.messages m WHERE NOT EXISTS (SELECT 1 FROM lcm.provenance p WHERE p.source_id = m.source_id AND p.sync_group = m.sync_group AND p.principal = 'me' AND p.origin = 'test'))
		+ (SELECT count(*) FROM lcm.summary_parents m WHERE NOT EXISTS (SELECT 1 FROM lcm.provenance p WHERE p.source_id = m.source_id AND p.sync_group = m.sync_group AND p.principal = 'me' AND p.origin = 'test'))
		+ (SELECT count(*) FROM lcm.other_rows o WHERE NOT EXISTS (SELECT 1 FROM lcm.provenance p WHERE p.source_id = o.source_id AND (p.sync_group = o.sync_group OR p.table_name = o.table_name) AND p.principal = 'me'))`
	if n := s.count(without); n > 0 || s.count("SELECT count(*) FROM lcm.messages") == 0 {
		t.Errorf("%d rows have no sender", n)
	}
	changeFile(t, path, func(h *fakehost.Writer) error {
		_, err := h.Message(1, fakehost.Message{Role: "user", Content: "more"})
		return err
	})
	o := options("laptop")
	o.Principal = "you"
	s.sync(db, o)
	if n := s.count("SELECT count(*) FROM lcm.provenance WHERE principal = 'you' AND sync_group = 1"); n != 1 || s.count("SELECT count(*) FROM lcm.provenance WHERE principal = 'me'") == 0 {
		t.Errorf("%d conversations were continued by another", n)
	}
}

// TestFindingsGoWithTheRows: those of the doctor at the file, those of now, and at the level of metrics without texts.
func TestFindingsGoWithTheRows(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head, "dangling-edges")
	o := options("laptop")
	if r, _ := s.sync(testdb.Open(t, path), o); r.Findings == 0 || s.count("SELECT count(*) FROM lcm.findings WHERE finding->>'detail' <> ''") != int64(r.Findings) {
		t.Errorf("%d findings", r.Findings)
	}
	o.Level = replica.LevelMetrics
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Report = func(_, _ int, note string) {
		if !strings.HasPrefix(note, "comparing") && !strings.HasPrefix(note, "sending") {
			cancel() // In the check, which comes last.
		}
	}
	_, err := replica.Sync(ctx, testdb.Open(t, path), s.address, o)
	if n := s.count("SELECT count(*) FROM lcm.findings"); !errors.Is(err, context.Canceled) || n > 0 {
		t.Errorf("%d findings of the level before are left where the check was cancelled: %v", n, err)
	}
	if n := s.count("SELECT count(*) FROM lcm.sources WHERE identity::text LIKE '%session_id%'"); n > 0 {
		t.Error("the source has names of sessions at the level of metrics")
	}
	o.Report = nil
	s.sync(testdb.Open(t, path), o)
	if s.count("SELECT coalesce(sum(findings), 0)::bigint FROM lcm.finding_metrics") == 0 || s.count("SELECT count(*) FROM lcm.findings WHERE finding::text <> '{}'") > 0 {
		t.Error("metrics have counts of findings, and no texts")
	}
	changeFile(t, path, script("DELETE FROM summary_parents; DELETE FROM summary_messages; DELETE FROM context_items; DELETE FROM summaries"))
	before := s.count("SELECT count(*) FROM lcm.findings")
	s.sync(testdb.Open(t, path), o)
	if after := s.count("SELECT count(*) FROM lcm.findings"); after == before {
		t.Errorf("%d findings before and after", after)
	}
}
