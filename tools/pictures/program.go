package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"lcm-tui/internal/demo"
	"lcm-tui/internal/terminal"
)

// The size of the terminal, in characters, how long a screen must not change before
// the next key is pressed, and how long one step may take.
const (
	columns   = 110
	lines     = 32
	quiet     = 150 * time.Millisecond
	stepLimit = 20 * time.Second
)

// program is what every picture is made with.
type program struct {
	bin  string // The program's file.
	temp string // A folder of our own.
}

// frame is the screen after a step, with the key that led to it.
type frame struct {
	screen       terminal.Screen
	key, caption string
	hold         time.Duration
}

// buildProgram builds the program, unless bin names one.
func buildProgram(ctx context.Context, temp, bin string) (program, error) {
	p := program{bin: bin, temp: temp}
	if p.bin != "" {
		return p, nil
	}
	p.bin = filepath.Join(temp, "lcm-tui")
	build := exec.CommandContext(ctx, "go", "build", "-o", p.bin, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return p, fmt.Errorf("build the program: %w", err)
	}
	return p, nil
}

// play starts the program on a database of its own and does the steps of a scene. The
// first frame is the screen before any key.
func (p program) play(ctx context.Context, s scene) ([]frame, error) {
	folder, err := os.MkdirTemp(p.temp, s.name)
	if err != nil {
		return nil, err
	}
	// The database ends now, because the program's lists say how long ago things were.
	// Its seconds are round, so that no picture differs by them alone.
	db := filepath.Join(folder, "demo.db")
	write := demo.Write
	if s.pending {
		write = demo.WritePending
	}
	if err := write(db, time.Now().UTC().Truncate(time.Minute)); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, p.bin, "--db", db)
	// The user's own configuration, language and time zone must not show. Texts come from
	// the summarizer that is built in.
	cmd.Env = []string{
		"HOME=" + folder, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TZ=UTC",
		"LCM_TUI_SUMMARY_PROVIDER=extractive",
	}
	term, err := terminal.Start(cmd, columns, lines)
	if err != nil {
		return nil, err
	}
	defer term.Close()
	steps := append([]step{{shows: s.shows, caption: s.caption, hold: firstHold}}, s.steps...)
	var frames []frame
	for _, st := range steps {
		more, err := doStep(ctx, term, st)
		if err != nil {
			return nil, err
		}
		frames = append(frames, more...)
	}
	return frames, nil
}

// doStep presses the keys of a step, each on a screen that has come to rest, and waits
// for the text that the step must show. It returns one frame for each key, or one if
// there is none.
func doStep(ctx context.Context, term *terminal.Terminal, s step) ([]frame, error) {
	ctx, cancel := context.WithTimeout(ctx, stepLimit)
	defer cancel()
	keys, err := terminal.Keys(s.keys)
	if err != nil {
		return nil, err
	}
	var frames []frame
	for i, k := range keys {
		if err := term.Press(k); err != nil {
			return nil, err
		}
		if err := term.Settle(ctx, quiet); err != nil {
			return nil, err
		}
		if i < len(keys)-1 {
			frames = append(frames, frame{term.Screen(), s.keys, s.caption, keyHold})
		}
	}
	shown := func(screen terminal.Screen) bool {
		text := screen.String()
		return strings.TrimSpace(text) != "" && strings.Contains(text, s.shows)
	}
	if _, err := term.Until(ctx, shown); err != nil {
		return nil, fmt.Errorf("after %q the screen does not say %q: %w\n%s", s.keys, s.shows, err, term.Screen())
	}
	if err := term.Settle(ctx, quiet); err != nil {
		return nil, err
	}
	hold := s.hold
	if hold == 0 {
		hold = stepHold
	}
	return append(frames, frame{term.Screen(), s.keys, s.caption, hold}), nil
}
