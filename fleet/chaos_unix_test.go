//go:build unix

package fleet_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/fleet"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

var pulls = flag.Int("pulls", 40, "how often TestEveryCopyIsAState fetches a copy")

// liveWriter changes a database as a host would, without a pause worth mentioning: each of its transactions writes its number in
// several tables and many pages.
type liveWriter struct {
	at    atomic.Int64 // The newest transaction.
	stop  context.CancelFunc
	ended chan error
}

const (
	blobTimes = 4000 // How often a number stands in the large row.
	logRows   = 50
)

func startWriter(t *testing.T, database string) *liveWriter {
	t.Helper()
	db, err := sql.Open("sqlite", data.FileURI(database, "_pragma=busy_timeout(10000)&_pragma=synchronous(off)"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(t.Context(), `CREATE TABLE test_pair (a INTEGER, b INTEGER); INSERT INTO test_pair VALUES (0, 0);
		CREATE TABLE test_log (n INTEGER PRIMARY KEY); CREATE TABLE test_blob (x TEXT); INSERT INTO test_blob VALUES ('')`); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	w := &liveWriter{stop: stop, ended: make(chan error, 1)}
	step := fmt.Sprintf(`BEGIN; UPDATE test_pair SET a = ?1; INSERT INTO test_log VALUES (?1); DELETE FROM test_log WHERE n <= ?1 - %d;
		UPDATE test_blob SET x = replace(hex(zeroblob(%d)), '00', ?1 || ','); UPDATE test_pair SET b = ?1; COMMIT`, logRows, blobTimes)
	go func() {
		for i := int64(1); ctx.Err() == nil; i++ {
			w.at.Store(i) // Before the commit: a copy is never newer than this.
			if _, err := db.ExecContext(context.WithoutCancel(ctx), step, i); err != nil {
				w.ended <- err
				return
			}
			time.Sleep(8 * time.Millisecond)
		}
		w.ended <- nil
	}()
	return w
}

// checkState fails unless a copy is what the database was after one of its transactions, and returns which.
func checkState(t *testing.T, path string) (state int64) {
	t.Helper()
	db, err := sql.Open("sqlite", data.FileURI(path, "mode=ro&immutable=1"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var a, b, rows, newest int64
	var blob string
	err = db.QueryRowContext(t.Context(), "SELECT a, b, (SELECT count(*) FROM test_log), coalesce((SELECT max(n) FROM test_log), 0), (SELECT x FROM test_blob) FROM test_pair").Scan(&a, &b, &rows, &newest, &blob)
	switch {
	case err != nil:
		t.Fatalf("%s: %v", path, err)
	case a != b, newest != a, rows != min(a, logRows), a > 0 && blob != strings.Repeat(strconv.FormatInt(a, 10)+",", blobTimes):
		t.Fatalf("%s is no state of its source: %d, %d, %d rows up to %d, %.40q", path, a, b, rows, newest, blob)
	}
	return a
}

// chaos fetches copies while things go wrong.
type chaos struct {
	*machines
	writer *liveWriter
	disk   string // Of the store; empty where it can't be filled.
	last   int64  // The state of the newest copy.
	counts map[string]int
}

// pullWith fetches a copy during which something goes wrong, and checks what is there then.
func (c *chaos) pullWith(fault string, rng *rand.Rand) {
	c.t.Helper()
	kind, _, _ := strings.Cut(fault, " ")
	path := filepath.Join(c.folder, "box", faultFile)
	switch kind {
	case "die", "cut", "fill":
		c.write("box/"+faultFile, fault)
		defer os.Remove(path)
	}
	var p fleet.Pulled
	if kind == "kill" {
		p = c.pullAndKill(time.Duration(rng.IntN(120)) * time.Millisecond)
	} else {
		p = c.pull("box")
	}
	if kind == "fill" {
		_ = os.Remove(strings.TrimPrefix(fault, "fill "))
	}
	ended := "failed"
	switch {
	case p.Err == nil && p.Error == "" && p.Name != "":
		ended = "came"
	case p.Name == "":
		ended = "killed"
	}
	c.counts[kind+" "+ended]++
	if kind == "none" && p.Err != nil {
		c.t.Fatalf("nothing went wrong, but: %v", p.Err)
	}
	t, err := c.store.Get("box")
	if err != nil {
		c.t.Fatal(err)
	}
	if t.Newest == nil {
		if ended == "came" {
			c.t.Fatal("a copy came, and there is none")
		}
		return
	}
	before := c.last
	c.last = checkState(c.t, c.copyOf("box"))
	if c.last < before || c.last > c.writer.at.Load() || ended == "failed" && c.last != before {
		c.t.Fatalf("%s %s: the copy has state %d, the one before %d, the source %d: %v", fault, ended, c.last, before, c.writer.at.Load(), p.Err)
	}
	if t.Previous != nil {
		checkState(c.t, filepath.Join(c.store.Folder, "box", t.Previous.File))
	}
}

// pullAndKill fetches a copy in a process that is killed after a while, unless it ends before.
func (c *chaos) pullAndKill(after time.Duration) (p fleet.Pulled) {
	c.t.Helper()
	program, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	var printed bytes.Buffer
	cmd := exec.CommandContext(c.t.Context(), program)
	cmd.Env = append(os.Environ(), "FLEET_TEST_PULL="+filepath.Dir(c.store.Folder), "FLEET_TEST_SSH="+c.o.SSH)
	cmd.Stdout, cmd.SysProcAttr = &printed, &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	defer time.AfterFunc(after, func() { _ = cmd.Process.Kill() }).Stop()
	_ = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // Its ssh may be there still; the next fault isn't meant for that.
	_ = json.Unmarshal(printed.Bytes(), &p)             // Nothing was printed where it was killed.
	return p
}

// TestEveryCopyIsAState: whatever is killed, cut or full, each copy is one that the source was after one of its transactions;
// copies only go forward, and nothing else stays in the folder.
func TestEveryCopyIsAState(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachines(t)
	c := &chaos{machines: m, counts: map[string]int{}}
	if os.Getuid() == 0 {
		c.disk = testdb.Disk(t, 72<<20)
		m.store = fleet.Below(c.disk, nil)
	}
	c.writer = startWriter(t, m.add("box"))
	rng := rand.New(rand.NewPCG(2026, 11))
	for range *pulls {
		fault := "none"
		switch n := rng.IntN(20); {
		case n < 3:
			fault = fmt.Sprintf("die %d", 1+rng.IntN(64<<rng.IntN(8))) // Streams are short where little changed.
		case n < 7:
			fault = fmt.Sprintf("cut %d", 1+rng.IntN(64<<rng.IntN(8)))
		case n < 10:
			fault = "kill"
		case n < 12 && c.disk != "":
			fault = "fill " + filepath.Join(c.disk, "full")
		}
		c.pullWith(fault, rng)
	}
	c.pullWith("none", rng)
	c.writer.stop()
	if err := <-c.writer.ended; err != nil {
		t.Fatal(err)
	}
	if c.pullWith("none", rng); c.last != c.writer.at.Load() {
		t.Errorf("the last copy has state %d, its source %d", c.last, c.writer.at.Load())
	}
	found, err := os.ReadDir(filepath.Dir(m.copyOf("box")))
	if err != nil || len(found) > 7 {
		t.Errorf("what stays: %v, %v", found, err)
	}
	t.Logf("%d pulls, %d transactions: %v", *pulls+2, c.writer.at.Load(), c.counts)
}
