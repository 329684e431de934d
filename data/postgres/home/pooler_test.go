package home_test

import (
	"fmt"
	"sync"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/postgres/home"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testpostgres"
	"lcm-tui/internal/testreplica"
)

// TestAReplicaBehindAPooler: PgBouncer gives each transaction another session of the server. A sync and reads are as without it.
func TestAReplicaBehindAPooler(t *testing.T) {
	t.Parallel()
	server := testreplica.Server(t)
	pooled := testpostgres.Pooled(t, server, 4)
	path := testdb.Sample(t, fakehost.Head)
	for range 2 { // The second sync compares.
		testreplica.Add(t, pooled, "laptop", path)
	}
	file := testdb.Open(t, path)
	var readers sync.WaitGroup
	for range 4 {
		db := testhome.Open(t, testreplica.Address(pooled, "laptop"))
		readers.Go(func() {
			if got, want := testhome.Dump(t, db), testhome.Dump(t, file); got != want {
				t.Error("the rows differ from those of the file")
			}
			if _, err := integrity.Check(t.Context(), db, integrity.Request{}, nil); err != nil {
				t.Error(err)
			}
		})
	}
	readers.Wait()
}

// TestAHomeBehindAPooler: it is made, written by two programs at once, compacted, and a compaction is undone. One connection
// for all of them is enough: nobody waits for a second one in a transaction.
func TestAHomeBehindAPooler(t *testing.T) {
	t.Parallel()
	pooled := testpostgres.Pooled(t, testpostgres.Empty(t), 1)
	if _, err := home.Initialize(t.Context(), connect(t, pooled), "test"); err != nil {
		t.Fatal(err)
	}
	db := testhome.Open(t, pooled)
	begun(t, db, 2)
	const each = 10
	texts := map[string]bool{}
	var writers sync.WaitGroup
	for n := range 4 {
		for i := range each {
			texts[fmt.Sprintf("message %d of %d", i, n)] = true
		}
		writer := testhome.Open(t, pooled)
		writers.Go(func() {
			for i := range each {
				text := fmt.Sprintf("message %d of %d", i, n)
				if n%2 == 0 {
					if err := appendAtEnd(t.Context(), writer, int64(n/2+1), text); err != nil {
						t.Error(err)
					}
				} else if _, err := appendMessage(t.Context(), writer, int64(n/2+1), text); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	checkWhole(t, db, texts)
	before := testhome.Dump(t, db)
	if err := compactOnce(t.Context(), db, 1); err != nil {
		t.Fatal(err)
	}
	checkWhole(t, db, texts)
	record, err := change.Last(t.Context(), db)
	if err != nil || record.Op != "compact" || testhome.Dump(t, db) == before {
		t.Fatalf("%+v, %v", record, err)
	}
	if err := change.Undo(t.Context(), db, record.ID); err != nil {
		t.Fatal(err)
	}
	if testhome.Dump(t, db) != before {
		t.Error("the undo left other rows")
	}
	var number int64
	if _, err := data.One(t.Context(), db, "read", "SELECT count(*) FROM messages WHERE content >= ?", []any{""}, &number); err != nil || number != int64(len(texts)) {
		t.Errorf("%d messages, %v", number, err)
	}
}
