package postgres_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testpostgres"
)

// connect opens a connection until the end of the test.
func connect(t *testing.T, address string) *postgres.Conn {
	t.Helper()
	a, err := postgres.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := a.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

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

// replica returns the address of a database with the schema.
func replica(t *testing.T) string {
	t.Helper()
	return testpostgres.Prepared(t, "replica", prepare)
}

// TestInitializeMakesTheSchemaOnce: the second time nothing is done, and two at once don't disturb each other.
func TestInitializeMakesTheSchemaOnce(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testpostgres.Empty(t)
	first := connect(t, address)
	if err := first.CheckSchema(t.Context(), false); !errors.Is(err, postgres.ErrNoSchema) {
		t.Fatalf("an empty database: %v, want no schema", err)
	}
	done, err := first.Initialize(t.Context(), "test")
	if err != nil || done.From != 0 || done.To != postgres.NewestSchema() || len(done.Applied) == 0 || done.NoRoles {
		t.Fatalf("%+v, %v", done, err)
	}
	again, err := connect(t, address).Initialize(t.Context(), "test")
	if err != nil || again.From != done.To || len(again.Applied) != 0 {
		t.Errorf("the second time: %+v, %v", again, err)
	}
	if err := first.CheckSchema(t.Context(), true); err != nil {
		t.Error(err)
	}
	if _, err := first.Exec(t.Context(), "note", "INSERT INTO lcm.schema_version VALUES (999, 'later', 'later')"); err != nil {
		t.Fatal(err)
	}
	if err := first.CheckSchema(t.Context(), true); !errors.Is(err, postgres.ErrNewerSchema) {
		t.Errorf("writing to a newer schema: %v", err)
	}
	if err := first.CheckSchema(t.Context(), false); err != nil {
		t.Errorf("reading a newer schema: %v", err)
	}
}

// TestAMemberOfTheOwnersChangesTheSchema without the right to make roles, once they are there. Others learn whom to ask.
func TestAMemberOfTheOwnersChangesTheSchema(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := replica(t)
	admin := connect(t, address)
	for _, statement := range []string{
		"DO $$ BEGIN CREATE ROLE test_schema_owner LOGIN IN ROLE lcm_owner; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$",
		"DO $$ BEGIN CREATE ROLE test_schema_other LOGIN IN ROLE lcm_read; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$",
		"DELETE FROM lcm.schema_version WHERE version > 900",
	} {
		if _, err := admin.Exec(t.Context(), "prepare", statement); err != nil {
			t.Fatal(err)
		}
	}
	done, err := connect(t, testpostgres.As(address, "test_schema_owner")).Initialize(t.Context(), "test")
	if err != nil || done.To != postgres.NewestSchema() || done.NoRoles {
		t.Errorf("a member of the owners: %+v, %v", done, err)
	}
	_, err = connect(t, testpostgres.As(address, "test_schema_other")).Initialize(t.Context(), "test")
	if !errors.Is(err, postgres.ErrRights) || !strings.Contains(hint.Of(err), "GRANT lcm_owner") {
		t.Errorf("another user: %v (%s)", err, hint.Of(err))
	}
}

// TestTheDescriptionIsTheSchema: every table of the description has the columns that are copied, no others, and a
// subquery that the server takes.
func TestTheDescriptionIsTheSchema(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	conn := connect(t, replica(t))
	for _, table := range postgres.Tables {
		var columns []string
		err := conn.Query(t.Context(), "read columns", "SELECT column_name FROM information_schema.columns WHERE table_schema = 'lcm' AND table_name = $1 ORDER BY ordinal_position",
			[]any{table.Name}, func(scan postgres.Scanner) error {
				var name string
				err := scan(&name)
				columns = append(columns, name)
				return err
			})
		if err != nil || !slices.Equal(columns, table.CopyColumns()) {
			t.Errorf("%s: %v, %v\nwant %v", table.Name, columns, err, table.CopyColumns())
		}
		subquery, ok := postgres.SourceTable(table.Name, 17)
		if !ok {
			t.Errorf("%s has no subquery", table.Name)
		}
		if _, err := conn.Exec(t.Context(), "read "+table.Name, "SELECT * FROM "+subquery+" AS t"); err != nil {
			t.Errorf("%s: %v", subquery, err)
		}
	}
	if _, ok := postgres.SourceTable("promoted", 17); ok {
		t.Error("a table of another format has a subquery")
	}
}

// TestRowsInTheOrderOfAFileAreNotSorted: the indexes have them so, NULL first.
func TestRowsInTheOrderOfAFileAreNotSorted(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	conn := connect(t, replica(t))
	for _, query := range []string{
		"SELECT content FROM lcm.messages WHERE source_id = 1 ORDER BY message_id DESC NULLS LAST LIMIT 1",
		"SELECT content FROM lcm.messages WHERE source_id = 1 AND conversation_id = 2 ORDER BY seq NULLS FIRST LIMIT 1",
		"SELECT tool_name FROM lcm.message_parts WHERE source_id = 1 AND message_id = 2 ORDER BY ordinal NULLS FIRST LIMIT 1",
		"SELECT message_id FROM lcm.summary_messages WHERE source_id = 1 AND summary_id = 'sum_a' ORDER BY ordinal NULLS FIRST LIMIT 1",
		"SELECT parent_summary_id FROM lcm.summary_parents WHERE source_id = 1 AND summary_id = 'sum_a' ORDER BY ordinal NULLS FIRST LIMIT 1",
		"SELECT message_id FROM lcm.context_items WHERE source_id = 1 AND conversation_id = 2 ORDER BY ordinal DESC NULLS LAST LIMIT 1",
		"SELECT title FROM lcm.conversations WHERE source_id = 1 ORDER BY conversation_id DESC NULLS LAST LIMIT 1",
	} {
		var plan string
		err := conn.Transact(t.Context(), "plan", func() error {
			for _, way := range []string{"seqscan", "bitmapscan"} {
				if _, err := conn.Exec(t.Context(), "plan", "SET LOCAL enable_"+way+" = off"); err != nil {
					return err
				}
			}
			return conn.Query(t.Context(), "plan", "EXPLAIN "+query, nil, func(scan postgres.Scanner) error {
				var line string
				err := scan(&line)
				plan += line + "\n"
				return err
			})
		})
		if err != nil || strings.Contains(plan, "Sort") {
			t.Errorf("%s\n%s%v", query, plan, err)
		}
	}
}

// TestTheFunctionsWorkWhereAStatementUsesSeveralProcesses, which the server does where there are many rows.
func TestTheFunctionsWorkWhereAStatementUsesSeveralProcesses(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	conn := connect(t, replica(t))
	for function, want := range map[string]string{"json_valid(t.x)::text": "false", "json_cell(t.x, '$.a')": "", "json_kind(t.x, '$.a')": ""} {
		var got string
		err := conn.Transact(t.Context(), "try", func() error {
			// The setting has another name since PostgreSQL 16.
			var on string
			if there, err := conn.One(t.Context(), "try", "SELECT set_config(name, 'on', true) FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query')", nil, &on); err != nil || !there {
				return errors.Join(err, errors.New("the server has no such setting"))
			}
			_, err := conn.One(t.Context(), "try", "SELECT coalesce(max(lcm."+function+"), '') FROM (SELECT '{' || oid AS x FROM pg_class) AS t", nil, &got)
			return err
		})
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", function, got, err, want)
		}
	}
}

// TestEachRoleMayDoItsPart and no more.
func TestEachRoleMayDoItsPart(t *testing.T) {
	t.Parallel()
	conn := connect(t, replica(t))
	source := "INSERT INTO lcm.sources (name, host, path, principal, origin, level) VALUES ('a', 'h', '/p', 'u', 'o', 'full')"
	for _, c := range []struct {
		role, statement string
		allowed         bool
	}{
		{postgres.RoleSync, source, true},
		{postgres.RoleSync, "DELETE FROM lcm.messages", true},
		{postgres.RoleSync, "INSERT INTO lcm.audit (action, principal, origin) VALUES ('sync', 'u', 'o')", true},
		{postgres.RoleSync, "UPDATE lcm.audit SET action = 'x'", false},
		{postgres.RoleSync, "DELETE FROM lcm.audit", false},
		{postgres.RoleSync, "INSERT INTO lcm.schema_version VALUES (5, '', '')", false},
		{postgres.RoleSync, "CREATE TABLE lcm.mine (a text)", false},
		{postgres.RoleRead, "SELECT content FROM lcm.messages", true},
		{postgres.RoleRead, source, false},
		{postgres.RoleRead, "DROP TABLE lcm.messages", false},
		{postgres.RoleMetrics, "SELECT messages FROM lcm.conversation_metrics", true},
		{postgres.RoleMetrics, "SELECT content FROM lcm.messages", false},
		{postgres.RoleMetrics, "SELECT path FROM lcm.sources", false},
	} {
		err := conn.Transact(t.Context(), "try", func() error {
			if _, err := conn.Exec(t.Context(), "take a role", "SET LOCAL ROLE "+c.role); err != nil {
				return err
			}
			if _, err := conn.Exec(t.Context(), "try", c.statement); err != nil {
				return err
			}
			return errRollback
		})
		if allowed := errors.Is(err, errRollback); allowed != c.allowed || !allowed && !errors.Is(err, postgres.ErrRights) {
			t.Errorf("%s: %s: %v", c.role, c.statement, err)
		}
	}
}

var errRollback = errors.New("nothing is kept")

// TestErrorsSayWhatToDo: each has a kind and a hint, and none has the password.
func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := replica(t)
	conn := connect(t, address)
	_, noSchema := connect(t, testpostgres.Empty(t)).Exec(t.Context(), "read", "SELECT * FROM lcm.messages")
	_, noDatabase := open(t, strings.Replace(address, "lcm_test_", "lcm_none_", 1))
	_, noServer := open(t, "postgres://me:secret@127.0.0.1:1/x")
	_, conflict := conn.Exec(t.Context(), "read", "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END $$")
	_, standby := conn.Exec(t.Context(), "read", "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '25006'; END $$")
	for _, c := range []struct{ err, kind error }{
		{noSchema, postgres.ErrNoSchema},
		{noDatabase, postgres.ErrNoDatabase},
		{noServer, postgres.ErrUnreachable},
		{conflict, postgres.ErrConflict},
		{standby, postgres.ErrStandby},
	} {
		var e *postgres.Error
		if !errors.As(c.err, &e) || !errors.Is(c.err, c.kind) || e.Hint() == "" || strings.Contains(e.Error(), "secret") {
			t.Errorf("%v, want %v with a hint", c.err, c.kind)
		}
	}
	if !postgres.Retryable(conflict) || postgres.Retryable(noSchema) {
		t.Error("a conflict may be tried again, and a missing schema not")
	}
}

// open opens an address.
func open(t *testing.T, address string) (*postgres.Conn, error) {
	t.Helper()
	a, err := postgres.Parse(address)
	if err != nil {
		return nil, err
	}
	return a.Connect(t.Context())
}
