package terminal

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// ErrExited says that the program ended while something was expected of it.
var ErrExited = errors.New("the program ended")

// Terminal is a running program and its screen. Its methods are for one
// goroutine.
type Terminal struct {
	ended func() error
	cmd   *exec.Cmd
	file  *os.File
	emu   *vt.Emulator
	done  chan struct{} // closed when there is no more output

	mu      sync.Mutex
	screen  Screen
	news    chan struct{} // Closed and replaced with each output.
	output  time.Time     // of the last output, whether or not it showed
	started time.Time
	pressed time.Time // of the last key
	first   time.Time // first change of the screen since then
	last    time.Time // last change of the screen since then
}

// Colours of a dark terminal, which the program may ask for.
var (
	Background = color.RGBA{0x14, 0x17, 0x1c, 0xff}
	Foreground = color.RGBA{0xd0, 0xd4, 0xda, 0xff}
)

// Start runs a program on a terminal of that many columns and rows, with true
// colours and a dark background. The environment of cmd is kept but for TERM,
// COLORTERM and NO_COLOR.
func Start(cmd *exec.Cmd, cols, rows int) (*Terminal, error) {
	env := cmd.Env
	if env == nil {
		env = os.Environ()
	}
	cmd.Env = append(without(env, "NO_COLOR"), "TERM=xterm-256color", "COLORTERM=truecolor")
	emu := vt.NewEmulator(cols, rows)
	emu.SetDefaultBackgroundColor(Background)
	emu.SetDefaultForegroundColor(Foreground)
	now := time.Now()
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		return nil, fmt.Errorf("start %s on a terminal: %w", cmd.Path, err)
	}
	t := &Terminal{
		cmd: cmd, file: file, emu: emu, done: make(chan struct{}), news: make(chan struct{}),
		screen: capture(emu), started: now, pressed: now, output: now,
	}
	t.ended = sync.OnceValue(cmd.Wait) // Two that wait for one process would wait forever.
	go io.Copy(file, emu)              //nolint:errcheck // answers to the program's questions; it may be gone
	go t.follow()
	return t, nil
}

func without(env []string, name string) (out []string) {
	for _, e := range env {
		if len(e) > len(name) && e[:len(name)+1] == name+"=" {
			continue
		}
		out = append(out, e)
	}
	return out
}

// follow feeds the emulator until the program is gone.
func (t *Terminal) follow() {
	defer close(t.done)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.file.Read(buf)
		if n > 0 {
			t.show(buf[:n], time.Now())
		}
		if err != nil {
			return
		}
	}
}

// show takes in a piece of output that came at a certain time.
func (t *Terminal) show(b []byte, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.emu.Write(b) //nolint:errcheck // a terminal that is not closed takes everything
	t.output = at
	if s := capture(t.emu); !s.equal(t.screen) {
		t.screen, t.last = s, at
		if t.first.IsZero() {
			t.first = at
		}
	}
	close(t.news)
	t.news = make(chan struct{})
}

// PID returns the number of the process.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// Wait waits until the program has ended; its error is that of exec.Cmd.Wait. Several may wait.
func (t *Terminal) Wait() error { return t.ended() }

// Screen returns what stands there now.
func (t *Terminal) Screen() Screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen
}

// Press sends one key as Keys has read it, and starts the clock of Response.
func (t *Terminal) Press(key string) error {
	t.mu.Lock()
	t.first, t.last = time.Time{}, time.Time{}
	t.pressed = time.Now()
	t.output = t.pressed
	t.mu.Unlock()
	if _, err := io.WriteString(t.file, key); err != nil {
		return fmt.Errorf("press %q: %w", key, err)
	}
	return nil
}

// Response tells how long after the last key, or after the start, the screen
// changed for the first and for the last time; ok is false while it has not.
func (t *Terminal) Response() (first, last time.Duration, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first.IsZero() {
		return 0, 0, false
	}
	return t.first.Sub(t.pressed), t.last.Sub(t.pressed), true
}

// Changed waits until the screen has changed since the last key, and reports
// whether it did so within that time.
func (t *Terminal) Changed(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := t.Until(ctx, func(Screen) bool {
		_, _, ok := t.Response()
		return ok
	})
	return err == nil
}

// Until waits until the screen is as wanted and returns how long after the
// start that was.
func (t *Terminal) Until(ctx context.Context, wanted func(Screen) bool) (time.Duration, error) {
	for {
		t.mu.Lock()
		news, screen, at := t.news, t.screen, t.output
		t.mu.Unlock()
		if wanted(screen) {
			return at.Sub(t.started), nil
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("wait for the screen: %w", ctx.Err())
		case <-news:
		case <-t.done:
			if s := t.Screen(); !wanted(s) {
				return 0, fmt.Errorf("wait for the screen: %w", ErrExited)
			}
		}
	}
}

// Settle waits until there was no output for that long. A program that ends is
// settled.
func (t *Terminal) Settle(ctx context.Context, quiet time.Duration) error {
	for {
		t.mu.Lock()
		left := quiet - time.Since(t.output)
		t.mu.Unlock()
		if left <= 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for a quiet screen: %w", ctx.Err())
		case <-t.done:
			return nil
		case <-time.After(left):
		}
	}
}

// HangUp takes the terminal away from the program, as closing its window does.
func (t *Terminal) HangUp() error {
	if err := t.file.Close(); err != nil {
		return fmt.Errorf("hang up: %w", err)
	}
	return nil
}

// Close ends the program without asking it and frees the terminal.
func (t *Terminal) Close() error {
	t.cmd.Process.Kill() //nolint:errcheck // it may have ended by itself
	t.Wait()             //nolint:errcheck // killed is what it's meant to be
	err := t.file.Close()
	<-t.done
	// The pipe is closed, not the emulator, which would race with its reader.
	if p, ok := t.emu.InputPipe().(io.Closer); ok {
		err = errors.Join(err, p.Close())
	}
	return err
}
