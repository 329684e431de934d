package reading_test

import (
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/reading"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testpostgres"
	"lcm-tui/internal/testreplica"
)

// audited returns how many rows of the audit a condition finds.
func audited(t *testing.T, server, condition string) (n int) {
	t.Helper()
	a, err := postgres.Parse(server)
	testdb.Must(t, err)
	c, err := a.Connect(t.Context())
	testdb.Must(t, err)
	defer c.Close()
	_, err = c.One(t.Context(), "count", "SELECT count(*) FROM lcm.audit WHERE "+condition, nil, &n)
	testdb.Must(t, err)
	return n
}

// TestReadingIsAudited: a user who may only read is in the audit once an hour for each command, under the own name. What is there that
// user can't change, and reading goes on where nothing can be noted.
func TestReadingIsAudited(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	server := testreplica.Server(t)
	address := testreplica.Add(t, server, "laptop", testdb.Sample(t, fakehost.Head))
	const user = "audited_reader"
	testreplica.Execute(t, server, "DO $$ BEGIN CREATE ROLE "+user+" LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
	testreplica.Execute(t, server, "GRANT lcm_read TO "+user)
	as := testpostgres.As(address, user)
	read := func(command string) {
		ctx := reading.WithReader(t.Context(), reading.Reader{Principal: "ann@desk", Origin: "lcm-tui test", Command: command})
		db, err := data.Open(ctx, as)
		testdb.Must(t, err)
		if all, err := lcm.Conversations(ctx, db); err != nil || len(all) == 0 {
			t.Errorf("%s: %d conversations, %v", command, len(all), err)
		}
		testdb.Must(t, db.Close())
	}
	for _, command := range []string{"messages", "messages", "search"} {
		read(command)
	}
	whole := "action = 'read' AND source_name = 'laptop' AND principal = 'ann@desk' AND origin = 'lcm-tui test' AND database_user = '" + user + "' AND detail->>'command' IN ('messages', 'search')"
	if n := audited(t, server, whole); n != 2 {
		t.Errorf("%d rows of the audit are about reading", n)
	}
	a, err := postgres.Parse(as)
	testdb.Must(t, err)
	c, err := a.Connect(t.Context())
	testdb.Must(t, err)
	defer c.Close()
	for _, statement := range []string{
		"UPDATE lcm.audit SET principal = 'other'", "DELETE FROM lcm.audit", "TRUNCATE lcm.audit",
		"INSERT INTO lcm.audit (action, principal, origin, database_user) VALUES ('read', 'x', 'y', 'other')", "INSERT INTO lcm.audit (action, principal, origin, at) VALUES ('read', 'x', 'y', '2001-01-01')",
	} {
		if _, err := c.Exec(t.Context(), "try", statement); err == nil {
			t.Errorf("%s is allowed", statement)
		}
	}
	testreplica.Execute(t, server, "DROP FUNCTION lcm.note_read")
	read("messages")
	if n := audited(t, server, "action = 'read'"); n != 2 {
		t.Errorf("%d rows of the audit are about reading in the end", n)
	}
}
