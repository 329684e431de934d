// Command pictures makes the pictures of the documentation. It builds the program,
// makes the demonstration database, presses keys on a pseudo terminal, and writes the
// screens as SVG files: still pictures, and recordings that play. It also draws the
// packages and their imports. It changes nothing but those files.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("pictures", flag.ContinueOnError)
	dir := flags.String("out", "docs/pictures", "write SVG files to this `folder`")
	only := flags.String("only", "", "make the picture of this `name` alone")
	text := flags.Bool("text", false, "print the plain screens instead of writing files")
	bin := flags.String("bin", "", "run this `program` instead of building it")
	keys := flags.String("keys", "", "make one picture after these `keys`, as in \"s down*3 d\"")
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted, err := selectScenes(*only, *keys)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	p, err := buildProgram(ctx, temp, *bin)
	if err != nil {
		return err
	}
	for _, s := range wanted {
		frames, err := p.play(ctx, s)
		if err != nil {
			return fmt.Errorf("make %s: %w", s.name, err)
		}
		if *text {
			printFrames(out, s, frames)
			continue
		}
		if err := writeFile(filepath.Join(*dir, s.name+".svg"), s.draw(frames)); err != nil {
			return err
		}
		fmt.Fprintln(out, s.name)
	}
	if *text || *keys != "" || *only != "" && *only != packagesName {
		return nil
	}
	return writePackages(ctx, *dir, out)
}

// selectScenes returns the scenes of the table, the one called only, or one for the keys of a
// command line.
func selectScenes(only, keys string) ([]scene, error) {
	if keys != "" {
		name := only
		if name == "" {
			name = "keys"
		}
		return []scene{{name: name, title: "lcm-tui", steps: []step{{keys: keys}}}}, nil
	}
	if only == "" {
		return scenes, nil
	}
	if only == packagesName {
		return nil, nil
	}
	i := slices.IndexFunc(scenes, func(s scene) bool { return s.name == only })
	if i < 0 {
		return nil, fmt.Errorf("no picture is called %q; there are %s", only, strings.Join(sceneNames(), ", "))
	}
	return scenes[i : i+1], nil
}

func sceneNames() []string {
	names := []string{packagesName}
	for _, s := range scenes {
		names = append(names, s.name)
	}
	return names
}

// printFrames prints what a recording shows step by step, or the last screen of a
// still picture.
func printFrames(out io.Writer, s scene, frames []frame) {
	if !s.plays {
		frames = frames[len(frames)-1:]
	}
	for _, f := range frames {
		fmt.Fprintf(out, "== %s %s %s\n%s", s.name, f.key, f.caption, f.screen)
	}
}

// writeFile writes the file, and makes its folder where there is none.
func writeFile(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}
