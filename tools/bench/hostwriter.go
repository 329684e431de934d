package main

import (
	"fmt"
	"time"

	"lcm-tui/internal/fakehost"
)

// turnsPerSecond is how often the host commits.
const turnsPerSecond = 20

// hostWriter is a host that appends messages to one conversation.
type hostWriter struct {
	stop chan struct{}
	done chan error
	n    int
}

// startHost starts a host that writes so many messages a second into a conversation.
func startHost(path string, conversation int64, perSecond int) (*hostWriter, error) {
	host, err := fakehost.Start(path, fakehost.Defaults())
	if err != nil {
		return nil, err
	}
	w := &hostWriter{stop: make(chan struct{}), done: make(chan error, 1)}
	go func() {
		err := w.write(host, conversation, perSecond)
		if closed := host.Close(); err == nil {
			err = closed
		}
		w.done <- err
	}()
	return w, nil
}

// write appends messages until it is stopped. After a delay it catches up.
func (w *hostWriter) write(host *fakehost.Host, conversation int64, perSecond int) error {
	begun := time.Now()
	tick := time.NewTicker(time.Second / turnsPerSecond)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return nil
		case <-tick.C:
		}
		var turn []fakehost.Message
		for due := int(time.Since(begun).Seconds() * float64(perSecond)); w.n < due; w.n++ {
			turn = append(turn, fakehost.Message{Role: "assistant", Content: fmt.Sprintf("The host writes row %d while a screen is measured.", w.n)})
		}
		if _, err := host.Append(conversation, turn...); err != nil {
			return err
		}
	}
}

// close stops the host and returns how many messages it wrote.
func (w *hostWriter) close() (messages int, err error) {
	close(w.stop)
	err = <-w.done
	return w.n, err
}
