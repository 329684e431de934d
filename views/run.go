package views

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
	"lcm-tui/ui/shell"
)

// GCPercent keeps the heap small: the program stays open for hours beside what it
// watches, and what it allocates is mostly screens that are drawn and forgotten. While the
// program starts, startGCPercent holds instead: of a heap that small, collections would take a
// sixth of the time until the first screen is there.
const (
	GCPercent      = 30
	startGCPercent = 400
	startTime      = time.Second
)

// keysThreads are threads beside those that are as many as the processors. Scans keep these busy, and
// the runtime gives a thread away only every 10 ms; for a thread of its own a key doesn't wait.
const keysThreads = 2

// Run shows the UI until the user leaves it. Every job has ended when it returns,
// so the database may be closed.
func Run(ctx context.Context, o Options, screens *Screens) error {
	debug.SetGCPercent(startGCPercent)
	defer time.AfterFunc(startTime, func() { debug.SetGCPercent(GCPercent) }).Stop()
	processors := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(processors + keysThreads)
	defer runtime.GOMAXPROCS(processors)
	app, env := NewApp(ctx, o, screens)
	defer env.Jobs.Close()
	// The end of ctx, such as by a signal, ends the program as q does. Bubble Tea's own
	// ways leave the terminal as it is, or wait for ever.
	rest := shell.NewRest(os.Stdout)
	guarded := shell.Guard(shell.Paced(app, rest))
	program := tea.NewProgram(guarded, tea.WithContext(context.WithoutCancel(ctx)), tea.WithoutSignalHandler(), tea.WithFilter(rest.Filter), tea.WithOutput(rest), tea.WithFPS(shell.FramesPerSecond))
	guarded.Ends(program.Quit)
	rest.Resumes(program.Send)
	defer context.AfterFunc(ctx, func() { program.Send(ui.QuitMsg{}) })()
	_, err := program.Run()
	if p := guarded.Panic(); p != nil {
		return p
	}
	switch {
	case errors.Is(err, tea.ErrInterrupted) || terminalGone(err):
		return nil
	case err == nil && app.Restart():
		return ErrReopen
	}
	return err
}

// terminalGone reports whether the program ended because its terminal was closed.
func terminalGone(err error) bool {
	var broken *fs.PathError
	return errors.Is(err, io.EOF) || errors.As(err, &broken) && (broken.Op == "read" || broken.Op == "write")
}

// NewApp returns the program and what its screens are given.
func NewApp(ctx context.Context, o Options, screens *Screens) (*shell.App, *Env) {
	styles := o.User.Colors.Styles(true)
	jobs := ui.NewJobs(ctx)
	config := shell.Config{Version: o.Version, Jobs: jobs, Styles: &styles, Keymap: o.User.Keymap, Colors: o.User.Colors, Warning: o.User.Warning, Header: func() shell.Header { return shell.Header{Program: "lcm-tui"} }}
	env := NewEnv(o, jobs, &styles)
	env.Screens = screens
	if o.DB == nil {
		config.First = screens.Welcome(env, o)
		if o.Choice != nil {
			config.First = screens.Choice(env, *o.Choice)
		}
		return shell.New(config), env
	}
	env.ReadDiskState()
	config.First = screens.First(env)
	config.Header = headerOf(env, o.Note)
	config.Commands = func() []ui.Command { return screens.Commands(env) }
	config.Find = func(ctx context.Context, query string) ([]ui.Command, error) { return screens.Find(ctx, env, query) }
	config.Global = func(stack []ui.Screen) []shell.GlobalAction { return screens.Global(env, stack) }
	config.Sentence = env.WithNames
	config.Unsaved = env.UnsavedHandTexts
	config.Watch = env.WatchDisk(watchCoverage(ctx, o.DB).changed)
	return shell.New(config), env
}

// headerOf returns what the header says: a note on the file, its kind and level, its size, and whether it can be written.
// What needs a look at the disk is looked at once.
func headerOf(e *Env, note string) func() shell.Header {
	db := e.DB
	right := TextWhen(note != "", note+" · ") + db.Kind().String()
	if db.Writable() != nil {
		right = "read-only · " + right
	}
	if db.Size() > 0 {
		right += " · " + ui.Size(db.Size())
	}
	return func() shell.Header {
		h := shell.Header{Program: "lcm-tui", Right: right}
		switch lost := e.Disk.fileLost(); {
		case lost != "":
			h.Right = "! " + lost + " · " + right
		case len(db.Warnings()) > 0:
			h.Right = "! damaged · " + right
		}
		return h
	}
}
