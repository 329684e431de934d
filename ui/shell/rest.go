package shell

import (
	"bytes"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// restMark stands in the output where nothing more is to be painted for now. It is a command that a
// terminal would ignore, and Rest keeps it back.
const restMark = "\x1b_lcm-tui rest\x1b\\"

const (
	// settled is how long nothing has to happen before the program rests: some frames, each of which
	// wakes the processor.
	settled = 60 * time.Millisecond
	// longestRest is how long the painter waits at most: a terminal that is closed without a signal
	// brings no message.
	longestRest = 10 * time.Second
)

// Rest is a terminal to which Bubble Tea paints. Bubble Tea looks 60 times a second for something to
// paint, which wakes the processor also where nothing happens for hours. A mark in the output holds
// its painter in Write until the next message.
//
// The painter writes what it was sent, such as the mark, before it paints the window. So the
// first mark only asks for a second one: what was drawn before is painted between the two, however
// late the painter is. While the painter waits, Bubble Tea can't take another mark, and neither a key
// behind it. So there is never more than one on its way.
type Rest struct {
	*os.File
	sendMark func()

	mu      sync.Mutex
	armed   bool          // No message came since the rest was asked for.
	painted bool          // Nor anything to paint since the painter was there last.
	sent    bool          // A mark is on its way to the painter.
	woken   chan struct{} // Closed by the message that ends a rest.
}

// NewRest returns a rest for a terminal.
func NewRest(terminal *os.File) *Rest { return &Rest{File: terminal, sendMark: func() {}} }

// Terminal returns the terminal itself, for a program that has it while the screens stand aside.
func (r *Rest) Terminal() *os.File { return r.File }

// Resumes says how another mark is asked for: by sending a message.
func (r *Rest) Resumes(send func(tea.Msg)) {
	r.sendMark = func() { send(tea.RawMsg{Msg: restMark}) }
}

// Filter returns a filter for tea.WithFilter: each message ends the rest before it is handled.
func (r *Rest) Filter(m tea.Model, msg tea.Msg) tea.Msg {
	if !isRestMark(msg) {
		r.wake()
	}
	return DropMouseMotion(m, msg)
}

// isRestMark reports whether a message puts the mark into the output.
func isRestMark(msg tea.Msg) bool {
	raw, ok := msg.(tea.RawMsg)
	return ok && raw.Msg == restMark
}

// wake ends the rest, and the one that was asked for.
func (r *Rest) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.armed {
		r.armed, r.painted = false, false
		close(r.woken)
	}
}

// begin returns the command that begins a rest, or nil where a mark is on its way already.
func (r *Rest) begin() tea.Cmd {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.armed {
		r.armed, r.woken = true, make(chan struct{})
	}
	if r.sent {
		return nil
	}
	r.sent = true
	return tea.Raw(restMark)
}

// Write implements io.Writer.
func (r *Rest) Write(b []byte) (int, error) {
	painted := bytes.ReplaceAll(b, []byte(restMark), nil)
	if len(painted) > 0 {
		if n, err := r.File.Write(painted); err != nil {
			return n, err
		}
	}
	if len(painted) < len(b) {
		r.wait()
	}
	return len(b), nil
}

// wait returns with the next message. Where something may be left to paint, it returns at once.
func (r *Rest) wait() {
	r.mu.Lock()
	armed, painted, woken := r.armed, r.painted, r.woken
	r.painted, r.sent = armed, armed && !painted
	r.mu.Unlock()
	if !armed {
		return
	}
	if !painted {
		go r.sendMark() // The update loop may wait for the painter.
		return
	}
	longest := time.NewTimer(longestRest)
	defer longest.Stop()
	select {
	case <-woken:
	case <-longest.C:
		r.resume()
	}
}

// resume asks for another mark where no message came.
func (r *Rest) resume() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.armed && !r.sent {
		r.sent = true
		go r.sendMark()
	}
}
