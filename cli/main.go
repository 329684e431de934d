package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"lcm-tui/data/openclaw"
	"lcm-tui/internal/parallel"
)

// Main runs the program that rooms make up with args, which do not hold its name, and
// returns the exit code. Every error has been printed when it returns.
func Main(ctx context.Context, args []string, sys System, rooms ...Room) (exit int) {
	for _, stream := range []io.Writer{sys.Out, sys.Err} {
		if f, ok := stream.(*os.File); ok {
			lipgloss.EnableLegacyWindowsANSI(f)
		}
	}
	var written *trackedOutput
	sys.Out, written = trackErrors(sys.Out)
	a := New(sys, rooms...)
	a.isCompletion, a.Arguments = isCompletion(args), args
	defer func() {
		if p := parallel.Caught(recover()); p != nil {
			printStack(a, p)
			printError(sys.Err, "", p)
			exit = ExitFailed
		}
	}()
	if err := oldHookError(args, sys); err != nil {
		printError(sys.Err, "", err)
		return ExitFailed
	}
	root := a.Root()
	root.SetArgs(append([]string{}, args...)) // Not nil: cobra would take os.Args.
	root.SetIn(sys.In)
	root.SetOut(sys.Out)
	root.SetErr(sys.Err)
	root.SetHelpFunc(a.showHelp)
	err := root.ExecuteContext(ctx)
	unread := isBrokenPipe(written.err)
	if err != nil && !(unread && isBrokenPipe(err)) { // Who has ended doesn't wait for the error either.
		printErrorWithNewHint(sys.Err, "", err, a.hints)
		if a.Opts.JSON {
			printBusy(sys.Err, err)
		}
	}
	switch {
	case unread:
		return exitPipe
	case err != nil && isHookCall(args):
		return min(exitCode(err), ExitFailed)
	case err != nil:
		return exitCode(err)
	case written.err != nil:
		printError(sys.Err, "", written.err)
		return ExitFailed
	}
	return a.Exit
}

// New returns a run of the program that rooms make up.
func New(sys System, rooms ...Room) *App {
	return &App{Sys: sys, rooms: rooms, hints: map[string]bool{}, instead: map[string]func(context.Context, *Invocation) (Result, bool, error){}}
}

// Also runs another command of the program, without a terminal, and returns what it printed and its exit code. Its
// messages go where those of this one go.
func (a *App) Also(ctx context.Context, args ...string) (out string, exit int) {
	var printed bytes.Buffer
	sys := a.Sys
	sys.In, sys.Out = strings.NewReader(""), &printed
	if a.Opts.JSON {
		args = append(args, "--json")
	}
	if a.Opts.Wait.IsSet {
		args = append(args, "--wait", a.Opts.Wait.String())
	}
	exit = Main(ctx, args, sys, a.rooms...)
	return printed.String(), exit
}

// Again runs the program with other arguments, without a terminal, and returns what it printed, its messages and its exit code.
func (a *App) Again(ctx context.Context, args ...string) (out, messages string, exit int) {
	var printed, others bytes.Buffer
	sys := a.Sys
	sys.In, sys.Out, sys.Err = strings.NewReader(""), &printed, &others
	exit = Main(ctx, args, sys, a.rooms...)
	return printed.String(), others.String(), exit
}

// App is one run of the program.
type App struct {
	Chosen *openclaw.Database // On the screens, in place of the one that the flags name.
	// OwnDatabase says that the command works on the database of the program itself where none is named,
	// and never on that of a host.
	OwnDatabase bool
	// NeedsFile says that the command works on a file, whatever database the environment names.
	NeedsFile    bool
	isCompletion bool // A shell asks for completions.
	Sys          System
	rooms        []Room
	Opts         options
	Arguments    []string // Of the command line.
	instead      map[string]func(context.Context, *Invocation) (Result, bool, error)
	Exit         int // Of a run that had a result nevertheless.
	// hints are those that were printed: each is printed once.
	hints map[string]bool
}

// options are the flags that every command takes.
type options struct {
	DB                     RepeatedWords // Several only for the UI and for databases.
	State                  TextFlag
	sessions               TextFlag   // Of the UI.
	Model                  ModelFlags // Of the UI; commands have their own.
	noHistory              bool       // Of the UI.
	Wait                   WaitFlag
	JSON, NoColor, version bool
}

// Database returns the database that --db names, the first of several, or empty.
func (o *options) Database() string {
	if len(o.DB.Values) == 0 {
		return ""
	}
	return o.DB.Values[0]
}

func (a *App) bind(root *cobra.Command) {
	a.Opts.DB.Noun, a.Opts.DB.Whole, a.Opts.State.Noun = "PATH", true, "DIR"
	fs := root.PersistentFlags()
	fs.SortFlags = false
	fs.Var(&a.Opts.DB, "db", "the database file, or the address of a replica or a home; the UI and databases take several")
	fs.Var(&a.Opts.State, "state-dir", "the state folder of the host (default: ~/.openclaw)")
	fs.Var(&a.Opts.Wait, "wait", "how long to wait for the locks of others (default: 10s for the file, 5s for a conversation)")
	fs.BoolVar(&a.Opts.JSON, "json", false, "print one JSON value")
	fs.BoolVar(&a.Opts.NoColor, "no-color", false, "no colours or styles, as with NO_COLOR")
	fs.BoolVarP(&a.Opts.version, "version", "v", false, "print the version")
	fs.BoolP("help", "h", false, "explain the command")
	a.Opts.sessions.Noun = "DIR"
	a.Opts.Model.Bind(root)
	root.Flags().BoolVar(&a.Opts.noHistory, "no-history", false, "keep no history of what is searched in the UI")
	root.Flags().Var(&a.Opts.sessions, "sessions", "the folder of the session files that the UI lists (default: those of the hosts of this machine)")
}
