package testpostgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"lcm-tui/internal/testpostgres"
)

// TestPreparedDatabasesAreCopies: each test has a database of its own, with what the template has.
func TestPreparedDatabasesAreCopies(t *testing.T) {
	t.Parallel()
	prepared := 0
	prepare := func(ctx context.Context, url string) error {
		prepared++
		return run(ctx, url, "CREATE TABLE note (text text); INSERT INTO note VALUES ('of the template')")
	}
	first := testpostgres.Prepared(t, "notes", prepare)
	if err := run(t.Context(), first, "DELETE FROM note"); err != nil {
		t.Fatal(err)
	}
	second := testpostgres.Prepared(t, "notes", prepare)
	conn, err := pgx.Connect(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var n int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM note").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d rows, %v; want the row of the template", n, err)
	}
	if prepared != 1 {
		t.Errorf("the template was prepared %d times, want once", prepared)
	}
}

// run runs statements on a database.
func run(ctx context.Context, url, statements string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statements)
	return err
}
