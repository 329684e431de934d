package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/sessiondb"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/screens"
)

// ui shows the screens, and opens the database again, or another one, as often as the user wants.
func (a *app) ui(ctx context.Context) error {
	err := views.ErrReopen
	if choice := a.choice(ctx); choice != nil {
		o := a.options(nil, openclaw.Locations{}, nil)
		o.Choice = choice
		err = views.Run(ctx, o, screens.All())
	}
	for errors.Is(err, views.ErrReopen) {
		a.doClosedWork(ctx)
		err = a.openUI(ctx)
	}
	return err
}

// doClosedWork does what the screens left to be done while the database is closed, and keeps what became
// of it for their next start.
func (a *app) doClosedWork(ctx context.Context) {
	if a.closedWork == nil {
		return
	}
	w := *a.closedWork
	a.closedWork = nil
	c := &invocation{app: a}
	fmt.Fprintln(a.sys.Err, w.Name)
	done, err := w.Run(ctx, c.progress())
	c.wipe()
	if err != nil {
		a.notice = ui.ErrorMsg{Err: err}
		return
	}
	fmt.Fprintln(a.sys.Err, done)
	a.notice = ui.StatusMsg{Text: done, Kind: ui.Done}
}

// choice is the databases among which the user is to choose: several were named, or none was and
// several are there. Else it is nil. If only one is there, it is the chosen one. A database that
// the configuration names and that is missing isn't silently another one.
func (a *app) choice(ctx context.Context) *openclaw.Discovery {
	named := len(a.opts.db.values)
	if named == 1 || named == 0 && (a.opts.state.value != "" || a.sys.Env("LCM_DATABASE_PATH") != "") {
		return nil
	}
	found := a.discover(ctx)
	readable := found.Readable()
	switch {
	case named > 1 || len(readable) > 1, len(readable) == 1 && !found.Databases[0].Regular:
		return &found
	case len(readable) == 0:
		return nil
	}
	if l, _ := a.locate(); l.Database != readable[0].Path { // It isn't found without.
		a.chosen = &readable[0]
	}
	return nil
}

// openUI shows the screens of the database. That none can be opened is something to show
// there, with the places where it was looked for.
func (a *app) openUI(ctx context.Context) error {
	c := &invocation{app: a}
	defer c.close()
	db, err := c.open(ctx)
	o := a.options(db, c.locations, err)
	o.CanReopen = true
	o.WhileClosed, o.Notice = func(w views.ClosedWork) { a.closedWork = &w }, a.notice
	a.notice = nil
	if err != nil {
		o.Searched = a.discover(ctx).Searched
	}
	return views.Run(ctx, o, screens.All())
}

// options is what the screens of a database are made with; err is why there is none.
func (a *app) options(db *data.DB, l openclaw.Locations, err error) views.Options {
	return views.Options{
		DB: db, Files: l.FilesDir, Cache: cacheFolder(a.sys.Env), Sessions: a.sessions(l), Locations: l, Err: err, Version: a.sys.version(),
		Settings: func() settings.Settings { return (&invocation{app: a}).hostSettings(a.opts.model.flags()).Settings },
		Editor:   a.editText(),
		Queries:  a.queriesFile(),
		Model:    a.opts.model.chosen(),
		Summarizer: func(_ context.Context, chosen choose.Choice) (views.Summarizer, error) {
			return a.summarizer(db, chosen)
		},
		PlanFiles: &views.PlanFiles{Codecs: (&invocation{app: a, db: db, locations: l}).codecs(), Version: a.sys.version()},
		Models:    a.models,
		Databases: &views.DatabaseSource{Find: a.discover, Choose: func(db openclaw.Database) { a.chosen = &db }},
	}
}

// summarizer finds what the screens have summaries made with.
func (a *app) summarizer(db *data.DB, chosen choose.Choice) (views.Summarizer, error) {
	w := &summaryFlags{}
	w.bind(&cobra.Command{})
	w.modelFlags = a.opts.model // Its timeout is a setting.
	t, err := w.toolsOf(&invocation{app: a, db: db}, chosen)
	return views.Summarizer{Model: t.model, Settings: t.settings, Form: t.form, Job: t.job}, err
}

// resolveModel finds the model that a choice comes to, or why the choice contradicts
// itself. Whether the model can be asked is for its Ready to say.
func (a *app) resolveModel(chosen choose.Choice) (choose.Resolved, error) {
	hosts := (&invocation{app: a}).hostSettings(a.opts.model.flags()).models()
	if err := contradiction(chosen, a.sys.Env, hosts); err != nil {
		return choose.Resolved{}, err
	}
	return choose.Resolve(chosen, choose.Getenv(a.sys.Env), hosts)
}

// models finds the model in force under a choice, and those that can be chosen instead.
func (a *app) models(chosen choose.Choice) views.Models {
	c := &invocation{app: a}
	conf := c.hostSettings(a.opts.model.flags())
	env, host := choose.Getenv(a.sys.Env), conf.models()
	m := views.Models{Candidates: choose.Candidates(a.opts.model.chosen(), env, host)}
	if chosen.IsZero() {
		m.Fallbacks = host.Fallbacks // Whoever names a model wants no other.
	}
	m.InForce, m.Err = choose.Resolve(chosen, env, host)
	switch {
	case m.Err != nil:
	case chosen.Model != "" && m.InForce.Free():
		m.Err = fmt.Errorf("no provider is known for the model %s: name it as provider/model", ui.Line(chosen.Model))
	default:
		m.Err = m.InForce.Ready()
	}
	m.Settings = append(modelSettings(m.InForce), c.places(conf.host)...)
	return m
}

// queriesFile is the path of the file with the queries that were searched on the screens, in the
// user's folder for state. It is empty where none are to be kept, or there is no such folder.
func (a *app) queriesFile() string {
	base := a.sys.Env("XDG_STATE_HOME")
	switch {
	case a.opts.noHistory:
		return ""
	case filepath.IsAbs(base):
	case runtime.GOOS == "windows":
		base = a.sys.Env("LOCALAPPDATA")
	case a.sys.Env("HOME") != "":
		base = filepath.Join(a.sys.Env("HOME"), ".local", "state")
	default:
		base = ""
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, program, "searches")
}

// sessions are the folders in which hosts keep their session files and the databases in which
// they keep their transcripts, or the place that was named.
func (a *app) sessions(l openclaw.Locations) []string {
	if a.opts.sessions.value != "" {
		return []string{a.opts.sessions.value}
	}
	found, _ := filepath.Glob(filepath.Join(l.StateDir, "agents", "*", "sessions"))                      // The pattern is a good one.
	databases, _ := filepath.Glob(filepath.Join(l.StateDir, "agents", "*", "agent", sessiondb.FileName)) // As well.
	found = append(found, databases...)
	if home := a.sys.Env("HOME"); home != "" {
		found = append(found, filepath.Join(home, ".claude", "projects"), filepath.Join(home, ".codex", "sessions"))
	}
	return found
}
