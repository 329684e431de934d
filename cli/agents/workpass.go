package agents

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/hint"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/promote"
	"lcm-tui/ui"
	"lcm-tui/ui/userconfig"
	"lcm-tui/work"
	"lcm-tui/work/checkup"
	"lcm-tui/work/pass"
	"lcm-tui/work/pressure"
)

// chosen returns the model that the flags choose, else the user's configuration.
func (k *workFlags) chosen(set userconfig.Work) choose.Choice {
	chosen := k.Chosen()
	if chosen.Provider == "" && chosen.Model == "" && chosen.Exec == "" {
		chosen.Provider, chosen.Model = set.Provider, set.Model
	}
	return chosen
}

// station is where work is done: a database, what is noted beside it, and what the user's settings say.
type station struct {
	flags *workFlags
	app   *cli.App
	name  string // Of the command.
	notes *work.Sidecar
	path  string // Of the database.
	set   userconfig.Work
	locks work.Locks
	tell  func(work.Job)
	log   *slog.Logger // Of a service; else nil.
	// mistakes are those of the user's settings, in whose place others are in force.
	mistakes []error
}

func (k *workFlags) station(c *cli.Invocation, notes *work.Sidecar) *station {
	s := &station{flags: k, app: c.App, name: c.Name, notes: notes, path: c.DB.Path(), locks: work.Locks{State: openclaw.OwnState(c.Sys.Env)}} // What another does is left to it.
	s.readSettings()
	s.tell = func(j work.Job) {
		if c.Wipe(); !c.Opts.JSON {
			fmt.Fprintf(c.Sys.Err, "%s\n", ui.Line(jobLine(j)))
		}
	}
	return s
}

// readSettings reads the user's settings. Those of the host are read for each job.
func (s *station) readSettings() {
	own := userconfig.Load(userconfig.Path(s.app.Sys.Env))
	s.set, s.mistakes = own.Work, nil
	for _, p := range own.Problems {
		s.mistakes = append(s.mistakes, hint.New("config.toml: "+p.String(), "what is in force instead is shown by lcm-tui config"))
	}
	if s.flags.calls.IsSet {
		s.set.Calls = int(s.flags.calls.Value)
	}
	if s.flags.dollars.Value > 0 {
		s.set.Dollars = s.flags.dollars.Value
	}
}

// limits returns the limits of a day, and when calls rest as the host's settings say.
func (s *station) limits() work.Limits {
	l := work.Limits{Calls: s.set.Calls, Dollars: s.set.Dollars}
	set := (&cli.Invocation{App: s.app}).HostSettings(nil) // What is wrong with them is said where they are shown.
	l.Rests.Refusals, l.Rests.Key = set.Breaker()
	l.Rests.Calls, l.Rests.Window, l.Rests.Calm = set.CallWindow()
	return l
}

// atLimit reports whether a limit of the day keeps the model in force from being asked.
func (s *station) atLimit(ctx context.Context) (bool, error) {
	r, err := s.app.ResolveModel(s.flags.chosen(s.set))
	if err == nil && r.Free() {
		return false, nil
	}
	return s.notes.AtLimit(ctx, s.limits(), time.Now())
}

// prepare returns a pass over an open database.
func (s *station) prepare(db *data.DB) *pass.Pass {
	c := &cli.Invocation{App: s.app, Name: s.name, DB: db, Locations: openclaw.Locations{Database: s.path}}
	limits := integrity.LimitsOf(c.HostSettings(nil).Settings)
	c.CommandWarnings = nil // They are shown with the settings.
	if db.IsHome() && !s.app.Opts.Wait.IsSet {
		db.Wait = 0 // A worker tries, and does something else meanwhile.
	}
	checker := &checkup.Checker{
		DB: db, Notes: s.notes, Limits: limits, FilesDir: c.Locations.FilesDir, Version: s.app.Sys.VersionText(), Report: func(int, int, string) {},
		Folder: filepath.Join(work.Folder(s.locks.State, s.path), "plans"), Codecs: c.Codecs(),
	}
	return &pass.Pass{
		DB: db, Notes: s.notes, Report: checker.Report, Tell: s.tell, Check: checker.Do,
		Operation:  func(ctx context.Context, j work.Job) (ops.Op, error) { return s.operation(ctx, c, j) },
		Candidates: func(ctx context.Context) ([]work.Candidate, error) { return s.candidates(ctx, c) },
		Wrote: func(ctx context.Context, j work.Job) string {
			if j.Kind != work.Compaction {
				return ""
			}
			note, err := checker.Wrote(ctx, j.Conversation)
			if err != nil {
				return "the check after it failed: " + err.Error()
			}
			return note
		},
		After: func(ctx context.Context) error { return s.watch(ctx, checker) },
	}
}

// watch looks for what hosts did to what was written.
func (s *station) watch(ctx context.Context, c *checkup.Checker) error {
	fresh, err := c.Watch(ctx)
	for _, f := range fresh {
		s.warn(f)
	}
	return err
}

// candidates returns the conversations that are worth a compaction.
func (s *station) candidates(ctx context.Context, c *cli.Invocation) ([]work.Candidate, error) {
	if blocked, err := s.atLimit(ctx); err != nil || blocked {
		return nil, err
	}
	flags, err := s.flags.Settings(c)
	if err != nil {
		return nil, err
	}
	set := c.HostSettings(flags).Settings
	if set.AutocompactDisabled() {
		return nil, nil
	}
	if err := s.noteSetup(ctx, c); err != nil {
		return nil, err
	}
	return pressure.Find(ctx, c.DB, pressure.Rules{Settings: set, MaxMessages: s.flags.maxMessages.Value})
}

// noteSetup notes which model is asked, so that what failed for want of a key, say, is tried again when there is one.
func (s *station) noteSetup(ctx context.Context, c *cli.Invocation) error {
	chosen := s.flags.chosen(s.set)
	r, _ := s.app.ResolveModel(chosen) // Its error is that of the tools, too.
	_, err := s.flags.ToolsOf(c, chosen)
	return s.notes.NoteSetup(ctx, fmt.Sprintf("%s, %s, the key from %q: %v", r.Name(), r.BaseURL, r.KeyFrom, err))
}

// checkFlags returns the error of flags about models that can't be followed, where summaries are to be made. Whatever else is wrong
// with a model is said by its jobs.
func (s *station) checkFlags(c *cli.Invocation) error {
	if !s.flags.once && !s.flags.watch && c.Action != runAction {
		return nil
	}
	warned := c.CommandWarnings
	_, err := s.flags.ToolsOf(c, s.flags.chosen(s.set))
	c.CommandWarnings = warned // Those of the host's settings are said where they are shown.
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		return err
	}
	return nil
}

// once does what there is to do now, or only the job with an id.
func (s *station) once(ctx context.Context, db *data.DB, only int64) (ended []work.Job, err error) {
	if err := db.Writable(); err != nil {
		return nil, err
	}
	if only == 0 {
		defer s.take(ctx)()
		if err := s.requestCheck(ctx); err != nil {
			return nil, err
		}
	}
	p := s.prepare(db)
	p.Only = only
	ended, err = p.Run(ops.WithLocks(ctx, s.locks))
	if err == nil && len(ended) == 0 && p.Left > 0 {
		err = p.Busy
	}
	return ended, err
}

// take takes the lock that says that work is done, if nobody else has it: another one does other conversations.
func (s *station) take(ctx context.Context) (release func()) {
	release, err := s.locks.TakePass(ctx, s.path)
	if err != nil {
		return func() {}
	}
	return release
}

// requestCheck asks for a check of the file where the user wants one and the last is long enough ago.
func (s *station) requestCheck(ctx context.Context) error {
	mode := work.Mode(s.flags.integrity.Value)
	if mode == "" || mode == noChecks {
		return nil
	}
	return s.notes.Checks().RequestCheck(ctx, mode, s.flags.checkEvery.Value)
}

// The least tokens of a context that are worth compacting when its session ends, or its client compacts it, and how
// many messages stay then: those of seed 000.
const (
	leastTokens = 10_000
	lastTail    = 8
)

// operation returns what a job asks for.
func (s *station) operation(ctx context.Context, c *cli.Invocation, j work.Job) (ops.Op, error) {
	conv, err := lcm.ReadConversation(ctx, c.DB, j.Conversation)
	if err != nil {
		return nil, err
	}
	if j.Kind == work.Promotion {
		return &promote.Op{Conversations: []int64{conv.ID}}, nil
	}
	if j.Reason != work.Manual && c.HostSettings(nil).AutocompactDisabled() {
		return nil, fmt.Errorf("LCM_AUTOCOMPACT_DISABLED is true, so only what a user asks for is compacted: %w", ops.ErrNothing)
	}
	flags, limits := s.flags.SummaryFlags, s.limits()
	flags.Meter = func(m summarize.Model) summarize.Model { return s.notes.Meter(m, limits, conv.ID) }
	if j.Kind == work.Description {
		op, err := flags.DescribeFiles(c, conv.ID)
		if errors.Is(err, cli.ErrNoFileModel) {
			return nil, fmt.Errorf("%w: %w", err, ops.ErrNothing)
		}
		if err != nil {
			return nil, err
		}
		op.Ask = true
		return op, nil
	}
	t, err := flags.ToolsOf(c, s.flags.chosen(s.set))
	if err != nil {
		return nil, err
	}
	conf, caveat, err := t.Settings.ForConversation(ctx, c.DB, conv)
	if err != nil {
		return nil, err
	}
	r := engine.Request{Mode: engine.Sweep, Config: conf.Compaction(), Force: j.Reason != work.Threshold, Job: t.Job}
	if r.Budget, err = lcm.Budget(ctx, c.DB, conv.ID); err != nil {
		return nil, err
	}
	if j.Reason == work.Compacting || j.Reason == work.SessionEnd {
		n, err := lcm.ContextTokens(ctx, c.DB, conv.ID)
		if err != nil {
			return nil, err
		}
		if n < leastTokens {
			return nil, fmt.Errorf("its context has %s tokens, fewer than %s: %w", ui.Num(n), ui.Num(leastTokens), ops.ErrNothing)
		}
		r.Config.FreshTailCount = min(r.Config.FreshTailCount, lastTail)
	}
	return &compact.Op{Conversation: conv.ID, Request: r, Model: t.Model, Generate: true, Caveat: caveat, Unattended: true}, nil
}
