package work_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/work"
)

// TestLocks: one process has the lock of a conversation. Others are refused, and are given who has it; they get it
// when it is given back. Another conversation is free.
func TestLocks(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), "/somewhere/lcm.db"
	l := work.Locks{State: t.TempDir()}
	testdb.Must(t, l.Check(ctx, path, []int64{7}))
	release, err := l.Take(ctx, path, 7)
	testdb.Must(t, err)
	for name, tried := range map[string]func() error{
		"take":  func() error { _, err := l.Take(ctx, path, 7); return err },
		"check": func() error { return l.Check(ctx, path, []int64{6, 7}) },
	} {
		var busy *ops.BusyError
		if err := tried(); !errors.As(err, &busy) || !errors.Is(err, ops.ErrBusy) || busy.Conversation != 7 || busy.PID != os.Getpid() || busy.Program == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	testdb.Must(t, l.Check(ctx, path, []int64{8}))
	testdb.Must(t, l.Check(ctx, "/elsewhere/lcm.db", []int64{7}))
	time.AfterFunc(50*time.Millisecond, release)
	waiting := work.Locks{State: l.State, Wait: time.Minute}
	again, err := waiting.Take(ctx, path, 7)
	testdb.Must(t, err)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := waiting.Take(cancelled, path, 7); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	again()
	testdb.Must(t, l.Check(ctx, path, []int64{7}))
	if left, _ := filepath.Glob(filepath.Join(l.State, "*", "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestOnlyOneHasALock, however many try to take it while it is given back again and again.
func TestOnlyOneHasALock(t *testing.T) {
	t.Parallel()
	l := work.Locks{State: t.TempDir(), Wait: time.Minute}
	var having atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 25 {
				release, err := l.Take(t.Context(), "/a/lcm.db", 1)
				if err != nil || having.Add(1) != 1 {
					t.Errorf("%d have it: %v", having.Load(), err)
					return
				}
				having.Add(-1)
				release()
			}
		})
	}
	all.Wait()
}
