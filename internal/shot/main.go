// Command shot takes the pictures of the documentation: it builds the program,
// makes the demonstration database, plays keys on a pseudo terminal and writes
// the screens as SVG files. It must not change anything but those files.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"lcm-tui/internal/lcmtest"
	"lcm-tui/internal/terminal"
)

// The size of a screen in a picture, and how long it must have been quiet to be
// at rest.
const (
	columns = 110
	lines   = 32
	quiet   = 150 * time.Millisecond
	patient = 20 * time.Second
)

// camera holds what stays the same from picture to picture.
type camera struct {
	bin, db, home string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "shot:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("shot", flag.ContinueOnError)
	dir := flags.String("out", "docs/pictures", "write SVG files to this `folder`")
	only := flags.String("only", "", "take the picture of this `name` alone")
	text := flags.Bool("text", false, "print the plain screens instead of writing files")
	bin := flags.String("bin", "", "run this `program` instead of building it")
	keys := flags.String("keys", "", "take one picture after these `keys`, as in \"s down*3 d\"")
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted, err := choose(*only, *keys)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "shot-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	c, err := prepare(ctx, tmp, *bin)
	if err != nil {
		return err
	}
	for _, p := range wanted {
		screen, err := c.take(ctx, p)
		if err != nil {
			return fmt.Errorf("take %s: %w", p.name, err)
		}
		if *text {
			fmt.Fprintf(out, "== %s\n%s", p.name, screen)
			continue
		}
		if err := write(filepath.Join(*dir, p.name+".svg"), svg(screen, p.title)); err != nil {
			return err
		}
		fmt.Fprintln(out, p.name)
	}
	return nil
}

// choose picks from the table, or makes up a picture for keys of the moment.
func choose(only, keys string) ([]picture, error) {
	if keys != "" {
		name := only
		if name == "" {
			name = "keys"
		}
		return []picture{{name: name, title: "lcm-tui", keys: []string{keys}}}, nil
	}
	if only == "" {
		return pictures, nil
	}
	var names []string
	for _, p := range pictures {
		if p.name == only {
			return []picture{p}, nil
		}
		names = append(names, p.name)
	}
	return nil, fmt.Errorf("no picture is called %q; there are %s", only, strings.Join(names, ", "))
}

// prepare builds the program and makes its database in a folder of their own.
func prepare(ctx context.Context, tmp, bin string) (camera, error) {
	c := camera{bin: bin, db: filepath.Join(tmp, "lcm.db"), home: filepath.Join(tmp, "home")}
	if c.bin == "" {
		c.bin = filepath.Join(tmp, "lcm-tui")
		build := exec.CommandContext(ctx, "go", "build", "-o", c.bin, ".")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return c, fmt.Errorf("build the program: %w", err)
		}
	}
	if err := os.Mkdir(c.home, 0o700); err != nil {
		return c, err
	}
	// The database ends now, because the program's lists say how long ago things
	// were; its seconds are round, so that no picture differs by them alone.
	return c, lcmtest.Demo(c.db, time.Now().UTC().Truncate(time.Minute))
}

// take starts the program anew and plays one picture's keys.
func (c camera) take(ctx context.Context, p picture) (screen terminal.Screen, err error) {
	ctx, cancel := context.WithTimeout(ctx, patient)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.bin, "--db", c.db)
	// Nobody's own configuration, language or clock may show.
	cmd.Env = []string{"HOME=" + c.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TZ=UTC"}
	term, err := terminal.Start(cmd, columns, lines)
	if err != nil {
		return nil, err
	}
	defer term.Close()
	drawn := func(s terminal.Screen) bool { return strings.TrimSpace(s.String()) != "" }
	if _, err := term.Until(ctx, drawn); err != nil {
		return nil, err
	}
	if err := term.Settle(ctx, quiet); err != nil {
		return nil, err
	}
	for _, stage := range p.keys {
		if err := play(ctx, term, stage); err != nil {
			return nil, err
		}
	}
	screen = term.Screen()
	if !strings.Contains(screen.String(), p.shows) {
		return nil, fmt.Errorf("the screen does not say %q:\n%s", p.shows, screen)
	}
	return screen, nil
}

// play presses keys, each on a screen at rest.
func play(ctx context.Context, term *terminal.Terminal, script string) error {
	keys, err := terminal.Keys(script)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := term.Press(k); err != nil {
			return err
		}
		if err := term.Settle(ctx, quiet); err != nil {
			return err
		}
	}
	return nil
}

// write makes the file anew, and its folder when there is none.
func write(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}
