package postgres_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
)

// TestALostConnectionIsKnownByWhatFollows: later statements on it fail with errors of database/sql. A write is begun again for them, and a reader
// learns that the server is away, and not what the driver calls it.
func TestALostConnectionIsKnownByWhatFollows(t *testing.T) {
	t.Parallel()
	a, err := postgres.Parse("postgres://me@127.0.0.1/lcm")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{sql.ErrConnDone, driver.ErrBadConn, io.ErrUnexpectedEOF} {
		got := a.Wrap(t.Context(), "read", fmt.Errorf("a query: %w", err))
		if !postgres.IsLost(err) || !errors.Is(got, postgres.ErrUnreachable) || !errors.Is(got, data.ErrServer) || hint.Of(got) == "" {
			t.Errorf("%v: %v", err, got)
		}
	}
	for _, err := range []error{sql.ErrNoRows, context.Canceled} {
		if postgres.IsLost(err) || errors.Is(err, data.ErrServer) {
			t.Errorf("%v is taken for a lost connection", err)
		}
	}
}

// TestWhatServersSayIsUnderstood: a failure that ends by itself has another kind than one that needs somebody.
func TestWhatServersSayIsUnderstood(t *testing.T) {
	t.Parallel()
	a, err := postgres.Parse("postgres://me@127.0.0.1/lcm")
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]error{
		"25006": postgres.ErrStandby, "25P03": postgres.ErrStopped, "25P04": postgres.ErrStopped, "57014": postgres.ErrStopped, "57P01": postgres.ErrUnreachable,
		"53100": postgres.ErrFull, "53300": postgres.ErrFull, "40001": postgres.ErrConflict, "42601": postgres.ErrRefused,
	} {
		if got := a.Wrap(t.Context(), "write to", &pgconn.PgError{Code: code}); !errors.Is(got, want) {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
}
