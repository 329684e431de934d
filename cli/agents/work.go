package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/promote"
	"lcm-tui/ui"
	"lcm-tui/ui/userconfig"
	"lcm-tui/work"
	"lcm-tui/work/pass"
)

// workFlags is what is done of the work that waits, and by which model.
type workFlags struct {
	cli.SummaryFlags
	once bool
}

func workCommand(a *cli.App) *cobra.Command {
	k := &workFlags{}
	cmd := a.Command(cli.GroupAgents, "work", "Do the compactions and promotions that hooks asked for", k.run)
	cmd.Long = `Hooks ask for compactions: when a session is fuller than its threshold, when its client
compacts it, and when it ends with 10,000 tokens or more; then also for promotion, which keeps
the summaries that say most as entries of memory. A hook also starts the work, which ends when
nothing is left to do; nothing keeps running. Each job is a record, and lcm-tui undo undoes it.

Without an action it shows what waits, what was done and what it cost, and writes nothing.
--once does what waits now. run CONV asks for a compaction and does it. pause stops all work
but that of run CONV, and resume lets it go on.

Summaries are made by the summarizer that is built in, which sends nothing anywhere, unless
[work] of config.toml names another provider and model, or the flags do. There are at most
100 calls of a model a day, for one dollar; max-calls-per-day and max-dollars-per-day change
that.`
	cmd.Example = "  lcm-tui work\n  lcm-tui work --once\n  lcm-tui work run 2 --provider extractive"
	cmd.Flags().BoolVar(&k.once, "once", false, "do what waits, and end")
	k.Bind(cmd)
	return cmd
}

// The actions of work.
const (
	runAction    = "run"
	pauseAction  = "pause"
	resumeAction = "resume"
)

func (k *workFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	c.OwnDatabase = true
	notes, done, err := openNotes(ctx, c)
	if err != nil {
		return nil, err
	}
	defer done()
	set := userconfig.Load(userconfig.Path(c.Sys.Env)).Work
	r := &workResult{Database: c.Locations.Database, limits: set}
	switch {
	case c.Action == pauseAction || c.Action == resumeAction:
		err = notes.Pause(ctx, c.Action == pauseAction)
	case c.Action == runAction:
		var asked int64
		if asked, err = k.request(ctx, c, notes); err == nil {
			r.Ended, err = k.pass(ctx, c, notes, set, asked)
		}
	case k.once:
		r.Ended, err = k.pass(ctx, c, notes, set, 0)
	}
	if err != nil && len(r.Ended) == 0 {
		return nil, err
	}
	c.Partial = err != nil
	switch {
	case slices.ContainsFunc(r.Ended, func(j work.Job) bool { return j.Error != "" }):
		c.Exit = cli.ExitFailed
	case c.Action == runAction && !slices.ContainsFunc(r.Ended, func(j work.Job) bool { return j.State == work.Done }):
		c.Exit = cli.ExitNothing
	}
	return r, errors.Join(err, r.read(ctx, c, notes, k.chosen(set)))
}

// openNotes opens the sidecar of the database.
func openNotes(ctx context.Context, c *cli.Invocation) (notes *work.Sidecar, done func(), err error) {
	if _, err := c.Open(ctx); err != nil {
		return nil, nil, err
	}
	state := openclaw.OwnState(c.Sys.Env)
	if state == "" {
		return nil, nil, errors.New("there is no folder for state: set HOME or XDG_STATE_HOME")
	}
	notes, err = work.Open(ctx, work.Folder(state, c.Locations.Database))
	if err != nil {
		return nil, nil, err
	}
	return notes, func() { _ = notes.Close() }, nil
}

// request asks for the compaction of the conversation that is named.
func (k *workFlags) request(ctx context.Context, c *cli.Invocation, notes *work.Sidecar) (conversation int64, err error) {
	_, conv, err := c.OpenConversation(ctx)
	if err != nil {
		return 0, err
	}
	return conv.ID, notes.Request(ctx, work.Compaction, conv.ID, work.Manual)
}

// chosen returns the model that the flags choose, else the user's configuration.
func (k *workFlags) chosen(set userconfig.Work) choose.Choice {
	chosen := k.Chosen()
	if chosen.Provider == "" && chosen.Model == "" && chosen.Exec == "" {
		chosen.Provider, chosen.Model = set.Provider, set.Model
	}
	return chosen
}

// pass does what waits, alone: of one conversation, or with 0 of all of them.
func (k *workFlags) pass(ctx context.Context, c *cli.Invocation, notes *work.Sidecar, set userconfig.Work, only int64) ([]work.Job, error) {
	if err := c.DB.Writable(); err != nil {
		return nil, err
	}
	locks := work.Locks{State: openclaw.OwnState(c.Sys.Env)} // Without waiting: what another does is left to it.
	if only == 0 {
		release, err := locks.TakePass(ctx, c.DB.Path())
		if err != nil {
			return nil, err
		}
		defer release()
	}
	p := &pass.Pass{
		DB: c.DB, Notes: notes, Report: c.Progress(), Only: only,
		Operation: func(ctx context.Context, j work.Job) (ops.Op, error) { return k.operation(ctx, c, notes, set, j) },
		Tell: func(j work.Job) {
			if c.Wipe(); !c.Opts.JSON {
				fmt.Fprintf(c.Sys.Err, "%s\n", ui.Line(jobLine(j)))
			}
		},
	}
	return p.Run(ops.WithLocks(ctx, locks))
}

// The least tokens of a context that are worth compacting when its session ends, or its client compacts it, and how
// many messages stay then: those of seed 000.
const (
	leastTokens = 10_000
	lastTail    = 8
)

// operation returns what a job asks for.
func (k *workFlags) operation(ctx context.Context, c *cli.Invocation, notes *work.Sidecar, set userconfig.Work, j work.Job) (ops.Op, error) {
	conv, err := lcm.ReadConversation(ctx, c.DB, j.Conversation)
	if err != nil {
		return nil, err
	}
	if j.Kind == work.Promotion {
		return &promote.Op{Conversations: []int64{conv.ID}}, nil
	}
	chosen := k.chosen(set)
	flags := k.SummaryFlags
	flags.Meter = func(m summarize.Model) summarize.Model {
		return notes.Meter(m, work.Limits{Calls: set.Calls, Dollars: set.Dollars}, conv.ID)
	}
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
	t, err := flags.ToolsOf(c, chosen)
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
	return &compact.Op{Conversation: conv.ID, Request: r, Model: t.Model, Generate: true, Caveat: caveat}, nil
}

// workResult is what waits, what was done, and what it took.
type workResult struct {
	Database string     `json:"database"`
	Paused   string     `json:"paused_since,omitempty"`
	Enabled  bool       `json:"enabled"`
	Provider string     `json:"provider"`
	Model    string     `json:"model,omitempty"`
	Spend    work.Spend `json:"spend_today"`
	work.Limits
	Ended []work.Job `json:"ended,omitempty"` // In this run.
	Jobs  []work.Job `json:"jobs"`
	cli.WarningList

	limits userconfig.Work
}

// read fills in what the sidecar has.
func (r *workResult) read(ctx context.Context, c *cli.Invocation, notes *work.Sidecar, chosen choose.Choice) (err error) {
	const mostEnded = 20
	r.Enabled, r.Limits = r.limits.Enabled, work.Limits{Calls: r.limits.Calls, Dollars: r.limits.Dollars}
	resolved, failed := c.ResolveModel(chosen)
	if failed != nil {
		return failed
	}
	r.Provider, r.Model = resolved.Provider, resolved.Model
	if r.Paused, err = notes.Paused(ctx); err != nil {
		return err
	}
	if r.Spend, err = notes.Today(ctx, time.Now()); err != nil {
		return err
	}
	r.Jobs, err = notes.Jobs(ctx, mostEnded)
	return err
}

// Print implements cli.Result.
func (r *workResult) Print(p *cli.Printer) {
	state := "hooks start it"
	switch {
	case r.Paused != "":
		state = "paused since " + r.Paused + "; lcm-tui work resume lets it go on"
	case !r.Enabled:
		state = "hooks don't start it: enabled = false in config.toml"
	}
	p.Line("work   " + state)
	p.Line("model  " + ui.Line(strings.TrimSpace(r.Provider+" "+r.Model)))
	p.Linef("today  %s of %s, $%.4f of $%.2f", plural.Count(r.Spend.Calls, "call", "calls"), ui.Num(int64(r.Calls)), r.Spend.Dollars, r.Dollars)
	if len(r.Jobs) == 0 {
		p.Line("\nnothing waits, and nothing was done")
		return
	}
	p.Write("\n")
	rows := make([][]string, len(r.Jobs))
	for i, j := range r.Jobs {
		rows[i] = []string{string(j.Kind), ui.Num(j.Conversation), string(j.Reason), ui.Line(jobState(j)), ui.Line(jobNote(j))}
	}
	p.Table([]cli.Column{{Title: "job"}, {Title: "conv", Right: true}, {Title: "because of"}, {Title: "state"}, {Title: "outcome", Grows: true}}, rows)
}

// jobState says how far a job is.
func jobState(j work.Job) string {
	if j.State == work.Queued && j.NotBefore > data.FormatTimeMillis(time.Now()) {
		return "waits until " + j.NotBefore
	}
	return string(j.State)
}

// jobNote says what a job did, or why it did nothing.
func jobNote(j work.Job) string {
	if j.Result != "" && j.Error != "" {
		return j.Result + "; " + j.Error
	}
	return j.Result + j.Error
}

// jobLine returns a job that ended as a line.
func jobLine(j work.Job) string {
	return fmt.Sprintf("%s of conversation %d: %s: %s", j.Kind, j.Conversation, jobState(j), jobNote(j))
}
