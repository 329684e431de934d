package pagestream_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/pagestream"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// source is a database that a test changes and sends.
type source struct {
	t      *testing.T
	path   string
	writer *sql.DB
	folder string
}

func newSource(t *testing.T) *source {
	t.Helper()
	s := &source{t: t, path: testdb.Copy(t, testdb.Fixture(t, "v0.15.3/small.db")), folder: t.TempDir()}
	w, err := sql.Open("sqlite", data.FileURI(s.path, "_pragma=busy_timeout(5000)"))
	if err != nil {
		t.Fatal(err)
	}
	w.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = w.Close() })
	s.writer = w
	s.exec("CREATE TABLE test_pair (a INTEGER, b INTEGER)")
	s.exec("INSERT INTO test_pair VALUES (0, 0)")
	return s
}

func (s *source) exec(query string) {
	s.t.Helper()
	if _, err := s.writer.ExecContext(s.t.Context(), query); err != nil {
		s.t.Fatal(err)
	}
}

// age gives the files times that are long past, so that their stamp is settled.
func (s *source) age() {
	s.t.Helper()
	at := time.Now().Add(-time.Hour)
	for _, path := range []string{s.path, s.path + "-wal"} {
		if err := os.Chtimes(path, at, at); err != nil && !errors.Is(err, os.ErrNotExist) {
			s.t.Fatal(err)
		}
	}
}

func (s *source) send(since string) (pagestream.Sent, []byte) {
	s.t.Helper()
	db := testdb.Open(s.t, s.path)
	var b bytes.Buffer
	sent, err := pagestream.Send(s.t.Context(), db, pagestream.Sending{Since: since, Folder: s.folder}, &b)
	if err != nil {
		s.t.Fatal(err)
	}
	return sent, b.Bytes()
}

// receive makes a file of a stream.
func receive(t *testing.T, stream []byte, base, stamp string) (string, pagestream.Received, error) {
	t.Helper()
	into := filepath.Join(t.TempDir(), "copy.db")
	r, err := pagestream.Receive(t.Context(), bytes.NewReader(stream), into, pagestream.Receiving{Base: base, BaseStamp: stamp})
	return into, r, err
}

// pair reads what a test wrote, and checks the file.
func pair(t *testing.T, path string) (a, b int64) {
	t.Helper()
	db, err := sql.Open("sqlite", data.FileURI(path, "mode=ro&immutable=1"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var ok string
	if err := db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&ok); err != nil || ok != "ok" {
		t.Fatalf("%s: %q, %v", path, ok, err)
	}
	if err := db.QueryRowContext(t.Context(), "SELECT a, b FROM test_pair").Scan(&a, &b); err != nil {
		t.Fatal(err)
	}
	return a, b
}

func TestTheWholeDatabaseAndThenWhatChanged(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	whole, stream := s.send("")
	first, got, err := receive(t, stream, "", "")
	if err != nil || got.Changed != whole.Pages || got.Bytes != whole.Pages*int64(whole.PageSize) || got.Packed != int64(len(stream)) {
		t.Fatalf("%+v of %+v, %v", got, whole, err)
	}
	if a, b := pair(t, first); a != 0 || b != 0 {
		t.Errorf("%d, %d", a, b)
	}
	if info, err := os.Stat(first); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}

	s.exec("UPDATE test_pair SET a = 7, b = 7")
	changed, stream := s.send(whole.Stamp)
	if changed.Base != whole.Stamp || changed.Changed == 0 || changed.Changed > 3 {
		t.Errorf("one row changed: %+v", changed)
	}
	second, got, err := receive(t, stream, first, whole.Stamp)
	if err != nil || got.Changed != changed.Changed {
		t.Fatalf("%+v, %v", got, err)
	}
	if a, b := pair(t, second); a != 7 || b != 7 {
		t.Errorf("%d, %d", a, b)
	}
	if a, _ := pair(t, first); a != 0 {
		t.Error("the copy from which it was made changed")
	}
}

func TestAFileThatShrankOrGrew(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	sent, stream := s.send("")
	copied, _, err := receive(t, stream, "", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{
		"CREATE TABLE test_long AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i, randomblob(4000) FROM n",
		"DROP TABLE test_long", "VACUUM", "UPDATE test_pair SET a = 1, b = 1",
	} {
		s.exec(change)
		next, stream := s.send(sent.Stamp)
		into, got, err := receive(t, stream, copied, sent.Stamp)
		if err != nil || got.Bytes != next.Pages*int64(next.PageSize) {
			t.Fatalf("%s: %+v, %v", change, got, err)
		}
		pair(t, into)
		sent, copied = next, into
	}
}

func TestNothingIsSentWhereNothingChanged(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	s.age()
	sent, stream := s.send("")
	copied, _, err := receive(t, stream, "", "")
	if err != nil {
		t.Fatal(err)
	}
	again, stream := s.send(sent.Stamp)
	if !again.Unchanged || len(stream) > 300 {
		t.Errorf("%+v in %d bytes", again, len(stream))
	}
	into, got, err := receive(t, stream, copied, sent.Stamp)
	if err != nil || !got.Unchanged {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := os.Lstat(into); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
	if _, _, err := receive(t, stream, copied, "0123456789abcdef"); !errors.Is(err, pagestream.ErrBadStream) {
		t.Errorf("of another copy: %v", err)
	}
}

// A write in the same moment as the reading may leave sizes and times as they are, so a young stamp
// never counts as unchanged.
func TestAYoungStampIsNeverUnchanged(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	sent, _ := s.send("")
	if again, _ := s.send(sent.Stamp); again.Unchanged || again.Base != sent.Stamp || again.Changed != 0 {
		t.Errorf("%+v", again)
	}
}

func TestAnUnknownStateIsSentWhole(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newSource(t)
	for _, since := range []string{"0123456789abcdef", "../../x", "", "0123456789abcdef-01234567"} {
		sent, stream := s.send(since)
		if _, _, err := receive(t, stream, "", ""); err != nil || sent.Base != "" || sent.Changed != sent.Pages {
			t.Errorf("since %q: %+v, %v", since, sent, err)
		}
	}
}

func TestOnlyTheNewestStatesAreKept(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newSource(t)
	for i := range 7 {
		s.exec(fmt.Sprintf("UPDATE test_pair SET a = %d, b = %d", i, i))
		s.send("")
	}
	if kept, err := os.ReadDir(s.folder); err != nil || len(kept) != 4 {
		t.Errorf("%d, %v", len(kept), err)
	}
}

// TestACutOrChangedStreamMakesNoFile cuts a stream off at many bytes and changes others.
func TestACutOrChangedStreamMakesNoFile(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	base, stream := s.send("")
	copied, _, err := receive(t, stream, "", "")
	if err != nil {
		t.Fatal(err)
	}
	s.exec("UPDATE test_pair SET a = 1, b = 1")
	_, stream = s.send(base.Stamp)
	into := filepath.Join(t.TempDir(), "copy.db")
	how := pagestream.Receiving{Base: copied, BaseStamp: base.Stamp}
	check := func(what string, stream []byte) {
		_, err := pagestream.Receive(t.Context(), bytes.NewReader(stream), into, how)
		if err == nil {
			t.Errorf("%s: taken", what)
		}
		if _, err := os.Lstat(into); err == nil {
			t.Fatalf("%s: a file was made", what)
		}
	}
	for end := range stream {
		check(fmt.Sprintf("cut off at %d of %d", end, len(stream)), stream[:end])
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		at, bit := random.IntN(len(stream)), byte(1)<<random.IntN(8)
		other := bytes.Clone(stream)
		other[at] ^= bit
		if _, err := pagestream.Receive(t.Context(), bytes.NewReader(other), into, how); err == nil {
			// A byte of zstd's frame header may mean nothing; then the file has to be right.
			if a, _ := pair(t, into); a != 1 {
				t.Errorf("byte %d, bit %d: another file was made", at, bit)
			}
			_ = os.Remove(into)
		}
	}
	check("more behind the end", append(bytes.Clone(stream), stream...))
	how.MaxBytes = base.Pages*int64(base.PageSize) - 1
	if _, err := pagestream.Receive(t.Context(), bytes.NewReader(stream), into, how); !errors.Is(err, pagestream.ErrTooLarge) {
		t.Errorf("larger than allowed: %v", err)
	}
	how = pagestream.Receiving{Base: copied, BaseStamp: "00112233445566778899"}
	check("of another base", stream)
}

func TestTextInPlaceOfAStreamIsNamed(t *testing.T) {
	t.Parallel()
	_, _, err := receive(t, []byte("Welcome to build-7!\n"), "", "")
	var start *pagestream.StartError
	if !errors.As(err, &start) || start.Start == "" || !errors.Is(err, pagestream.ErrBadStream) {
		t.Errorf("%v", err)
	}
}

// TestEachCopyIsAStateThatTheSourceHad sends while another connection changes two values at once.
func TestEachCopyIsAStateThatTheSourceHad(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		for i := int64(1); ctx.Err() == nil; i++ {
			if _, err := s.writer.ExecContext(context.Background(), "UPDATE test_pair SET a = ?1, b = ?1", i); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	var base, stamp string
	for range 20 {
		pr, pw := io.Pipe()
		db := testdb.Open(t, s.path)
		go func() {
			_, err := pagestream.Send(t.Context(), db, pagestream.Sending{Since: stamp, Folder: s.folder}, pw)
			_ = pw.CloseWithError(err)
		}()
		into := filepath.Join(t.TempDir(), "copy.db")
		got, err := pagestream.Receive(t.Context(), pr, into, pagestream.Receiving{Base: base, BaseStamp: stamp})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := pair(t, into); a != b {
			t.Fatalf("half of a write: %d, %d", a, b)
		}
		base, stamp = into, got.Stamp
	}
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestACancelledCopyLeavesNothing(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	_, stream := s.send("")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	folder := t.TempDir()
	_, err := pagestream.Receive(ctx, bytes.NewReader(stream), filepath.Join(folder, "copy.db"), pagestream.Receiving{})
	if left, _ := os.ReadDir(folder); err == nil || len(left) > 0 {
		t.Errorf("%v, %v", err, left)
	}
}
