package cli

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// screens are the screens of one run of the program.
type screens struct {
	*app
	// closedWork is what the screens left to be done while the database is closed, and notice what their
	// next start says of it.
	closedWork *views.ClosedWork
	notice     tea.Msg
}

// showScreens shows the screens of a run of the program.
func showScreens(ctx context.Context, a *app) error { return (&screens{app: a}).ui(ctx) }

// ui shows the screens, and opens the database again, or another one, as often as the user wants.
func (s *screens) ui(ctx context.Context) error {
	err := views.ErrReopen
	if choice := s.choice(ctx); choice != nil {
		o := s.options(nil, openclaw.Locations{}, nil)
		o.Choice = choice
		err = views.Run(ctx, o)
	}
	for errors.Is(err, views.ErrReopen) {
		s.doClosedWork(ctx)
		err = s.openUI(ctx)
	}
	return err
}

// doClosedWork does what the screens left to be done while the database is closed, and keeps what became
// of it for their next start.
func (s *screens) doClosedWork(ctx context.Context) {
	if s.closedWork == nil {
		return
	}
	w := *s.closedWork
	s.closedWork = nil
	c := &invocation{app: s.app}
	fmt.Fprintln(s.sys.Err, w.Name)
	done, err := w.Run(ctx, c.progress())
	c.wipe()
	if err != nil {
		s.notice = ui.ErrorMsg{Err: err}
		return
	}
	fmt.Fprintln(s.sys.Err, done)
	s.notice = ui.StatusMsg{Text: done, Kind: ui.Done}
}

// choice is the databases among which the user is to choose: several were named, or none was and
// several are there. Else it is nil. If only one is there, it is the chosen one. A database that
// the configuration names and that is missing isn't silently another one.
func (s *screens) choice(ctx context.Context) *openclaw.Discovery {
	named := len(s.opts.DB.values)
	if named == 1 || named == 0 && (s.opts.state.value != "" || s.sys.Env("LCM_DATABASE_PATH") != "") {
		return nil
	}
	found := s.discover(ctx)
	readable := found.Readable()
	switch {
	case named > 1 || len(readable) > 1, len(readable) == 1 && !found.Databases[0].Regular:
		return &found
	case len(readable) == 0:
		return nil
	}
	if l, _ := s.locate(); l.Database != readable[0].Path { // It isn't found without.
		s.chosen = &readable[0]
	}
	return nil
}

// openUI shows the screens of the database. That none can be opened is something to show
// there, with the places where it was looked for.
func (s *screens) openUI(ctx context.Context) error {
	c := &invocation{app: s.app}
	defer c.close()
	db, err := c.open(ctx)
	o := s.options(db, c.locations, err)
	o.CanReopen = true
	o.WhileClosed, o.Notice = func(w views.ClosedWork) { s.closedWork = &w }, s.notice
	s.notice = nil
	if err != nil {
		o.Searched = s.discover(ctx).Searched
	}
	return views.Run(ctx, o)
}

// options is what the screens of a database are made with; err is why there is none.
func (s *screens) options(db *data.DB, l openclaw.Locations, err error) views.Options {
	return views.Options{
		DB: db, Files: l.FilesDir, Cache: cacheFolder(s.sys.Env), Sessions: s.sessions(l), Locations: l, Err: err, Version: s.sys.version(),
		Settings: func() settings.Settings { return (&invocation{app: s.app}).hostSettings(s.opts.model.flags()).Settings },
		Editor:   editText(s.app),
		Queries:  s.queriesFile(),
		Model:    s.opts.model.chosen(),
		Summarizer: func(_ context.Context, chosen choose.Choice) (views.Summarizer, error) {
			return s.summarizer(db, chosen)
		},
		PlanFiles: &views.PlanFiles{Codecs: (&invocation{app: s.app, DB: db, locations: l}).codecs(), Version: s.sys.version()},
		Models:    s.models,
		Databases: &views.DatabaseSource{Find: s.discover, Choose: func(db openclaw.Database) { s.chosen = &db }},
	}
}

// summarizer finds what the screens have summaries made with.
func (s *screens) summarizer(db *data.DB, chosen choose.Choice) (views.Summarizer, error) {
	w := &summaryFlags{}
	w.bind(&cobra.Command{})
	w.modelFlags = s.opts.model // Its timeout is a setting.
	t, err := w.toolsOf(&invocation{app: s.app, DB: db}, chosen)
	return views.Summarizer{Model: t.model, Settings: t.settings, Form: t.form, Job: t.job}, err
}

// models finds the model in force under a choice, and those that can be chosen instead.
func (s *screens) models(chosen choose.Choice) views.Models {
	c := &invocation{app: s.app}
	conf := c.hostSettings(s.opts.model.flags())
	env, host := choose.Getenv(s.sys.Env), conf.models()
	m := views.Models{Candidates: choose.Candidates(s.opts.model.chosen(), env, host)}
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
