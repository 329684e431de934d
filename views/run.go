package views

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// GCPercent keeps the heap small: the program stays open for hours beside what it
// watches, and what it allocates is mostly screens that are drawn and forgotten.
const GCPercent = 30

// Run shows the UI until the user leaves it. Every job has ended when it returns,
// so the database may be closed.
func Run(ctx context.Context, o Options) error {
	debug.SetGCPercent(GCPercent)
	app, jobs := newApp(ctx, o)
	defer jobs.Close()
	// The end of ctx, such as by a signal, ends the program as q does. Bubble Tea's own
	// ways leave the terminal as it is, or wait for ever.
	rest := ui.NewRest(os.Stdout)
	guarded := ui.Guard(ui.Paced(app, rest))
	program := tea.NewProgram(guarded, tea.WithContext(context.WithoutCancel(ctx)), tea.WithoutSignalHandler(), tea.WithFilter(rest.Filter), tea.WithOutput(rest))
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

// allScreens makes all screens.
func allScreens() *Screens {
	return &Screens{
		Tabs: [tabs]func(Tab) ui.Screen{
			tabMessages: NewMessages, tabSummaries: NewSummaries, tabContext: NewContext, tabFiles: NewFiles,
			tabHealth: NewHealthTab, tabFocus: NewFocus, tabPending: NewPending,
		},
		Review: OpenReview, Compaction: NewCompaction,
		Repair:     func(e *Env, from repairPlace) ui.Screen { return NewRepairScope(e, from) },
		Comparison: func(e *Env, conv lcm.Conversation) ui.Screen { return NewComparison(e, conv, "") },
		Export:     func(e *Env, conv lcm.Conversation, title string) ui.Screen { return NewExport(e, conv, title) },
		Trash:      func(e *Env, name string) ui.Screen { return NewTrash(e, name) },
		FileDiff:   NewFileDiff, RecordDiff: NewRecordDiff, DiffChoice: screen(NewDiffChoice), Cleanings: screen(NewCleanings),
		Health: screen(NewHealth), History: screen(NewHistory), Secrets: screen(NewSecrets), Space: screen(NewSpace), SessionFiles: screen(NewSessionFiles),
	}
}

// screen is a function that makes a screen of any kind.
func screen[S ui.Screen](make func(*Env) S) func(*Env) ui.Screen {
	return func(e *Env) ui.Screen { return make(e) }
}

func newApp(ctx context.Context, o Options) (*ui.App, *ui.Jobs) {
	styles := ui.NewStyles(true)
	jobs := ui.NewJobs(ctx)
	config := ui.Config{Version: o.Version, Jobs: jobs, Styles: &styles, Header: func() ui.Header { return ui.Header{Program: "lcm-tui"} }}
	env := NewEnv(o, jobs, &styles)
	env.Screens = allScreens()
	if o.DB == nil {
		config.First = NewWelcome(env, o)
		if o.Choice != nil {
			first := NewDatabases(env)
			first.receive(*o.Choice)
			config.First = first
		}
		return ui.New(config), jobs
	}
	env.readDiskState()
	config.First = NewConversations(env)
	config.Header = env.header()
	config.Commands, config.Find, config.Global = env.commands, env.find, env.globalActions
	config.Unsaved = env.unsavedHandTexts
	config.Watch = env.watchDisk((&coverageWatch{db: o.DB, reported: map[string]bool{}}).changed)
	return ui.New(config), jobs
}

// header names the file's kind and level, its size, and whether it can be written.
// What needs a look at the disk is looked at once.
func (e *Env) header() func() ui.Header {
	db := e.DB
	right := db.Kind().String()
	if db.Writable() != nil {
		right = "read-only · " + right
	}
	if db.Size() > 0 {
		right += " · " + ui.Size(db.Size())
	}
	return func() ui.Header {
		h := ui.Header{Program: "lcm-tui", Right: right}
		switch lost := e.fileLost(); {
		case lost != "":
			h.Right = "! " + lost + " · " + right
		case len(db.Warnings()) > 0:
			h.Right = "! damaged · " + right
		}
		return h
	}
}
