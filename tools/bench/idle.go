package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"lcm-tui/internal/regularfile"
	"lcm-tui/internal/terminal"
)

// idleOptions are what `idle` measures.
type idleOptions struct {
	options
	during time.Duration // Of each measurement.
	rows   int           // Messages that the host writes in a second.
}

const (
	idleSettle = 10 * time.Second // Until what a screen began is done, and it looks less often for changes.
	checkLimit = 3 * time.Minute  // How long a check of the file may take.
)

// idleScreen is a screen that is left alone, and how it is reached from the first one.
type idleScreen struct {
	what, keys, shows string
}

// idleScreens are the screens that people leave open.
var idleScreens = []idleScreen{
	{"list", "", ""},
	{"messages", keyEnter, ""},
	{"health of a conversation", keyEnter + " 5", "checked"},
	{"health of the file", "h", "checked"},
}

// measureIdle measures what screens cost that nobody uses: alone, and beside a host that writes into a
// copy of the file.
func measureIdle(ctx context.Context, o idleOptions, out io.Writer) error {
	tmp, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	o.home = tmp
	if err := o.build(ctx); err != nil {
		return err
	}
	given := o.path
	o.path = filepath.Join(tmp, "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := regularfile.Copy(ctx, given+suffix, o.path+suffix); err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	all, err := conversations(ctx, o.options)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New("the file has no conversation")
	}
	largest := slices.MaxFunc(all, func(a, b conversation) int { return cmp.Compare(a.Messages, b.Messages) })
	var lines []*measurement
	for _, writes := range []bool{false, true} {
		for _, screen := range idleScreens {
			wakeUps, cpu, err := o.measureScreen(ctx, screen, largest, writes)
			if err != nil {
				return fmt.Errorf("measure the idle %s: %w", screen.what, err)
			}
			lines = append(lines, wakeUps, cpu)
		}
	}
	fmt.Fprintf(out, "%s, %d conversations, each screen for %v; the host writes into one of %d messages\n\n", machine(), len(all), o.during, largest.Messages)
	return printTable(out, lines)
}

// measureScreen leaves a screen alone and returns how often it woke and its share of one processor
// core. The host writes already when the screen is opened.
func (o idleOptions) measureScreen(ctx context.Context, screen idleScreen, c conversation, writes bool) (wakeUps, cpu *measurement, err error) {
	wakeUps = &measurement{what: screen.what + " alone: wake-ups a second", target: "≤ 5"}
	cpu = &measurement{what: screen.what + " alone: processor", unit: "%"}
	if writes {
		wakeUps.what, wakeUps.target = screen.what+" beside a host: wake-ups a second", ""
		cpu.what, cpu.target = screen.what+" beside a host: processor", "≤ 8 %"
		host, err := startHost(o.path, c.ID, o.rows)
		if err != nil {
			return nil, nil, err
		}
		begun := time.Now()
		defer func() {
			n, closed := host.close()
			if wanted := int(time.Since(begun).Seconds()) * o.rows; n < wanted*9/10 {
				fmt.Fprintf(os.Stderr, "the host wrote only %d messages of %d\n", n, wanted)
			}
			err = errors.Join(err, closed)
		}()
	}
	s, err := open(ctx, o.options)
	if err != nil {
		return nil, nil, err
	}
	defer s.close()
	if err := s.leaveAt(screen, c); err != nil {
		return nil, nil, err
	}
	err = o.sample(s, wakeUps, cpu)
	return wakeUps, cpu, err
}

// leaveAt opens a screen and waits until it has nothing more to do.
func (s *session) leaveAt(screen idleScreen, c conversation) error {
	if _, err := s.rows(); err != nil {
		return err
	}
	if err := s.Settle(s.ctx, settleTime); err != nil {
		return err
	}
	if err := s.find(c); err != nil {
		return err
	}
	if err := s.play(screen.keys); err != nil {
		return err
	}
	if screen.shows != "" {
		if _, err := s.shows(screen.shows, checkLimit, has(screen.shows)); err != nil {
			return err
		}
	}
	time.Sleep(idleSettle)
	return nil
}

// sampled is the time of one sample: screens read again every few seconds.
const sampled = 10 * time.Second

// sample reads again and again what the program used.
func (o idleOptions) sample(s *session, wakeUps, cpu *measurement) error {
	last, ok := readUsage(s.PID())
	if !ok {
		return nil // Another system: the table shows no samples.
	}
	at := time.Now()
	for begun := at; time.Since(begun) < o.during; {
		select {
		case <-s.ctx.Done():
			return s.ctx.Err()
		case <-time.After(min(sampled, o.during)):
		}
		now, ok := readUsage(s.PID())
		if !ok {
			return terminal.ErrExited
		}
		used, seconds := now.since(last), time.Since(at).Seconds()
		wakeUps.samples = append(wakeUps.samples, float64(used.wakeUps)/seconds)
		cpu.samples = append(cpu.samples, 100*used.cpu.Seconds()/seconds)
		last, at = now, time.Now()
	}
	return nil
}
