package agents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/clients/hook"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/assemble"
	"lcm-tui/internal/detached"
	"lcm-tui/internal/eventlog"
	"lcm-tui/internal/parallel"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/backfill"
	"lcm-tui/ui"
	"lcm-tui/work"
)

// hookFlags is how a hook is answered.
type hookFlags struct {
	strict bool
	log    cli.LogFlag
	limit  *cli.IntegerFlag // Of the prompts that are replayed.
}

func hookCommand(a *cli.App) *cobra.Command {
	k := &hookFlags{limit: cli.AtLeast(1, "N")}
	cmd := a.Command(cli.GroupAgents, "hook HOOK", "Answer the hooks of Claude Code, Codex or Gemini CLI", k.run)
	cmd.Long = `Answers one call of a client's hook: the client writes the event to standard input, and gets
what goes into its context from standard output.

HOOK is the client: claude-code, codex or gemini. At the start of a session it gets what the
project's last sessions were about, and after a compaction the summaries of its own session;
when it answered, compacts or ends, what is new in its session file is imported. What is
handed over is framed as history; secrets and orders to a model are left out of it. Nothing
is handed over twice, and at most 6,000 characters between two compactions.

HOOK is log to list what was handed over, and the last call of each hook; test CLIENT runs
each hook that is installed for a client, as it is written in its file, with an empty
database and session of its own, and shows what came of it. replay shows which hints the
newest prompts would have got at their time: install --hints has prompts answered with hints,
at most three lines of summaries or promoted memory of the project that hold most of what the
prompt is about, in 800 characters.

A hook ends with 0, or with 1 where its flags are wrong, and never blocks its client; what fails
is in hook.log beside the other files of this program, or in the file of --log-file.
LCM_TUI_HOOKS=off switches all hooks off.`
	cmd.Example = "  lcm-tui hook log\n  lcm-tui hook log --json\n  lcm-tui hook replay"
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return append(hookNames(), "test", replayAction), cobra.ShellCompDirectiveNoFileComp
	}
	cmd.Flags().Var(k.limit, "limit", "with replay: the most prompts, the newest (default 500)")
	k.log.Bind(cmd.Flags())
	cmd.Flags().BoolVar(&k.strict, "strict", false, "end with 1 where something failed, for tests")
	return cmd
}

// replayAction is the action that measures hints.
const replayAction = "replay"

// hookLog is the argument that lists what hooks did.
const hookLog = "log"

// hookNames returns what HOOK may be.
func hookNames() (out []string) {
	for _, c := range clients.All() {
		out = append(out, string(c))
	}
	return append(out, hookLog)
}

func (k *hookFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	c.OwnDatabase = true
	if c.Action == replayAction {
		return k.replayHints(ctx, c)
	}
	name := c.Args[0]
	if c.Action == "test" {
		return testHooks(ctx, c, name)
	}
	if !slices.Contains(hookNames(), name) {
		return nil, cli.UsageErrorf("hook: expected %s, not %q", cli.ArgumentKinds["HOOK"], name)
	}
	if name == hookLog {
		return readHookLog(ctx, c)
	}
	if c.Sys.Env("LCM_TUI_HOOKS") == "off" {
		return nil, nil
	}
	var failed error
	if err := parallel.Call(func() error { failed = k.answerHook(ctx, c, clients.Client(name)); return nil }); err != nil {
		failed = err
	}
	c.CommandWarnings, c.CoverageErrors = nil, nil // The client would show them to its user.
	if k.strict {
		return nil, failed
	}
	return nil, nil
}

// answerHook answers the event on standard input. An error was noted.
func (k *hookFlags) answerHook(ctx context.Context, c *cli.Invocation, client clients.Client) (err error) {
	began := time.Now()
	e, err := hook.ReadEvent(c.Sys.In)
	answer := hook.Answer{}
	ctx, cancel := context.WithTimeout(ctx, e.Limit())
	defer cancel()
	if err == nil {
		answer, err = handleEvent(ctx, c, client, e, began)
	}
	k.noteHook(c, client, e, answer, time.Since(began), err)
	_, writing := io.WriteString(c.Sys.Out, hook.Reply(client, e.Name, answer))
	return errors.Join(err, writing)
}

// handleEvent opens what an event needs, answers it, and notes that it came.
func handleEvent(ctx context.Context, c *cli.Invocation, client clients.Client, e hook.Event, began time.Time) (a hook.Answer, err error) {
	c.LockWait = hook.LockWait
	notes, done, err := openNotes(ctx, c)
	if err != nil {
		return a, err
	}
	defer done()
	if !c.Opts.Wait.IsSet {
		c.DB.Wait = e.WriteWait(client)
	}
	h := &hook.Hook{
		Client: client, DB: c.DB, Notes: notes, Sessions: client.Sessions(c.Sys.Env),
	}
	if h.Masker, err = c.Sys.Masker(e.CWD); err != nil && e.Shows() {
		return a, err // What the user wants masked isn't known. Other events show nothing.
	}
	set := c.HostSettings(nil)
	ignored, err := clients.ParseIgnored(set.Own.IgnoredFolders)
	if err != nil {
		return a, err // What the user wants left out isn't known.
	}
	h.Ignores = ignored.Has
	h.Request = backfill.Op{Files: c.Locations.FilesDir, Threshold: set.LargeFileTokens(), Filter: set.SessionFilter()}
	h.DescribesFiles = set.DescribesFiles()
	byItself := set.WorksByItself()
	if byItself {
		h.Threshold = set.Compaction().Threshold(assemble.DefaultBudget)
	}
	a, err = h.Handle(ctx, e)
	if byItself {
		err = errors.Join(err, startWork(ctx, c, notes))
	}
	text := ""
	if err != nil {
		text = ui.Line(err.Error())
	}
	// The event came, also where its time is over.
	return a, errors.Join(err, notes.NoteReceipt(context.WithoutCancel(ctx), string(client), e.Name, e.Session, time.Since(began), text))
}

// startWork starts the work that waits as a process of its own, which ends when nothing is left to do, so that the
// client needn't wait. Whoever is at it already does this too.
func startWork(ctx context.Context, c *cli.Invocation, notes *work.Sidecar) error {
	if !c.Sys.OwnProcess {
		return nil
	}
	due, err := notes.Due(ctx, time.Now())
	if err != nil || len(due) == 0 {
		return err
	}
	if since, err := notes.Paused(ctx); err != nil || since != "" {
		return err
	}
	if (work.Locks{State: openclaw.OwnState(c.Sys.Env)}).CheckPass(ctx, c.DB.Path()) != nil {
		return nil // Whoever does the work now looks again for what is due.
	}
	program, err := c.Sys.ProgramPath()
	if err != nil {
		return err
	}
	return detached.Start(program, append([]string{"work", "--once"}, cli.DatabaseFlags(c, c.DB.Path())...), append(os.Environ(), "LCM_TUI_HOOKS=off"))
}

// The size in bytes from which on the log of hooks begins again, and how many files there are then: the check of an
// installation reads them.
const (
	mostHookLog  = 1 << 20
	hookLogFiles = 2
)

// noteHook writes a line about a hook into the log: never what anyone said. There is nobody to tell where it can't.
func (k *hookFlags) noteHook(c *cli.Invocation, client clients.Client, e hook.Event, a hook.Answer, took time.Duration, failed error) {
	log, done, err := k.openLog(c)
	if err != nil {
		return
	}
	defer done()
	level := slog.LevelInfo
	if failed != nil {
		level = slog.LevelError
	}
	log.Log(context.Background(), level, "hook", eventlog.Client, string(client), eventlog.HookEvent, e.Name, eventlog.Source, e.Source, eventlog.Session, e.Session,
		eventlog.Took, took, eventlog.Messages, a.Messages, eventlog.Characters, len([]rune(a.Context)), eventlog.Error, failed)
}

// openLog opens the file that --log-file names, else the log of hooks.
func (k *hookFlags) openLog(c *cli.Invocation) (*slog.Logger, func(), error) {
	if k.log.IsSet() {
		return k.log.Open(c, slog.LevelInfo)
	}
	path := c.HookLogFile()
	if path == "" {
		return nil, nil, errNothingBeside
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, err
	}
	f, err := eventlog.Open(path, mostHookLog, hookLogFiles)
	if err != nil {
		return nil, nil, err
	}
	return eventlog.New(f, slog.LevelInfo), func() { _ = f.Close() }, nil
}

// hookLogResult is the result of hook log.
type hookLogResult struct {
	Receipts   []work.Receipt   `json:"receipts"`
	Injections []work.Injection `json:"injections"`
	cli.WarningList
}

// readHookLog reads when each hook ran last, and what was put into contexts.
func readHookLog(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	const most = 200
	l, err := c.Locate()
	if err != nil {
		return nil, err
	}
	notes, err := work.Open(ctx, work.Folder(openclaw.OwnState(c.Sys.Env), l.Database))
	if err != nil {
		return nil, err
	}
	defer notes.Close()
	r := &hookLogResult{}
	if r.Receipts, err = notes.Receipts(ctx); err != nil {
		return nil, err
	}
	r.Injections, err = notes.Ledger(ctx, most)
	return r, err
}

// Print implements cli.Result.
func (r *hookLogResult) Print(p *cli.Printer) {
	if len(r.Receipts) == 0 {
		p.Line("no hook has run: lcm-tui install claude-code registers them")
		return
	}
	var rows [][]string
	for _, h := range r.Receipts {
		rows = append(rows, []string{ui.Line(h.Client), ui.Line(h.Event), h.At, ui.Num(h.Times), ui.Num(h.Failures), fmt.Sprintf("%d ms", h.Milliseconds), ui.Line(h.Outcome)})
	}
	p.Table([]cli.Column{{Title: "client"}, {Title: "event"}, {Title: "last"}, {Title: "times", Right: true}, {Title: "failed", Right: true}, {Title: "took", Right: true}, {Title: "outcome", Grows: true}}, rows)
	if len(r.Injections) == 0 {
		return
	}
	p.Write("\n")
	p.Line(plural.Count(len(r.Injections), "text was", "texts were") + " put into contexts:")
	rows = nil
	for _, i := range r.Injections {
		rows = append(rows, []string{i.At, ui.Line(i.Client), ui.Line(i.Event), ui.Num(int64(i.Characters)), ui.Line(i.Session), ui.Line(strings.Join(i.IDs, " "))})
	}
	p.Table([]cli.Column{{Title: "at"}, {Title: "client"}, {Title: "event"}, {Title: "characters", Right: true}, {Title: "session"}, {Title: "summaries", Grows: true}}, rows)
}
