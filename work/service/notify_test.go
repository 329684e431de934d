package service

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSystemdIsTold that the service is ready, how it is, that it is alive, and that it ends.
func TestSystemdIsTold(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told []string
	alive := make(chan bool, 100)
	n := newNotifier(time.Millisecond, func(s string) {
		mu.Lock()
		defer mu.Unlock()
		if s == "WATCHDOG=1" {
			select {
			case alive <- true:
			default:
			}
			return
		}
		told = append(told, s)
	})
	n.Ready(Status{State: Idle, Queue: 2})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { n.Watch(ctx); close(ended) }()
	<-alive
	<-alive
	cancel()
	<-ended
	n.Stopping()
	if got := strings.Join(told, "|"); got != "READY=1\nSTATUS=idle, 2 jobs wait|STOPPING=1" {
		t.Errorf("%q", got)
	}
}

// TestTheWatchdogIsNotToldOfAPassThatStands.
func TestTheWatchdogIsNotToldOfAPassThatStands(t *testing.T) {
	t.Parallel()
	told := 0
	n := newNotifier(time.Hour, func(string) { told++ })
	n.began = time.Now().Add(-2 * mostSilence)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n.Watch(ctx); told != 0 {
		t.Errorf("told %d times", told)
	}
	n.Progress()
	if n.Watch(ctx); told != 1 {
		t.Errorf("told %d times", told)
	}
}

// TestNobodyWantsToKnow: without systemd nothing is told.
func TestNobodyWantsToKnow(t *testing.T) {
	t.Parallel()
	var n *Notifier
	n.Progress()
	n.Ready(Status{})
	n.Stopping()
	n.Watch(t.Context())
}
