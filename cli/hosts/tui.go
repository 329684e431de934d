package hosts

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/ask"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/demo"
	"lcm-tui/ui"
	"lcm-tui/ui/userconfig"
	"lcm-tui/views"
	"lcm-tui/views/screens"
)

// screenRun is one run of the screens.
type screenRun struct {
	*cli.App
	// closedWork is what the screens left to be done while the database is closed, and notice what their
	// next start says of it.
	closedWork *views.ClosedWork
	notice     tea.Msg
	wantsDemo  bool               // The demonstration is to be shown next.
	user       *userconfig.Config // The user's keys and colours; nil before they are read.
}

// ui shows the screens, and opens the database again, or another one, as often as the user wants.
func (s *screenRun) ui(ctx context.Context) error {
	err := views.ErrReopen
	if choice := s.choice(ctx); choice != nil {
		o := s.options(nil, openclaw.Locations{}, nil)
		o.Choice = choice
		err = views.Run(ctx, o, screens.All())
	}
	for errors.Is(err, views.ErrReopen) {
		s.doClosedWork(ctx)
		if s.wantsDemo {
			_, err := showDemo(ctx, &cli.Invocation{App: s.App}, demo.Write)
			return err
		}
		err = s.openUI(ctx)
	}
	return err
}

// doClosedWork does what the screens left to be done while the database is closed, and keeps what became
// of it for their next start.
func (s *screenRun) doClosedWork(ctx context.Context) {
	if s.closedWork == nil {
		return
	}
	w := *s.closedWork
	s.closedWork = nil
	c := &cli.Invocation{App: s.App}
	fmt.Fprintln(s.Sys.Err, w.Name)
	done, err := w.Run(ctx, c.Progress())
	c.Wipe()
	if err != nil {
		s.notice = ui.ErrorMsg{Err: err}
		return
	}
	fmt.Fprintln(s.Sys.Err, done)
	s.notice = ui.StatusMsg{Text: done, Kind: ui.Done, Stays: true}
}

// choice returns the databases among which the user is to choose: several were named, or none was and
// several are there. Else it is nil. If only one is there, it is the chosen one. A database that
// the configuration names and that is missing isn't silently another one.
func (s *screenRun) choice(ctx context.Context) *openclaw.Discovery {
	named := len(s.Opts.DB.Values)
	if named == 1 || named == 0 && (s.Opts.State.Value != "" || s.Sys.Env("LCM_DATABASE_PATH") != "") {
		return nil
	}
	found := s.Discover(ctx)
	readable := found.OfThisMachine()
	if isOne := len(readable) == 1 && found.Databases[0].Regular; named > 1 || !isOne {
		s.AddReplicas(ctx, &found) // The list may be shown.
	}
	if named > 1 {
		readable = found.Readable()
	}
	switch {
	case len(readable) == 0 && len(found.Readable()) > 0: // Only copies of other machines are here.
		return &found
	case named > 1 || len(readable) > 1, len(readable) == 1 && !found.Databases[0].Regular:
		return &found
	case len(readable) == 0:
		return nil
	}
	if l, _ := s.Locate(); l.Database != readable[0].Path { // It isn't found without.
		s.Chosen = &readable[0]
	}
	return nil
}

// openUI shows the screens of the database. That none can be opened is something to show
// there, with the places where it was looked for.
func (s *screenRun) openUI(ctx context.Context) error {
	c := &cli.Invocation{App: s.App}
	defer c.Close()
	db, err := c.Open(ctx)
	o := s.options(db, c.Locations, err)
	o.CanReopen = true
	o.WhileClosed, o.Notice = func(w views.ClosedWork) { s.closedWork = &w }, s.notice
	s.notice = nil
	if err != nil {
		o.Searched = s.Discover(ctx).Searched
	}
	return views.Run(ctx, o, screens.All())
}

// options returns what the screens of a database are made with; err is why there is none.
func (s *screenRun) options(db *data.DB, l openclaw.Locations, err error) views.Options {
	warning := ""
	if s.user == nil { // What is wrong in it is said once.
		s.user = userconfig.Load(userconfig.Path(s.Sys.Env))
		warning = userWarning(s.user)
	}
	return views.Options{
		DB: db, Files: l.FilesDir, Cache: cli.CacheFolder(s.Sys.Env), Sessions: s.Sessions(l), Locations: l, NotOpened: views.NotOpened{Err: err}, Version: s.Sys.VersionText(),
		Settings: func() settings.Settings {
			conf := (&cli.Invocation{App: s.App, DB: db}).HostSettings(s.Opts.Model.Flags())
			var kind data.Kind
			if db != nil {
				kind = db.Kind()
			}
			conf.Found = conf.Check(kind)
			return conf.Settings
		},
		Editor:    editText(s.App),
		PlanFiles: &views.PlanFiles{Codecs: (&cli.Invocation{App: s.App, DB: db, Locations: l}).Codecs(), Version: s.Sys.VersionText()},
		ModelOptions: views.ModelOptions{
			Model: s.Opts.Model.Chosen(),
			Summarizer: func(_ context.Context, chosen choose.Choice) (views.Summarizer, error) {
				return s.summarizer(db, chosen)
			},
			Models: s.models,
			Asker: func(chosen choose.Choice) (*ask.Asker, error) {
				o := cli.AskerOptions{Chosen: chosen, Flags: s.Opts.Model.Flags(), Spending: summarize.NewSpending(0, 0)}
				if db != nil {
					o.Database = db.Path()
				}
				return cli.NewAsker(&cli.Invocation{App: s.App, DB: db}, o)
			},
		},
		Databases: &views.DatabaseSource{Find: s.DiscoverAll, Choose: func(db openclaw.Database) { s.Chosen = &db }, Demo: func() { s.wantsDemo = true }, Machines: s.machines(), Sources: s.sources},
		User:      views.UserOptions{Keymap: s.user.Keys, Colors: s.user.Colors, Warning: warning, Queries: s.QueriesFile(), Secrets: cli.SecretConfig(s.Sys.Env)},
		Agents:    s.agents(l),
	}
}

// sources returns the databases of the replicas that are known here.
func (s *screenRun) sources(ctx context.Context) ([]views.Machine, error) {
	return cli.ReplicaMachines(ctx, s.App)
}

// machines returns the copies of other machines' databases; nil where there is no folder for them.
func (s *screenRun) machines() *views.Machines {
	if openclaw.OwnState(s.Sys.Env) == "" {
		return nil
	}
	return &views.Machines{Store: s.Fleet(), Pulling: s.Pulling()}
}

// summarizer finds what the screens have summaries made with.
func (s *screenRun) summarizer(db *data.DB, chosen choose.Choice) (views.Summarizer, error) {
	w := &cli.SummaryFlags{}
	w.Bind(&cobra.Command{})
	w.ModelFlags = s.Opts.Model // Its timeout is a setting.
	t, err := w.ToolsOf(&cli.Invocation{App: s.App, DB: db}, chosen)
	return views.Summarizer{Model: t.Model, Settings: t.Settings, Form: t.Form, Job: t.Job}, err
}

// models finds the model in force under a choice, and those that can be chosen instead.
func (s *screenRun) models(chosen choose.Choice) views.Models {
	c := &cli.Invocation{App: s.App}
	conf := c.HostSettings(s.Opts.Model.Flags())
	env, host := choose.Getenv(s.Sys.Env), conf.Models()
	m := views.Models{Candidates: choose.Candidates(s.Opts.Model.Chosen(), env, host)}
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
	m.Settings = append(modelSettings(m.InForce), places(c, conf.Host)...)
	return m
}
