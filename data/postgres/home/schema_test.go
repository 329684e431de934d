package home_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/home"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testhome"
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

// TestAHomeIsMadeOnce: two programs at once don't disturb each other, and the second finds it made.
func TestAHomeIsMadeOnce(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testpostgres.Empty(t)
	if there, err := home.Exists(t.Context(), address); err != nil || there {
		t.Fatalf("a home in an empty database: %v, %v", there, err)
	}
	if _, err := data.Open(t.Context(), address); err == nil {
		t.Error("an empty database could be opened")
	}
	var made sync.WaitGroup
	var applied [2]int
	for i := range applied {
		conn := connect(t, address)
		made.Go(func() {
			done, err := home.Initialize(t.Context(), conn, "test")
			if err != nil {
				t.Error(err)
			}
			applied[i] = len(done.Applied)
		})
	}
	made.Wait()
	if min(applied[0], applied[1]) != 0 || max(applied[0], applied[1]) == 0 {
		t.Errorf("the migrations were applied %v times", applied)
	}
	if err := connect(t, address).Script(t.Context(), "UPDATE home.schema_version SET version = version + 98"); err != nil {
		t.Fatal(err)
	}
	if _, err := data.Open(t.Context(), address); !errors.Is(err, postgres.ErrNewerSchema) {
		t.Errorf("a home of a newer version: %v", err)
	}
}

// TestTheRolesOfAHome: one that may only read cannot write, one without a role cannot read, and both learn which role they need.
func TestTheRolesOfAHome(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testhome.New(t)
	begun(t, testhome.Open(t, address), 1)
	setup := `DO $$ BEGIN CREATE ROLE test_home_writer LOGIN IN ROLE lcm_home; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
DO $$ BEGIN CREATE ROLE test_home_nobody LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
DO $$ BEGIN CREATE ROLE test_home_reader LOGIN IN ROLE lcm_read; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`
	if err := connect(t, address).Script(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	writer := testhome.Open(t, testpostgres.As(address, "test_home_writer"))
	if _, err := appendMessage(t.Context(), writer, 1, "written"); err != nil {
		t.Errorf("the writer: %v", err)
	}
	reader := testhome.Open(t, testpostgres.As(address, "test_home_reader"))
	if all, err := lcm.Conversations(t.Context(), reader); err != nil || len(all) != 1 {
		t.Errorf("the reader sees %d conversations, %v", len(all), err)
	}
	_, err := data.Open(t.Context(), testpostgres.As(address, "test_home_nobody"))
	if !errors.Is(err, postgres.ErrRights) || !strings.Contains(hint.Of(err), "lcm_home") {
		t.Errorf("nobody: %v (%s)", err, hint.Of(err))
	}
	_, err = appendMessage(t.Context(), reader, 1, "refused")
	if !errors.Is(err, postgres.ErrRights) || !strings.Contains(hint.Of(err), "lcm_home") {
		t.Errorf("the reader: %v (%s)", err, hint.Of(err))
	}
	if err, ready := reader.ReadyToWrite(t.Context()), writer.ReadyToWrite(t.Context()); !errors.Is(err, postgres.ErrRights) || ready != nil {
		t.Errorf("before a model is asked the reader learns %v, and the writer %v", err, ready)
	}
}

// TestAHomeHasNoFile: what is about a file says so, with what to do instead.
func TestAHomeHasNoFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := testhome.Open(t, testhome.New(t))
	if err := db.Writable(); err != nil || !db.IsHome() {
		t.Errorf("a home: %v, %v", db.IsHome(), err)
	}
	_, err := db.Reopen(t.Context())
	var own *data.HomeError
	if !errors.As(err, &own) || !errors.Is(err, data.ErrElsewhere) || hint.Of(err) == "" {
		t.Errorf("got %v", err)
	}
	err = db.Transact(t.Context(), data.Transaction{Verb: "write", First: data.AttachSQL("/x", "y")}, func(*data.Tx) error { return nil })
	if !errors.As(err, &own) {
		t.Errorf("attach: %v", err)
	}
}

// TestWhatOthersWroteIsSeen: a handle knows that another program has committed.
func TestWhatOthersWroteIsSeen(t *testing.T) {
	t.Parallel()
	address := testhome.New(t)
	watching, writing := testhome.Open(t, address), testhome.Open(t, address)
	begun(t, writing, 1)
	for i, write := range []bool{false, false, true, false} {
		if write {
			if _, err := appendMessage(t.Context(), writing, 1, "written"); err != nil {
				t.Fatal(err)
			}
		}
		if changed, err := watching.Changed(t.Context()); err != nil || changed != write {
			t.Errorf("%d: changed %v, want %v (%v)", i, changed, write, err)
		}
	}
}
