package service

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMessagesToSystemd: the service is ready, how it is, that it is alive, and that it ends.
func TestMessagesToSystemd(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var sent []string
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
		sent = append(sent, s)
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
	if got := strings.Join(sent, "|"); got != "READY=1\nSTATUS=idle, 2 jobs wait|STOPPING=1" {
		t.Errorf("%q", got)
	}
}

// TestAPassThatStandsIsNoSignOfLife.
func TestAPassThatStandsIsNoSignOfLife(t *testing.T) {
	t.Parallel()
	sent := 0
	n := newNotifier(time.Hour, func(string) { sent++ })
	n.began = time.Now().Add(-2 * mostSilence)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n.Watch(ctx); sent != 0 {
		t.Errorf("sent %d times", sent)
	}
	n.Progress()
	if n.Watch(ctx); sent != 1 {
		t.Errorf("sent %d times", sent)
	}
}

// TestNobodyWantsToKnow: without systemd nothing is sent.
func TestNobodyWantsToKnow(t *testing.T) {
	t.Parallel()
	var n *Notifier
	n.Progress()
	n.Ready(Status{})
	n.Stopping()
	n.Watch(t.Context())
}
