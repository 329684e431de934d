package agents

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/work"
)

// workFlags is what is done of the work that waits, by which model, and when.
type workFlags struct {
	log cli.LogFlag
	cli.SummaryFlags
	once, watch bool
	every       cli.DurationFlag
	between     windowFlag
	maxMessages *cli.IntegerFlag
	calls       *cli.IntegerFlag
	dollars     cli.DollarFlag
	integrity   *cli.ChoiceFlag
	checkEvery  cli.DurationFlag
	listen      cli.TextFlag
	token       cli.TextFlag
}

func newWorkFlags() *workFlags {
	return &workFlags{
		every: cli.DurationFlag{Value: 2 * time.Minute}, checkEvery: cli.DurationFlag{Value: 24 * time.Hour},
		maxMessages: cli.AtLeast(1, "N"), calls: cli.AtLeast(0, "N"),
		integrity: cli.OneOf("", noChecks, string(work.Scan), string(work.ScanAndPlan)),
		listen:    cli.TextFlag{Noun: "ADDRESS"}, token: cli.TextFlag{Noun: "FILE"},
	}
}

// noChecks is the choice that nothing is checked by itself.
const noChecks = "off"

func workCommand(a *cli.App) *cobra.Command {
	k := newWorkFlags()
	cmd := a.Command(cli.GroupAgents, "work", "Keep contexts small and look for damage, in the background", k.run)
	cmd.Long = `Compacts the active conversations that are over their threshold, the one with the newest
message first, and does what hooks asked for: compactions when a session is full, when its
client compacts it, and when it ends with 10,000 tokens or more; then also promotion, which
keeps the summaries that say most as entries of memory. Each job is a record, and lcm-tui
undo undoes it. LCM_AUTOCOMPACT_DISABLED=true leaves only the compactions that you ask for.

Without an action it shows what waits, what was done and what it cost, and writes nothing.
--once does what there is to do now. --watch does that again and again until it is stopped,
and also checks the file once a day; SIGHUP lets it read settings again, SIGUSR1 pauses it.
run CONV asks for a compaction and does it. check looks for damage, and writes nothing to the
database; with --integrity scan_and_plan the repair is planned into a file, for lcm-tui apply.
pause stops all work but what you ask for yourself, or that on one conversation, and resume
lets it go on. unit prints what systemd or launchd needs to run it.

Several may run at once, also on one database: each takes other conversations.

Summaries are made by the summarizer that is built in, which sends nothing anywhere, unless
[work] of config.toml names another provider and model, or the flags do. There are at most
100 calls of a model a day, for one dollar; the flags, or max-calls-per-day and
max-dollars-per-day there, change that. At a limit, work rests until midnight.`
	cmd.Example = `  lcm-tui work
  lcm-tui work --once
  lcm-tui work --once --max-active-messages 200
  lcm-tui work run 2 --provider extractive
  lcm-tui work check --integrity scan_and_plan
  lcm-tui work unit systemd`
	fs := cmd.Flags()
	fs.BoolVar(&k.once, "once", false, "do what there is to do, and end")
	fs.BoolVar(&k.watch, "watch", false, "do it again and again, until the process is stopped")
	fs.Var(&k.every, "every", "with --watch: how long to wait after it (default: 2m)")
	fs.Var(&k.between, "between", "with --watch: only within these hours, such as 01:00-06:00")
	fs.Var(k.maxMessages, "max-active-messages", "also compact contexts in which more messages stand than this")
	fs.Var(k.calls, "max-calls-per-day", "the most calls of a model in a day")
	fs.Var(&k.dollars, "max-cost-per-day", "the most US dollars that the calls of a day may cost")
	fs.Var(k.integrity, "integrity", "check the file: off, scan, or scan_and_plan, which plans the repair into a file (default with --watch and check: scan)")
	fs.Var(&k.checkEvery, "integrity-every", "with --integrity: how often (default: 24h)")
	fs.Var(&k.listen, "listen", "with --watch: answer /healthz and /readyz on this address, such as 127.0.0.1:7879 or unix:PATH")
	fs.Var(&k.token, "token-file", "with --listen: the file of the token (default: lcm-tui/work-token in your configuration folder)")
	k.log.Bind(fs)
	k.Bind(cmd)
	return cmd
}

// The actions of work.
const (
	runAction    = "run"
	checkAction  = "check"
	pauseAction  = "pause"
	resumeAction = "resume"
	unitAction   = "unit"
)

func (k *workFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	c.OwnDatabase = true
	notes, done, err := openNotes(ctx, c)
	if err != nil {
		return nil, err
	}
	defer done()
	if c.Action == unitAction {
		return k.units(c)
	}
	defer c.Sys.FreeEagerly()()
	s := k.station(c, notes)
	c.CommandWarnings = append(c.CommandWarnings, s.mistakes...)
	if err := s.checkFlags(c); err != nil {
		return nil, err
	}
	r := &workResult{Database: c.Locations.Database, limits: s.set}
	switch {
	case c.Action == pauseAction || c.Action == resumeAction:
		err = k.pause(ctx, c, notes)
	case c.Action == runAction || c.Action == checkAction:
		r.Ended, err = k.runNamed(ctx, c, s)
	case k.once:
		r.Ended, err = s.once(ctx, c.DB, 0)
	case k.watch:
		return nil, s.serve(ctx, c)
	}
	if err != nil && len(r.Ended) == 0 {
		return nil, err
	}
	c.Partial = err != nil && !errors.Is(err, data.ErrLocked) // Whoever tries again later needs no table of what waits.
	c.Exit = exitOf(r.Ended, c.Action == runAction || c.Action == checkAction)
	return r, errors.Join(err, r.read(context.WithoutCancel(ctx), s, k.chosen(s.set))) // Also after a cancel: what was done was done.
}

// exitOf returns the exit code of jobs that ended. Asked says that a user named them.
func exitOf(ended []work.Job, asked bool) int {
	failed, blocked, done := 0, 0, 0
	for _, j := range ended {
		switch {
		case j.State == work.Blocked && j.Result == "":
			blocked++
		case j.State == work.Blocked: // A part of it is written.
			done++
		case j.Error != "":
			failed++
		case j.State == work.Done:
			done++
		}
	}
	switch {
	case failed > 0:
		return cli.ExitFailed
	case blocked > 0 && done == 0:
		return cli.ExitBusy // Nothing was written, and later it goes on.
	case asked && done == 0:
		return cli.ExitNothing
	}
	return cli.ExitDone
}

// runNamed asks for what the user names, and does it.
func (k *workFlags) runNamed(ctx context.Context, c *cli.Invocation, s *station) ([]work.Job, error) {
	conversation := int64(0)
	if len(c.Args) > 0 {
		_, conv, err := c.OpenConversation(ctx)
		if err != nil {
			return nil, err
		}
		conversation = conv.ID
	}
	kind, mode := work.Compaction, work.Mode("")
	if c.Action == checkAction {
		if k.integrity.Value == noChecks {
			return nil, cli.UsageErrorf("work check: --integrity off would check nothing; give scan or scan_and_plan")
		}
		kind, mode = work.Integrity, work.Mode(cmp.Or(k.integrity.Value, string(work.Scan)))
	}
	id, err := s.notes.RequestMode(ctx, kind, conversation, work.Manual, mode)
	if err != nil {
		return nil, err
	}
	return s.once(ctx, c.DB, id)
}

// pause pauses work by itself, or lets it go on: all of it, or that on the conversation that is named.
func (k *workFlags) pause(ctx context.Context, c *cli.Invocation, notes *work.Sidecar) error {
	paused := c.Action == pauseAction
	if len(c.Args) > 0 {
		_, conv, err := c.OpenConversation(ctx)
		if err != nil {
			return err
		}
		return notes.PauseOne(ctx, conv.ID, paused)
	}
	err := notes.Pause(ctx, paused)
	if err == nil && !paused {
		err = notes.CloseBreakers(ctx)
	}
	return err
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
