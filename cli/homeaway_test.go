package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
)

// TestAServerThatIsAwayIsAskedOnce: of commands on a file, one waits for the server that the environment names, and the next ones
// don't ask it again for a minute, whatever the clock said before.
func TestAServerThatIsAwayIsAskedOnce(t *testing.T) {
	t.Parallel()
	server, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var asked atomic.Int64
	go func() {
		for {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			asked.Add(1)
			_ = conn.Close()
		}
	}()
	folder := t.TempDir()
	env := map[string]string{"HOME": folder, "LCM_DATABASE_URL": "postgres://me@" + server.Addr().String() + "/lcm?sslmode=disable"}
	place := filepath.Join(folder, ".openclaw", "lcm.db") // Where it is found unnamed.
	testdb.Must(t, os.Mkdir(filepath.Dir(place), 0o700))
	testdb.Must(t, os.Rename(testdb.Sample(t, fakehost.Head), place))
	count := func() int64 {
		exit, out, errs := testcli.RunIn(t, env, "conversations")
		if exit != 0 || !strings.Contains(out, "active") {
			t.Fatalf("exit %d: %s%s", exit, out, errs)
		}
		// Connections are taken in their order: once this one is, those of the command are.
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Addr().String())
		testdb.Must(t, err)
		defer conn.Close()
		_, _ = conn.Read(make([]byte, 1))
		return asked.Add(-1)
	}
	first := count()
	if first == 0 {
		t.Error("the server wasn't asked")
	}
	if again := count(); again != first {
		t.Errorf("the second command asked the server %d times more", again-first)
	}
	notes, _ := filepath.Glob(filepath.Join(folder, ".local", "state", "lcm-tui", "home-*.away"))
	if len(notes) != 1 {
		t.Fatalf("what is known of the server: %q", notes)
	}
	ahead := time.Now().Add(24 * time.Hour) // The clock was set back since.
	testdb.Must(t, os.Chtimes(notes[0], ahead, ahead))
	if later := count(); later == first {
		t.Error("the server isn't asked before the time of a note that a wrong clock has written")
	}
}
