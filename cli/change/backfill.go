package change

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/data"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
)

// importFlags is the flags of backfill.
type importFlags struct {
	*compactFlags
	apply, dry, after   bool
	archived, all       bool
	recompact, bare     bool // Bare: a session of an agent was named, and no compaction.
	implied             bool // Flags that say how to compact ask for the compaction.
	title, sessions, to cli.TextFlag
	planOut             cli.TextFlag
	changed             func(flag string) bool // A flag was given.
}

func backfillCommand(a *cli.App) *cobra.Command {
	k := &importFlags{compactFlags: newCompacting()}
	k.agent.Noun, k.title.Noun, k.sessions.Noun, k.to.Noun = "NAME", "TEXT", "DIR", "CONV"
	k.freshTail = cli.AtLeast(0, "N")
	cmd := a.Command(cli.GroupChange, "backfill [PATH...]", "Import sessions of OpenClaw, Claude Code, Codex and Gemini", k.run)
	cmd.Aliases = []string{"import"}
	cmd.Long = `Imports sessions of OpenClaw, Claude Code, Codex and Gemini CLI.

PATH is a session file, a database in which OpenClaw keeps its sessions, one session in it as
PATH#SESSION, or a folder that holds some; of a client's history.jsonl it imports the prompts
of sessions that are gone, as lcm-tui archive recover does. Two words, AGENT SESSION, name one
session of an agent in the state folder, by its id or session key. --all is every session of
Claude Code, Codex and Gemini CLI; lcm-tui import without PATH is those that ran in this folder.
Each goes to its conversation, which is created if there is none; messages that are stored
already are skipped.
Where a session was reset, what precedes belongs to an archived conversation.
A session with branches is imported along the branch on which it ends. A line that
can't be read is skipped and counted. Sessions of Claude Code, Codex and Gemini CLI are left
out that ran in a folder with a file .lcm-ignore in it or above, or in one that [follow] of
config.toml names.

Without --apply it only shows what would be added. With --apply it writes; a long file is
written as several records, which lcm-tui undo undoes one by one. A flag that says how to
compact, such as --fresh-tail or --provider, has what was added compacted at any size.`
	cmd.Example = `# What is there to import?
lcm-tui backfill ~/.openclaw/agents/main/sessions
lcm-tui backfill ~/.claude/projects ~/.codex/sessions --agent main
# Import it, and compact what has outgrown its context:
lcm-tui backfill session.jsonl --apply --compact --provider extractive
# One session of an agent, as a single summary that another conversation gets:
lcm-tui backfill main 0b5c2a7e --apply --recompact --single-root --fresh-tail 0 --transplant-to 12`
	cmd.ValidArgsFunction = nil // The shell knows paths best.
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&k.apply, "apply", false, "write the change")
	fs.BoolVar(&k.dry, "dry-run", false, "only show what would change (the default)")
	cli.BindPlanOut(fs, &k.planOut)
	fs.Var(&k.agent, "agent", "the agent of new conversations, where the session file names none")
	fs.Var(&k.title, "title", "the title of the new conversation, for a single session file")
	fs.Var(&k.sessions, "sessions", "the folder of the session files, instead of PATH or of the agent's own")
	fs.BoolVar(&k.all, "all", false, "without PATH, the sessions of Claude Code, Codex and Gemini CLI in every folder")
	fs.BoolVar(&k.archived, "archived", false, "also the transcripts in a folder that the host packed when it put them aside")
	fs.BoolVar(&k.after, "compact", false, "with --apply, then compact the conversations that grew over their threshold")
	fs.BoolVar(&k.recompact, "recompact", false, "compact them at any size, also where nothing was added")
	fs.BoolVar(&k.singleRoot, "single-root", false, "condense until one summary is left; with --fresh-tail 0 it covers every message")
	fs.Var(&k.to, "transplant-to", "with --apply, then copy the summaries into this conversation, for a single session file")
	fs.Var(k.freshTail, "fresh-tail", "the number of newest messages that compaction leaves alone (default: as configured)")
	for _, f := range compactionFlags {
		fs.Var(&cli.SettingFlag{To: &k.Assigned, Setting: f.setting, Noun: f.noun}, f.flag, "as the setting "+f.setting)
	}
	k.Bind(cmd)
	k.changed = fs.Changed
	return cmd
}

// maxPlannedRows is how many messages of a single session file are shown row by row.
const maxPlannedRows = 500

// check refuses a name that no agent has. A flag that says how to compact asks for that.
func (k *importFlags) check() error {
	if strings.ContainsAny(k.agent.Value, ": \t") {
		return cli.UsageErrorf("--agent: expected a name without colons and blanks, not %q", k.agent.Value)
	}
	if !k.after && !k.recompact && slices.ContainsFunc(strings.Fields(compactionFlagNames()), k.changed) {
		k.implied, k.after, k.force = true, true, true
	}
	return nil
}

func (k *importFlags) run(ctx context.Context, c *cli.Invocation) (out cli.Result, err error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	if k.apply {
		if err := c.ReadyToWrite(ctx, db); err != nil {
			return nil, err
		}
	}
	flags, err := k.Settings(c)
	if err != nil {
		return nil, err
	}
	set := c.HostSettings(flags)
	ignored, err := clients.ParseIgnored(set.Own.IgnoredFolders)
	if err != nil {
		return nil, fmt.Errorf("config.toml: %w", err)
	}
	defer c.Sys.LimitMemory(cli.ImportMemory)()
	ctx, done := transcript.KeepOpen(ctx)
	defer func() { err = errors.Join(err, done()) }()
	paths, err := k.paths(ctx, c)
	if err != nil {
		return nil, err
	}
	found, problems := backfill.Find(ctx, paths, k.archived)
	if err := k.checkSingleFile(ctx, c, found); err != nil {
		return nil, err
	}
	request := backfill.Op{Agent: k.agent.Value, Keys: &backfill.Keys{}, Files: c.Locations.FilesDir, Threshold: set.LargeFileTokens(), Title: k.title.Value, Filter: set.SessionFilter(), Ignores: ignored.Has}
	if k.planOut.Value != "" {
		return k.planFile(ctx, c, request, found, problems)
	}
	all := newImports(k.apply)
	sessions, failed := k.sessionsOf(ctx, c, request, found)
	problems = append(problems, failed...)
	for i, o := range sessions {
		path := o.Path
		one, err := k.importFile(ctx, c, o, fileProgress(c, i, len(sessions)))
		if err == nil || len(one.Records) > 0 {
			all.add(one)
		}
		if ctx.Err() != nil {
			return all.stopResult(ctx.Err())
		}
		if err != nil {
			problems = append(problems, k.warnUnknownFile(c, path, err))
			continue
		}
		if len(sessions) == 1 && !k.apply && one.Messages > 0 && one.Messages <= maxPlannedRows {
			if err := all.show(ctx, db, o); err != nil {
				return nil, err
			}
		}
	}
	c.Wipe()
	c.CommandWarnings = append(c.CommandWarnings, problems...)
	return k.finish(ctx, c, all, problems)
}

// sessionsOf returns the imports of transcripts. A history of prompts that is named is those of its sessions of which
// nothing else is left.
func (k *importFlags) sessionsOf(ctx context.Context, c *cli.Invocation, request backfill.Op, found []string) (out []*backfill.Op, problems []error) {
	for _, path := range found {
		if filepath.Base(path) != transcript.HistoryFile || !slices.ContainsFunc(c.Args, func(arg string) bool { return namesFile(arg, path) }) {
			o := request
			o.Path = path
			out = append(out, &o)
			continue
		}
		search := backfill.Recovery{Path: path, Sessions: clients.SessionFolders(c.Sys.Env), Request: request}
		dead, err := search.Find(ctx, c.DB)
		if err != nil {
			problems = append(problems, wrongFile(path, err))
			continue
		}
		out = append(out, dead.Imports...)
		for _, why := range slices.Sorted(maps.Keys(dead.Skipped)) {
			problems = append(problems, &backfill.LeftOutError{Path: path, Why: fmt.Sprintf("%s: %s", plural.Count(dead.Skipped[why], "session", "sessions"), why)})
		}
	}
	return out, problems
}

// planFile writes the plan of importing one session, as one change, into a file.
func (k *importFlags) planFile(ctx context.Context, c *cli.Invocation, o backfill.Op, found []string, problems []error) (cli.Result, error) {
	if len(problems) > 0 {
		return nil, problems[0]
	}
	if len(found) != 1 {
		return nil, cli.UsageErrorf("--plan-out is for a single session, and there are %d", len(found))
	}
	o.Path, o.Whole, c.PlanOut = found[0], true, k.planOut
	r, err := c.Perform(ctx, &o, false)
	return r, wrongFile(o.Path, err)
}

// importFile looks at a session file, and imports it if that is wanted.
func (k *importFlags) importFile(ctx context.Context, c *cli.Invocation, o *backfill.Op, report data.Report) (*importResult, error) {
	defer o.Close()
	db := c.DB
	if !k.apply {
		s, err := o.Survey(ctx, db, report)
		return &importResult{Survey: s}, wrongFile(o.Path, err)
	}
	records, err := o.Import(ctx, db, report)
	return &importResult{Survey: o.Done(), Records: records}, wrongFile(o.Path, err)
}

// warnUnknownFile: a file that only lay in a folder needn't be a session file.
func (k *importFlags) warnUnknownFile(c *cli.Invocation, path string, err error) error {
	var unknown *transcript.UnknownError
	named := slices.ContainsFunc(c.Args, func(arg string) bool { return namesFile(arg, path) })
	switch {
	case named:
	case errors.As(err, &unknown):
		return &backfill.LeftOutError{Path: path, Why: "no session file of a known kind"}
	case errors.Is(err, transcript.ErrEmpty):
		return &backfill.LeftOutError{Path: path, Why: "it is empty"}
	}
	return err
}

// namesFile reports whether an argument names a file, which is given whole.
func namesFile(arg, path string) bool {
	whole, err := filepath.Abs(arg)
	if err == nil {
		whole, err = filepath.EvalSymlinks(whole)
	}
	return err == nil && whole == path
}

// wrongFile says which of many files an error is about.
func wrongFile(path string, err error) error {
	var unknown *transcript.UnknownError
	var filtered *backfill.FilteredError
	if err == nil || errors.As(err, &unknown) || errors.As(err, &filtered) || errors.Is(err, transcript.ErrEmpty) {
		return err // They say it.
	}
	return fmt.Errorf("%s: %w", path, err)
}

// fileProgress returns the progress of one file among many.
func fileProgress(c *cli.Invocation, i, n int) data.Report {
	report := c.Progress()
	return func(done, total int, note string) { report(done, total, fmt.Sprintf("%d/%d %s", i+1, n, note)) }
}

// finish compacts and copies, if that is wanted, and says how it went as a whole.
func (k *importFlags) finish(ctx context.Context, c *cli.Invocation, all *importResults, problems []error) (cli.Result, error) {
	if len(all.Files) == 0 {
		if len(problems) > 0 {
			c.CommandWarnings = c.CommandWarnings[:len(c.CommandWarnings)-1]
			return nil, problems[len(problems)-1]
		}
		return nil, fmt.Errorf("backfill: no session files in %s: %w", filepath.Clean(c.Args[0]), ops.ErrNothing)
	}
	all.total()
	if all.Totals.Messages == 0 {
		c.Exit = cli.ExitNothing
	}
	for _, p := range problems {
		var left *backfill.LeftOutError
		var filtered *backfill.FilteredError
		if !errors.As(p, &left) && !errors.As(p, &filtered) {
			c.Exit = cli.ExitFailed
		}
	}
	if !k.apply {
		return all, k.estimateFollowUp(ctx, c, all)
	}
	if err := k.followUp(ctx, c, all); err != nil {
		return all.stopResult(err)
	}
	return all, k.describeLater(ctx, c, all)
}

// describeLater requests descriptions of the large files that were imported. What keeps it from that is a warning: the
// import is written.
func (k *importFlags) describeLater(ctx context.Context, c *cli.Invocation, all *importResults) error {
	var with []int64
	for _, one := range all.Files {
		if one.Survey.Files > 0 && len(one.Records) > 0 {
			with = append(with, one.Survey.Conversation)
		}
	}
	flags, err := k.Settings(c)
	if err != nil {
		return err
	}
	quiet := &cli.Invocation{App: c.App, Name: c.Name, DB: c.DB} // What is wrong with the settings was said.
	if err := c.DescribeLater(ctx, quiet.HostSettings(flags), with...); err != nil {
		c.CommandWarnings = append(c.CommandWarnings, err)
	}
	return nil
}

// followUp returns what follows an import.
func (k *importFlags) followUp(ctx context.Context, c *cli.Invocation, all *importResults) error {
	if k.recompact || k.after && all.Totals.Messages > 0 {
		if err := k.compact(ctx, c, all); err != nil {
			return err
		}
	}
	if k.to.Value != "" {
		return k.transplant(ctx, c, all)
	}
	return nil
}
