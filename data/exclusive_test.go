package data_test

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestExclusive: nobody else reads while a connection is alone on a file, and nobody is alone on a
// file that another connection has open, even idle.
func TestExclusive(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"WAL", "DELETE"} {
		path := sample(t, fakehost.Head)
		h := host(t, path)
		must(t, h.Exec("PRAGMA journal_mode = "+mode))
		must(t, h.Close())
		x, err := data.OpenExclusive(t.Context(), path)
		must(t, err)
		pool, err := sql.Open("sqlite", data.FileURI(path, ""))
		must(t, err)
		defer pool.Close()
		if err := pool.QueryRowContext(t.Context(), "SELECT count(*) FROM messages").Scan(new(int)); !errors.Is(data.ErrorKind(err), data.ErrLocked) {
			t.Errorf("%s: another connection reads: %v", mode, err)
		}
		must(t, x.Close())
		must(t, pool.QueryRowContext(t.Context(), "SELECT count(*) FROM messages").Scan(new(int)))
		var e *data.Error
		_, err = data.OpenExclusive(t.Context(), path)
		if inUse := errors.As(err, &e) && errors.Is(err, data.ErrInUse) && strings.HasPrefix(e.Hint(), "stop"); inUse != (mode == "WAL") {
			t.Errorf("%s: beside an idle connection of this program: %v", mode, err)
		}
	}
}

// TestKindsAreOrdered by the versions that brought their tables and columns.
func TestKindsAreOrdered(t *testing.T) {
	t.Parallel()
	old, head := testdb.Open(t, sample(t, fakehost.V0_12)).Kind(), testdb.Open(t, sample(t, fakehost.Head)).Kind()
	one := data.Kind{Generation: data.GenerationOne, Level: data.GenerationOne}
	if old.IsNewer(head) || !head.IsNewer(old) || head.IsNewer(head) || !one.IsNewer(head) || head.IsNewer(one) {
		t.Error(old, head, one)
	}
}
