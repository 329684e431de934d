package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"

	"lcm-tui/internal/demo"
)

const usage = `usage: bench make    -path FILE [-percent N]
       bench measure -path FILE [-bin PROGRAM] [-runs N] [-keys N] [-part NAME]
       bench idle    -path FILE [-bin PROGRAM] [-seconds N] [-rows N]`

var errUsage = errors.New(usage)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet("bench "+args[0], flag.ContinueOnError)
	path := flags.String("path", "", "the database `file`")
	switch args[0] {
	case "-h", "-help", "--help":
		_, err := fmt.Fprintln(out, usage)
		return err
	case "make":
		percent := flags.Int("percent", 100, "how large the file is, as a percentage of the usual size")
		if err := parse(flags, args[1:], path); err != nil {
			return err
		}
		return makeFile(*path, max(1, *percent))
	case "measure":
		o := options{}
		flags.StringVar(&o.bin, "bin", "", "measure this `program` instead of building it")
		flags.IntVar(&o.runs, "runs", 5, "fresh processes for each measurement")
		flags.IntVar(&o.keys, "keys", 30, "key presses for each latency, in each process")
		flags.StringVar(&o.part, "part", "", "measure only this `part`: command, start, browsing, space, searching or commands")
		if err := parse(flags, args[1:], path); err != nil {
			return err
		}
		o.path, o.runs, o.keys = *path, max(1, o.runs), max(1, o.keys)
		return measure(ctx, o, out)
	case "idle":
		o := idleOptions{}
		flags.StringVar(&o.bin, "bin", "", "measure this `program` instead of building it")
		seconds := flags.Int("seconds", 20, "how long each screen is measured")
		flags.IntVar(&o.rows, "rows", 200, "messages that the host writes in a second")
		if err := parse(flags, args[1:], path); err != nil {
			return err
		}
		o.path, o.rows, o.during = *path, max(1, o.rows), time.Duration(max(1, *seconds))*time.Second
		return measureIdle(ctx, o, out)
	}
	return errUsage
}

func parse(flags *flag.FlagSet, args []string, path *string) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *path == "" || flags.NArg() > 0 {
		return errUsage
	}
	return nil
}

// makeFile writes the benchmark file and says how far it is.
func makeFile(path string, percent int) error {
	start, last := time.Now(), time.Time{}
	size := demo.DefaultSize
	for _, n := range []*int{&size.Conversations, &size.Messages, &size.Parts, &size.Summaries} {
		*n = max(1, *n*percent/100)
	}
	err := demo.WriteLarge(path, size, func(done, total int) {
		if time.Since(last) > time.Second || done == total {
			last = time.Now()
			fmt.Fprintf(os.Stderr, "\r%d of %d messages, %ds", done, total, int(time.Since(start).Seconds()))
		}
	})
	fmt.Fprintln(os.Stderr)
	return err
}

// machine says what the measurements were measured on.
func machine() string {
	return fmt.Sprintf("%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}
