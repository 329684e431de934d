package service

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"lcm-tui/internal/plural"
)

// Notifier tells systemd how the service is, where systemd started it and wants to know. A nil one tells nobody.
type Notifier struct {
	tell     func(state string)
	every    time.Duration // 0 is no watchdog.
	progress atomic.Int64  // When something went on last, in nanoseconds since the notifier began.
	began    time.Time
}

// NewNotifier returns that of this process.
func NewNotifier() *Notifier {
	every, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		every = 0 // What isn't understood isn't wanted.
	}
	return newNotifier(every, func(state string) {
		_, _ = daemon.SdNotify(false, state) // Where nothing arrives, systemd starts the service again.
	})
}

func newNotifier(every time.Duration, tell func(string)) *Notifier {
	return &Notifier{tell: tell, every: every, began: time.Now()}
}

// Progress notes that something went on.
func (n *Notifier) Progress() {
	if n != nil {
		n.progress.Store(int64(time.Since(n.began)))
	}
}

// Ready tells that the service works, and how it is.
func (n *Notifier) Ready(s Status) {
	if n == nil {
		return
	}
	n.Progress()
	n.tell(fmt.Sprintf("%s\nSTATUS=%s, %s", daemon.SdNotifyReady, s.State, plural.Count(s.Queue, "job waits", "jobs wait")))
}

// Stopping tells that the service ends.
func (n *Notifier) Stopping() {
	if n != nil {
		n.tell(daemon.SdNotifyStopping)
	}
}

// mostSilence is for how long a pass may show no progress: as long as a slow model takes with all its tries.
const mostSilence = 30 * time.Minute

// Watch tells the watchdog that the service is alive, as long as it is, until the context is cancelled.
func (n *Notifier) Watch(ctx context.Context) {
	if n == nil || n.every <= 0 {
		return
	}
	ticks := time.NewTicker(n.every / 2)
	defer ticks.Stop()
	for {
		if time.Since(n.began)-time.Duration(n.progress.Load()) < mostSilence {
			n.tell(daemon.SdNotifyWatchdog)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
	}
}
