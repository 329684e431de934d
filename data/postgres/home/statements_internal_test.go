package home

import (
	"context"
	_ "embed"
	"errors"
	"strings"
	"testing"

	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/translate"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testpostgres"
)

// writerStatements are the statements that the writer's own tests run in transactions, one a line, but for those about search tables
// and tables of newer hosts, which a home doesn't have.
//
//go:embed testdata/statements.txt
var writerStatements string

// TestEveryStatementOfTheWriterIsKnown: a home can run whatever the writer runs in a transaction, as far as the server can tell
// without running it.
func TestEveryStatementOfTheWriterIsKnown(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	conn, tables := newTables(t)
	n := 0
	for query := range strings.Lines(writerStatements) {
		n++
		query = strings.TrimSpace(query)
		err := explained(t.Context(), conn, tables, query, nil)
		for _, list := range []string{"[1]", `["a"]`} { // What a list has decides about its type.
			if err != nil && strings.Contains(query, "json_each") {
				err = explained(t.Context(), conn, tables, query, list)
			}
		}
		if err != nil {
			t.Errorf("%s\n%v", query, err)
		}
	}
	if n < 100 {
		t.Errorf("only %d statements", n)
	}
}

// newTables makes a home, and returns its tables.
func newTables(t *testing.T) (*postgres.Conn, *tables) {
	t.Helper()
	a, err := postgres.Parse(testpostgres.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := a.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	if _, err := Initialize(t.Context(), conn, "test"); err != nil {
		t.Fatal(err)
	}
	pool := a.OpenPool()
	defer pool.Close()
	tables, err := readTables(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	return conn, tables
}

// TestRowsInTheOrderOfAnIndexAreNotSorted: the first of many is found without reading the others.
func TestRowsInTheOrderOfAnIndexAreNotSorted(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	conn, tables := newTables(t)
	for _, query := range []string{
		"SELECT max(first) FROM (SELECT message_id AS first FROM messages ORDER BY message_id DESC LIMIT 1)",
		"SELECT (SELECT e.message_id FROM messages e WHERE e.conversation_id = c.conversation_id ORDER BY e.seq LIMIT 1) FROM conversations c ORDER BY c.conversation_id DESC",
		"SELECT (SELECT e.message_id FROM messages e WHERE e.conversation_id = c.conversation_id ORDER BY e.seq DESC LIMIT 1) FROM conversations c ORDER BY c.conversation_id",
		"SELECT max(o) FROM (SELECT ordinal AS o FROM context_items WHERE conversation_id = 1 ORDER BY context_items.ordinal DESC LIMIT 5) AS x",
	} {
		r, err := translate.Statement(query, nil, false, tables.table)
		if err != nil {
			t.Fatal(err)
		}
		var plan string
		err = conn.Transact(t.Context(), "plan", func() error {
			for _, way := range []string{"seqscan", "bitmapscan"} {
				if _, err := conn.Exec(t.Context(), "plan", "SET LOCAL enable_"+way+" = off"); err != nil {
					return err
				}
			}
			return conn.Query(t.Context(), "plan", "EXPLAIN "+r.Text, nil, func(scan postgres.Scanner) error {
				var line string
				err := scan(&line)
				plan += line + "\n"
				return err
			})
		})
		if err != nil || strings.Contains(strings.ReplaceAll(plan, "Incremental Sort  (", ""), "Sort  (") || !strings.Contains(plan, "Index") {
			t.Errorf("%s\n%s%v", query, plan, err)
		}
	}
}

// explained has the server plan a statement of SQLite with a value for all its parameters.
func explained(ctx context.Context, conn *postgres.Conn, t *tables, query string, value any) error {
	args := make([]any, 100)
	literal := "NULL"
	if text, ok := value.(string); ok {
		literal = "'" + text + "'"
		for i := range args {
			args[i] = text
		}
	}
	r, err := translate.Statement(query, args, false, t.table)
	text := r.Text
	if err != nil {
		var w translate.Written
		w, err = translate.WriteStatement(query, args, t.table, t.relation)
		text = w.Text
	}
	if err != nil {
		return err
	}
	return explain(ctx, conn, text, literal)
}

// explain has the server plan a statement with a literal for its parameters.
func explain(ctx context.Context, conn *postgres.Conn, text, literal string) error {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) || text[i+1] < '0' || text[i+1] > '9' {
			b.WriteByte(text[i])
			continue
		}
		for i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
			i++
		}
		b.WriteString(literal)
	}
	err := conn.Script(ctx, "EXPLAIN "+b.String())
	var own *postgres.Error
	if errors.As(err, &own) && own.Code == "42725" { // NULL alone doesn't say which operator is meant.
		return nil
	}
	return err
}
