// Command lcm-tui shows what an agent remembers, in a terminal or as JSON, and
// changes it under an undo.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"lcm-tui/cli"
)

// version is set by the linker for a release.
var version string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	exit := cli.Main(ctx, os.Args[1:], cli.System{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Version: version,
	})
	stop()
	os.Exit(exit)
}
