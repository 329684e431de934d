// Command lcm-tui shows what an agent remembers, in a terminal or as JSON, and
// changes it under an undo.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
)

// version is set by the linker for a release.
var version string

func main() {
	signals := &cli.Signals{}
	ctx, stop := signals.Until(context.Background(), ends()...)
	exit := cli.Main(ctx, os.Args[1:], cli.System{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Environ: os.Environ, Version: version, OwnProcess: true, Signals: signals,
	}, commands.Rooms...)
	stop()
	os.Exit(exit)
}

// ends returns the signals that end the program in good order. One that whoever started it
// had ignored, as nohup does, stays ignored.
func ends() (out []os.Signal) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			out = append(out, s)
		}
	}
	// Whoever reads the output may be gone: that is an error of the write, after which
	// the database is closed as always.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return out
}
