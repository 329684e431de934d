package data_test

import (
	"errors"
	"fmt"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// What a write needs is read while others can write. Where one did it is read again, at last under the lock: the
// write always gets what the file has.
func TestAWriteIsPreparedWithoutALock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		others, preparations int
	}{
		{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 4}, // The fourth is under the lock, which lets nobody write.
	} {
		t.Run(fmt.Sprint(c.others, " others"), func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.Head)
			db := testdb.Open(t, path)
			wrote, preparations := 0, 0
			db.Step = func(step string) {
				if step == data.StepPrepared && wrote < c.others {
					wrote++
					testdb.Execute(t, path, fmt.Sprintf("UPDATE conversations SET title = 'other %d' WHERE conversation_id = 1", wrote))
				}
			}
			title := func(tx *data.Tx) (s string, err error) {
				var text data.Text
				err = tx.QueryRowContext(t.Context(), "SELECT title FROM conversations WHERE conversation_id = 1").Scan(&text)
				return string(text), err
			}
			var prepared string
			err := db.Transact(t.Context(), data.Transaction{Verb: "write", Prepare: func(tx *data.Tx) (err error) {
				preparations++
				prepared, err = title(tx)
				return err
			}}, func(tx *data.Tx) error {
				is, err := title(tx)
				if is != prepared {
					t.Errorf("prepared for %q, and the file has %q", prepared, is)
				}
				return err
			})
			if err != nil || preparations != c.preparations {
				t.Errorf("prepared %d times, want %d: %v", preparations, c.preparations, err)
			}
		})
	}
}

// A preparation that fails ends the write before it has a lock, and what a preparation writes isn't kept.
func TestAPreparationWritesNothing(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	was := testdb.Dump(t, path)
	db := testdb.Open(t, path)
	db.Step = func(step string) { t.Errorf("reached %q", step) }
	stale := errors.New("stale")
	err := db.Transact(t.Context(), data.Transaction{Verb: "write", Prepare: func(tx *data.Tx) error {
		_, err := tx.Conn.ExecContext(t.Context(), "DELETE FROM context_items")
		return errors.Join(err, stale)
	}}, func(*data.Tx) error { return nil })
	if !errors.Is(err, stale) {
		t.Errorf("%v, want %v", err, stale)
	}
	if testdb.Dump(t, path) != was {
		t.Error("the preparation wrote")
	}
}
