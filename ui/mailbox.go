package ui

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// mailbox holds the newest message of a job: a report replaces one that nobody
// has read, and nothing replaces the result.
type mailbox struct {
	mu    sync.Mutex
	out   chan tea.Msg
	ended chan struct{}
	shut  bool
}

func newMailbox() *mailbox {
	return &mailbox{out: make(chan tea.Msg, 1), ended: make(chan struct{})}
}

func (m *mailbox) put(msg tea.Msg) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shut { // A goroutine that the work left behind.
		return
	}
	select {
	case <-m.out:
	default:
	}
	m.out <- msg
}

func (m *mailbox) putLast(msg tea.Msg) {
	m.put(msg)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shut = true
	close(m.ended)
}

// pause waits for d or the end of the job, and reports whether it ended.
func (m *mailbox) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-m.ended:
		return true
	case <-t.C:
		return false
	}
}
