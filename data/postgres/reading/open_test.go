package reading_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/postgres/reading"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testreplica"
)

// open opens a database of tests by its replica, and the file itself.
func open(t *testing.T, path string) (file, replica *data.DB) {
	t.Helper()
	address := testreplica.Add(t, testreplica.Server(t), "laptop", path)
	replica, err := data.Open(t.Context(), address)
	testdb.Must(t, err)
	t.Cleanup(func() { testdb.Must(t, replica.Close()) })
	return testdb.Open(t, path), replica
}

// cells reads all cells of a query.
func cells(t *testing.T, db *data.DB, columns int, query string, args ...any) (out []any) {
	t.Helper()
	_, err := db.Query(t.Context(), "read", query, args, func(scan data.RowScanner) error {
		row := make([]any, columns)
		err := scan(data.Pointers(row)...)
		out = append(out, row...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

// TestCellsArriveAsSQLiteGivesThem reads cells of every type, damaged ones too, from a file and its replica.
func TestCellsArriveAsSQLiteGivesThem(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	testdb.Execute(t, path,
		"UPDATE messages SET content = 'a' || char(0) || 'b' WHERE message_id = 1", "UPDATE messages SET content = x'ff00fe' WHERE message_id = 2",
		"UPDATE messages SET token_count = 'many' WHERE message_id = 3", "UPDATE messages SET token_count = 2.5 WHERE message_id = 4",
		"UPDATE summaries SET content = CAST(x'c328' AS TEXT) WHERE depth = 0",
		"UPDATE messages SET created_at = 'never' WHERE message_id = 5", "UPDATE messages SET created_at = '2026-01-01 10:00' WHERE message_id = 6", "UPDATE messages SET created_at = x'ff' WHERE message_id = 7",
		"CREATE TABLE of_another_program (rowid INTEGER PRIMARY KEY, a TEXT, b INTEGER)",
		"INSERT INTO of_another_program VALUES (7, 'x', 1), (8, NULL, 9223372036854775807), (9, 1, -1)",
		`CREATE TABLE of_a_third (a TEXT)`, `INSERT INTO of_a_third VALUES ('a' || char(0) || char(0)), ('\' || char(0)), ('\u0000'), ('\\u0000')`,
	)
	file, replica := open(t, path)
	for query, columns := range map[string]int{
		"SELECT message_id, +content, +token_count, +created_at, role FROM messages m ORDER BY message_id":                                                                     5,
		"SELECT length(CAST(content AS BLOB)), substr(CAST(content AS BLOB), 1, 2) FROM messages ORDER BY message_id":                                                          2,
		"SELECT rowid, a, b FROM of_another_program ORDER BY rowid":                                                                                                            3,
		"SELECT count(*), sum(seq), max(seq), min(created_at), count(*) > 1, NULL FROM messages":                                                                               6,
		"SELECT active, active = 1, title FROM conversations ORDER BY conversation_id":                                                                                         3,
		"SELECT s.summary_id, s.content, s.earliest_at, s.created_at FROM summaries s ORDER BY s.summary_id":                                                                   4,
		"SELECT json_valid(metadata), json_type(metadata), CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$.toolCallId') END FROM message_parts ORDER BY part_id": 3,
		"SELECT message_id FROM messages t WHERE julianday(t.created_at) IS NOT NULL ORDER BY julianday(t.created_at) IS NULL, t.created_at DESC, t.message_id":                1,
		"SELECT message_id FROM messages t ORDER BY julianday(t.created_at) IS NULL, t.created_at DESC, t.message_id":                                                          1,
		"SELECT julianday(created_at) FROM messages WHERE message_id > 5 ORDER BY message_id LIMIT 3":                                                                          1,
	} {
		want, got := cells(t, file, columns, query), cells(t, replica, columns, query)
		if len(want) == 0 || len(want) != len(got) {
			t.Errorf("%s: %d cells of %d", query, len(got), len(want))
			continue
		}
		for i := range want {
			if !data.SameValue(asCell(want[i]), asCell(got[i])) {
				t.Errorf("%s: cell %d is %#v, and %#v in the replica", query, i, want[i], got[i])
			}
		}
	}
	// No text of the server has a NUL character: its sign stands there, and nothing else changes.
	if got := cells(t, replica, 1, "SELECT a FROM of_a_third ORDER BY rowid"); !slices.Equal(got, []any{"a␀␀", `\␀`, `\u0000`, `\\u0000`}) {
		t.Errorf("NUL characters in rows of another table: %q", got)
	}
}

// asCell takes the meaning away that the driver of SQLite gives to a cell by the declared type of its column.
func asCell(v any) any {
	if t, ok := v.(interface{ String() string }); ok {
		return t.String()
	}
	return v
}

// TestNumbersInTextsAreComparedAsNumbers: keys of rows come as texts from users and findings.
func TestNumbersInTextsAreComparedAsNumbers(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	file, replica := open(t, testdb.Sample(t, fakehost.Head))
	for _, from := range []string{
		"(SELECT DISTINCT column1 AS wanted_key FROM (VALUES (?), (?))) CROSS JOIN messages ON message_id = wanted_key", "messages WHERE message_id IN (?, ?)",
	} {
		query := "SELECT message_id FROM " + from + " ORDER BY message_id"
		for _, keys := range [][]any{{"1", "3"}, {int64(1), int64(3)}} {
			want, got := cells(t, file, 1, query, keys...), cells(t, replica, 1, query, keys...)
			if len(want) != 2 || !slices.Equal(want, got) {
				t.Errorf("%s: %v and %v", query, want, got)
			}
		}
	}
}

// TestAReplicaIsReadInOneState: a transaction goes on seeing the rows that were there when it began.
func TestAReplicaIsReadInOneState(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	_, replica := open(t, testdb.Sample(t, fakehost.Head))
	err := replica.QuerySnapshot(t.Context(), "read", func(q data.Querier) error {
		var id int64
		texts := "SELECT message_id FROM (SELECT column1 AS wanted FROM (VALUES (?))) JOIN messages ON message_id = wanted"
		if ok, err := data.One(t.Context(), q, "read", texts, []any{"2"}, &id); !ok || err != nil || id != 2 {
			t.Errorf("message %d: %v", id, err)
		}
		first, err := lcm.Conversations(t.Context(), q)
		if err != nil || len(first) == 0 {
			t.Errorf("%d conversations: %v", len(first), err)
		}
		return err
	})
	testdb.Must(t, err)
	if changed, err := replica.Changed(t.Context()); changed || err != nil {
		t.Errorf("changed %v: %v", changed, err)
	}
}

// TestWhatNeedsTheFileSaysWhereItIs: nothing is written, and each refusal names the file, its machine and the next step.
func TestWhatNeedsTheFileSaysWhereItIs(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	_, replica := open(t, path)
	ctx := t.Context()
	for what, do := range map[string]func() error{
		"a write":   replica.Writable,
		"a backup":  func() error { return data.CopyDatabase(ctx, replica, filepath.Join(t.TempDir(), "b.db"), nil) },
		"its pages": func() error { return data.PageCheck(ctx, replica, 1, func(string) {}) },
		"its log":   func() error { return data.TruncateWAL(ctx, replica) },
		"a reader":  func() error { _, err := replica.OpenReader(ctx); return err },
		"transact": func() error {
			return replica.Transact(ctx, data.Transaction{Verb: "write"}, func(*data.Tx) error { return nil })
		},
		"its size": func() error {
			return replica.EachRow(ctx, "read the size of", "PRAGMA main.page_size", nil, func(data.RowScanner) error { return nil })
		},
		"a new open": func() error { _, err := replica.Reopen(ctx); return err },
	} {
		err := do()
		var elsewhere *data.ElsewhereError
		if !errors.As(err, &elsewhere) || !strings.Contains(err.Error(), path+" on "+testreplica.Host) || hint.Of(err) == "" {
			t.Errorf("%s: %v (%s)", what, err, hint.Of(err))
		}
	}
	if _, err := replica.Query(ctx, "write", "DELETE FROM messages", nil, func(data.RowScanner) error { return nil }); err == nil {
		t.Error("a statement that writes ran")
	}
}

// TestAnAddressNamesASource: a source that isn't there, and a choice that isn't made, say what to do.
func TestAnAddressNamesASource(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	server := testreplica.Server(t)
	check := func(address, want string) {
		db, err := reading.Open(t.Context(), address)
		if err == nil {
			testdb.Must(t, db.Close())
		}
		if err == nil || !strings.Contains(err.Error(), want) || hint.Of(err) == "" {
			t.Errorf("%s: %v", address, err)
		}
	}
	check(server, "no sources")
	testreplica.Add(t, server, "one", testdb.Sample(t, fakehost.Head))
	db, err := reading.Open(t.Context(), server)
	testdb.Must(t, err)
	if r, ok := db.Replica(); !ok || r.Source != "one" || r.At.IsZero() {
		t.Errorf("the only source is %+v", r)
	}
	testdb.Must(t, db.Close())
	testreplica.Add(t, server, "two", testdb.Sample(t, fakehost.Head))
	check(server, "several sources")
	check(testreplica.Address(server, "three"), "no source")
	check("postgres://nobody@127.0.0.1:1/lcm?source=x&connect_timeout=1", "doesn't answer")
	list, err := reading.Sources(context.Background(), server)
	if err != nil || len(list) != 2 || list[0].Name != "one" || list[1].Host != testreplica.Host {
		t.Errorf("%+v: %v", list, err)
	}
}

// TestASourceThatIsGone: whoever watches a replica learns that its source was forgotten, and can open it again.
func TestASourceThatIsGone(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	server := testreplica.Server(t)
	db, err := data.Open(t.Context(), testreplica.Add(t, server, "laptop", testdb.Sample(t, fakehost.Head)))
	testdb.Must(t, err)
	t.Cleanup(func() { testdb.Must(t, db.Close()) })
	testreplica.Execute(t, server, "DELETE FROM lcm.sources")
	if _, err := db.Changed(t.Context()); !errors.Is(err, data.ErrForgotten) || !strings.Contains(err.Error(), "laptop isn't in the replica any more") {
		t.Error(err)
	}
}
