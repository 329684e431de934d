package replica_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lcm-tui/data/postgres"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/replica"
)

// TestAKilledSyncIsFinishedByTheNext: whether it is cancelled or the server ends its connections, at any text, what the
// replica has is whole conversations, and the next sync makes every cell equal.
func TestAKilledSyncIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	total := 0
	o := options("counted")
	o.Redact, o.Mask = new(true), func(text string) string { total++; return text }
	s.sync(db, o)
	for i, at := range []int{1, total / 7, total / 3, total / 2, total * 2 / 3, total - 1} {
		o := options("laptop")
		ctx, cancel := context.WithCancel(t.Context())
		texts := 0
		o.Redact, o.Mask = new(true), func(text string) string {
			if texts++; texts == at && i%2 == 0 {
				cancel()
			} else if texts == at {
				s.endConnections()
			}
			return text
		}
		_, err := replica.Sync(ctx, db, s.address, o)
		cancel()
		switch {
		case texts < at: // The texts are fewer where a part is there.
		case i%2 == 0 && !errors.Is(err, context.Canceled), i%2 == 1 && !errors.Is(err, postgres.ErrUnreachable):
			t.Errorf("stopped at the text %d of %d: %v", at, total, err)
		}
		changeFile(t, path, func(h *fakehost.Writer) error {
			_, err := h.Message(1, fakehost.Message{Role: "user", Content: "Written after the stop."})
			return err
		})
	}
	o = options("laptop")
	o.Redact, o.Mask = new(true), func(text string) string { return text }
	s.sync(db, o)
	var searchable, pending int
	if _, err := s.conn.One(t.Context(), "count", "SELECT (SELECT count(*) FROM lcm.search_docs), (SELECT count(*) FROM lcm.sync_conversations WHERE search_from IS NOT NULL)", nil, &searchable, &pending); err != nil || searchable == 0 || pending > 0 {
		t.Errorf("%d texts can be searched, %d conversations can't, %v", searchable, pending, err)
	}
}

// endConnections ends all connections to the database but that of the test.
func (s *server) endConnections() {
	s.Helper()
	const query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
	if _, err := s.conn.Exec(s.Context(), "end connections", query); err != nil {
		s.Error(err)
	}
}

// TestASyncIsEqualBeforeTheFileIsChecked: the check takes longest, and who ends it has sent everything. The next sync checks.
func TestASyncIsEqualBeforeTheFileIsChecked(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	o := options("laptop")
	ctx, cancel := context.WithCancel(t.Context())
	o.Report = func(_, _ int, note string) {
		if strings.HasPrefix(note, "check ") {
			cancel()
		}
	}
	if _, err := replica.Sync(ctx, db, s.address, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	o.Report = nil
	if n := s.count("SELECT count(*) FROM lcm.sources WHERE synced_at IS NOT NULL AND stamp <> '' AND checked_at IS NULL AND compared_at IS NULL"); n != 1 {
		t.Error("the source isn't noted as equal, or is noted as checked")
	}
	s.verify(db, o)
	if r, _ := s.sync(db, o); r.Sent.Rows > 0 || r.Findings == 0 || r.CheckSeconds == 0 {
		t.Errorf("%d rows sent again, %d findings in %v s", r.Sent.Rows, r.Findings, r.CheckSeconds)
	}
	if n := s.count("SELECT count(*) FROM lcm.sources WHERE checked_at IS NOT NULL AND compared_at IS NOT NULL"); n != 1 {
		t.Error("the source isn't noted as checked")
	}
	if r, _ := s.sync(db, o); r.CheckSeconds > 0 {
		t.Error("a file that is as it was is checked again")
	}
}
