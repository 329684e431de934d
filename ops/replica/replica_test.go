package replica_test

import (
	"context"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/testpostgres"
	"lcm-tui/ops/replica"
)

// prepare makes the schema in a template.
func prepare(ctx context.Context, address string) error {
	a, err := postgres.Parse(address)
	if err != nil {
		return err
	}
	conn, err := a.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Initialize(ctx, "test")
	return err
}

// server is a replica for one test.
type server struct {
	*testing.T
	address *postgres.Address
	conn    *postgres.Conn
}

// newServer returns an empty replica.
func newServer(t *testing.T) *server {
	t.Helper()
	a, err := postgres.Parse(testpostgres.Prepared(t, "replica", prepare))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := a.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return &server{t, a, conn}
}

// options returns how a source of a name is synced whole.
func options(name string) replica.Options {
	return replica.Options{Source: name, Level: replica.LevelFull, Host: "here", Principal: "me", Origin: "test"}
}

// sync syncs a file and compares every cell.
func (s *server) sync(db *data.DB, o replica.Options) (*replica.Result, *replica.Verified) {
	s.Helper()
	r, err := replica.Sync(s.Context(), db, s.address, o)
	if err != nil {
		s.Fatalf("sync %s: %v", o.Source, err)
	}
	return r, s.verify(db, o)
}

// verify fails where a cell differs.
func (s *server) verify(db *data.DB, o replica.Options) *replica.Verified {
	s.Helper()
	v, err := replica.Verify(s.Context(), db, s.conn, o)
	if err != nil {
		s.Fatalf("verify %s: %v", o.Source, err)
	}
	if v.Different > 0 {
		s.Errorf("%s differs: %+v", o.Source, v.Differences)
	}
	return v
}
