package home

import (
	"context"
	_ "embed"
	"errors"
	"strings"
	"testing"

	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/translate"
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
	a, err := postgres.Parse(testpostgres.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := a.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := Initialize(t.Context(), conn, "test"); err != nil {
		t.Fatal(err)
	}
	pool := a.OpenPool()
	defer pool.Close()
	tables, err := readTables(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
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
