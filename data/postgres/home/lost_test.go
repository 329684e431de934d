package home_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"lcm-tui/data/postgres/home"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testpostgres"
)

// often returns how often a test does something: less where LCM_TEST_ALL isn't set.
func often(usually, whole int) int {
	if os.Getenv("LCM_TEST_ALL") != "" {
		return whole
	}
	return usually
}

// TestKilledBackends: the server ends connections at any moment. What was answered as written is there once, and what failed isn't.
func TestKilledBackends(t *testing.T) {
	t.Parallel()
	kills := often(15, 100)
	address := testhome.New(t)
	begun(t, testhome.Open(t, address), 2)
	killer, err := pgx.Connect(t.Context(), address+"&application_name=killer")
	if err != nil {
		t.Fatal(err)
	}
	defer killer.Close(context.Background())
	var all sync.WaitGroup
	ended := make(chan struct{})
	texts := sync.Map{}
	var failed atomic.Int64
	for n := range 4 {
		db := testhome.Open(t, address)
		all.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-ended:
					return
				default:
				}
				text := fmt.Sprintf("message %d of %d", i, n)
				if _, err := appendMessage(t.Context(), db, int64(n%2+1), text); err != nil {
					failed.Add(1)
				} else {
					texts.Store(text, true)
				}
			}
		})
	}
	killed := 0
	for until := time.Now().Add(20 * time.Second); killed < kills && time.Now().Before(until); {
		var ok bool
		const query = "SELECT coalesce(bool_or(pg_terminate_backend(pid)), false) FROM (SELECT pid FROM pg_stat_activity WHERE application_name = 'lcm-tui' AND datname = current_database() ORDER BY random() LIMIT 1) AS one"
		if err := killer.QueryRow(t.Context(), query).Scan(&ok); err != nil {
			t.Fatal(err)
		}
		if ok {
			killed++
		}
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
	}
	close(ended)
	all.Wait()
	want := map[string]bool{}
	texts.Range(func(text, _ any) bool { want[text.(string)] = true; return true })
	checkWhole(t, testhome.Open(t, address), want)
	t.Logf("%d connections ended, %d messages written, %d failed", killed, len(want), failed.Load())
	if killed < kills/2 || len(want) == 0 {
		t.Error("too little has happened")
	}
}

// cutter stands between the program and the server, and cuts the connection at COMMIT.
type cutter struct {
	// cut says what becomes of the next COMMIT.
	cut atomic.Int32
	// done counts what was cut.
	done atomic.Int32
	// away says that the server takes no connections any more.
	away atomic.Bool
}

// What becomes of a COMMIT.
const (
	passed  = iota
	unsent  // It never comes to the server.
	unheard // The server's answer never comes back.
)

// startCutter returns a cutter, and the address of the home through it.
func startCutter(t *testing.T, address string) (c *cutter, through string) {
	t.Helper()
	c = &cutter{}
	return c, testpostgres.Between(t, address, c.serve)
}

// serve passes on what comes, until a COMMIT is to be cut.
func (c *cutter) serve(client, server net.Conn) {
	if c.away.Load() {
		return
	}
	var deaf atomic.Bool
	answered := make(chan struct{}, 1)
	go func() {
		b := make([]byte, 64<<10)
		for {
			n, err := server.Read(b)
			if deaf.Load() {
				answered <- struct{}{}
				return
			}
			if _, failed := client.Write(b[:n]); err != nil || failed != nil {
				_ = client.Close()
				return
			}
		}
	}()
	b := make([]byte, 64<<10)
	for {
		n, err := client.Read(b)
		if err != nil {
			return
		}
		if bytes.Contains(b[:n], []byte(";COMMIT")) {
			switch c.cut.Swap(passed) {
			case unsent:
				c.done.Add(1)
				return
			case unheard:
				c.done.Add(1)
				deaf.Store(true)
				_, _ = server.Write(b[:n])
				<-answered
				return
			}
		}
		if _, err := server.Write(b[:n]); err != nil {
			return
		}
	}
}

// TestAnswersOfCommitThatAreCutOff: the program finds out what became of the COMMIT by its batch key: nothing is written twice, and
// nothing is lost.
func TestAnswersOfCommitThatAreCutOff(t *testing.T) {
	t.Parallel()
	address := testhome.New(t)
	begun(t, testhome.Open(t, address), 1)
	c, through := startCutter(t, address)
	db := testhome.Open(t, through)
	want := map[string]bool{}
	for i := range often(6, 30) {
		c.cut.Store([]int32{unsent, unheard, unheard}[i%3])
		text := fmt.Sprint("message ", i)
		again, err := appendMessage(t.Context(), db, 1, text)
		if err != nil || again != 0 {
			t.Fatalf("message %d: planned again %d times, %v", i, again, err)
		}
		want[text] = true
	}
	if n := c.done.Load(); int(n) != len(want) {
		t.Errorf("%d answers were cut off", n)
	}
	checkWhole(t, testhome.Open(t, address), want)
}

// TestTheServerGoesAwayDuringCommit: where nobody can be asked, the error says that the outcome isn't known, and under which key it
// can be found.
func TestTheServerGoesAwayDuringCommit(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testhome.New(t)
	begun(t, testhome.Open(t, address), 1)
	c, through := startCutter(t, address)
	db := testhome.Open(t, through)
	c.cut.Store(unheard)
	go func() {
		for c.done.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		c.away.Store(true)
	}()
	_, err := appendMessage(t.Context(), db, 1, "the last one")
	if !errors.Is(err, home.ErrUnknownOutcome) {
		t.Errorf("got %v", err)
	}
	checkWhole(t, testhome.Open(t, address), map[string]bool{"the last one": true})
}
