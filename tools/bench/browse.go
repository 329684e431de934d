package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"lcm-tui/internal/terminal"
)

// The keys of the script. Everything else is found by the text on the screen.
const (
	keyDown    = "down"
	keyPage    = "pgdown"
	keyFilter  = "/"
	keyEnter   = "enter"
	keyBack    = "esc"
	keyTree    = "s"
	keyContext = "c"
	keyUnfold  = "*" // Everything below the cursor.
)

// A screen has come to rest when it did not change for settleTime. Between two presses
// of a series keyPause is enough. A key that changes nothing within limit does nothing.
const (
	settleTime = 500 * time.Millisecond
	keyPause   = 60 * time.Millisecond
	limit      = 2 * time.Second
	stepLimit  = time.Minute // How long a screen may take to show what is waited for.
)

// What the first screen says of its rows: how many there are, and how many the filter leaves.
var (
	someRows     = regexp.MustCompile(`\b[1-9][\d,]* conversations?\b`)
	filteredRows = regexp.MustCompile(`\b[1-9][\d,]* of [\d,]+ `)
)

// errNotShown says that a screen did not show what is waited for. A file of another's may have nothing
// of the kind, so that what depends on it is left out of the table.
var errNotShown = errors.New("the screen did not show it")

// session is the program on a terminal, with a time limit.
type session struct {
	*terminal.Terminal
	ctx    context.Context
	cancel context.CancelFunc
}

func open(ctx context.Context, o options) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, processLimit)
	cmd := exec.CommandContext(ctx, o.bin, "--db", o.path)
	cmd.Env = []string{"HOME=" + o.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	t, err := terminal.Start(cmd, 120, 36)
	if err != nil {
		cancel()
		return nil, err
	}
	return &session{t, ctx, cancel}, nil
}

func (s *session) close() {
	s.Close() //nolint:errcheck // The measurements are taken; how it ends does not matter.
	s.cancel()
}

// rows waits for the first screen with conversations.
func (s *session) rows() (time.Duration, error) {
	return s.shows("rows", stepLimit, someRows.MatchString)
}

// shows waits until the text of the screen is as wanted and returns how long after the start that was.
func (s *session) shows(what string, within time.Duration, wanted func(string) bool) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(s.ctx, within)
	defer cancel()
	at, err := s.Until(ctx, func(sc terminal.Screen) bool { return wanted(sc.String()) })
	if err != nil && ctx.Err() != nil && s.ctx.Err() == nil {
		return 0, fmt.Errorf("%w: %s\n%s", errNotShown, what, s.Screen())
	}
	return at, err
}

// has returns a text that is wanted.
func has(text string) func(string) bool {
	return func(screen string) bool { return strings.Contains(screen, text) }
}

// play presses the keys of a script, each on a screen that has come to rest.
func (s *session) play(script string) error {
	keys, err := terminal.Keys(script)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := errors.Join(s.Press(k), s.Settle(s.ctx, keyPause)); err != nil {
			return err
		}
	}
	return s.Settle(s.ctx, settleTime)
}

// series presses a key many times and records how long each took to change the screen.
// At the end of a list a key changes nothing, and the series ends.
func (s *session) series(n *measurement, name string, times int) error {
	keys, err := terminal.Keys(name)
	if err != nil {
		return err
	}
	for range times {
		if err := s.Press(keys[0]); err != nil {
			return err
		}
		if !s.Changed(s.ctx, limit) {
			break
		}
		first, _, _ := s.Response()
		n.add(first)
		if err := s.Settle(s.ctx, keyPause); err != nil {
			return err
		}
	}
	return s.Settle(s.ctx, settleTime)
}

// find brings the cursor of the first screen to a conversation, by its session's id.
func (s *session) find(c conversation) error {
	if err := s.play(fmt.Sprintf("%s %q %s", keyFilter, c.Session, keyEnter)); err != nil {
		return err
	}
	_, err := s.shows("conversation "+c.Session, limit, filteredRows.MatchString)
	return err
}

// openScreen opens a screen and records when its rows appeared. Then it waits until the
// screen has come to rest.
func (s *session) openScreen(n *measurement, key, row string) error {
	from := time.Now()
	if err := s.Press(key); err != nil {
		return err
	}
	if _, err := s.shows(row, stepLimit, has(row)); err != nil {
		return err
	}
	n.add(time.Since(from))
	return s.Settle(s.ctx, settleTime)
}

// start measures from the start of the process to rows on the screen.
func start(ctx context.Context, o options, r *results) error {
	s, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer s.close()
	took, err := s.rows()
	if err != nil {
		return err
	}
	r.first.add(took)
	return nil
}

// browse measures the keys of one process, as a person would press them.
func browse(ctx context.Context, o options, graph, full conversation, r *results) error {
	s, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer s.close()
	if _, err := s.rows(); err != nil {
		return err
	}
	if err := s.Settle(s.ctx, settleTime); err != nil {
		return err
	}
	steps := []func() error{
		func() error { return s.series(&r.list, keyDown, o.keys) },
		func() error { return s.series(&r.listPage, keyPage, o.keys) },
		func() error { return s.find(graph) },
		func() error { return s.openScreen(&r.openTree, keyTree, "sum_") },
		func() error { return s.play(keyUnfold) },
		func() error { return s.series(&r.tree, keyDown, o.keys) },
		func() error { return s.series(&r.treePage, keyPage, o.keys) },
		func() error { return s.play(keyBack + " " + keyBack) }, // Leave the screen, then the filter.
		func() error { return s.find(full) },
		func() error { return s.openScreen(&r.openItems, keyContext, "sum_") },
		func() error { return s.series(&r.items, keyDown, o.keys) },
		func() error { return s.series(&r.itemsPage, keyPage, o.keys) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	if mib, ok := peakMemory(s.PID()); ok {
		r.memory.samples = append(r.memory.samples, mib)
	}
	return nil
}
