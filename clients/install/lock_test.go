package install_test

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lcm-tui/clients/install"
)

// TestStaleLockIsTakenByOne: many find a lock that was left behind, and only one at a time has the
// lock from then on.
func TestStaleLockIsTakenByOne(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.json")
	for range 50 {
		old := time.Now().Add(-time.Minute)
		if err := os.Mkdir(path+".lock", 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path+".lock", old, old); err != nil {
			t.Fatal(err)
		}
		var holders atomic.Int32
		var waiting sync.WaitGroup
		for range 6 {
			waiting.Go(func() {
				unlock, err := install.Lock(path, 10*time.Second)
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders.Add(1); n > 1 {
					t.Errorf("%d have the lock", n)
				}
				time.Sleep(time.Millisecond)
				holders.Add(-1)
				unlock()
			})
		}
		waiting.Wait()
		if t.Failed() {
			return
		}
	}
}
