package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/eventlog"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/follow"
	"lcm-tui/ui"
	"lcm-tui/work"
)

// followFlags is which transcripts are followed, and how.
type followFlags struct {
	agent                  cli.TextFlag
	ignored, sessions      cli.RepeatedWords
	once, poll, apply, dry bool
	log                    cli.LogFlag
}

func followCommand(a *cli.App) *cobra.Command {
	k := &followFlags{agent: cli.TextFlag{Noun: "NAME"}, ignored: cli.RepeatedWords{Noun: "FOLDER", Whole: true}, sessions: cli.RepeatedWords{Noun: "PATTERN", Whole: true}}
	cmd := a.Command(cli.GroupAgents, "follow [SESSION...]", "Import sessions of coding agents as they grow", k.run)
	cmd.Long = `Imports what Claude Code, Codex and Gemini CLI append to their session files, within a second,
into the database of lcm-tui init, or the one that --db names. Without SESSION it follows all
their sessions. Claude Code and Gemini CLI delete session files after 30 days; what was imported
stays.

A session gets the session key agent:PROJECT:CLIENT:SESSION, where PROJECT is the folder in
which it runs and a short hash of its path. An answer is imported when it is whole. The
transcripts of OpenClaw aren't followed, since its host stores them itself; nor is a session in
a folder that --ignore-cwd names, [follow] of config.toml, or a file .lcm-ignore in it or above;
nor is one whose key a pattern leaves out: --ignore-session, [follow] of config.toml, or the
settings ignoreSessionPatterns and statelessSessionPatterns.

Without --apply it writes nothing and says what it would follow. With --apply it runs until
ctrl+c; with --once it imports what there is and ends. Nothing is lost while it doesn't run:
the next one goes on where the last one ended. With --json each import is a line, and with
--once they are all in the result.`
	cmd.Example = "  lcm-tui follow\n  lcm-tui follow --apply --once\n  lcm-tui follow ~/.codex/sessions --apply"
	cmd.ValidArgsFunction = nil // The shell knows paths best.
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&k.apply, "apply", false, "import, until ctrl+c")
	fs.BoolVar(&k.dry, "dry-run", false, "only say what would be followed (the default)")
	fs.BoolVar(&k.once, "once", false, "with --apply, import what there is and end")
	fs.BoolVar(&k.poll, "poll", false, "look at the files every second instead of asking the file system what changes")
	k.log.Bind(fs)
	fs.Var(&k.ignored, "ignore-cwd", "import no session that ran in this folder or below; a pattern with * and **; repeatable")
	fs.Var(&k.sessions, "ignore-session", "import no session with this key; a pattern, where * stands for anything but a colon and ** for anything; repeatable")
	fs.Var(&k.agent, "agent", "the agent in the session keys, instead of the project")
	return cmd
}

func (k *followFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	c.OwnDatabase = true
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	set := c.HostSettings(nil)
	own, err := clients.ParseIgnored(set.Own.IgnoredFolders)
	if err != nil {
		return nil, fmt.Errorf("config.toml: %w", err)
	}
	ignored, err := clients.ParseIgnored(k.ignored.Values)
	if err != nil {
		return nil, cli.UsageErrorf("--ignore-cwd: %v", err)
	}
	ignored = append(ignored, own...)
	paths := c.Args
	if len(paths) == 0 {
		paths = slices.DeleteFunc(clients.SessionFolders(c.Sys.Env), func(folder string) bool { return !cli.FileExists(folder) })
	}
	filter := set.SessionFilter()
	filter.Ignore("--ignore-session", k.sessions.Values...)
	request := backfill.Op{Agent: k.agent.Value, Files: c.Locations.FilesDir, Threshold: set.LargeFileTokens(), Filter: filter}
	if !k.apply {
		return preview(ctx, c, db, paths, request, ignored)
	}
	if err := db.Writable(); err != nil {
		return nil, err
	}
	defer c.Sys.LimitMemory(cli.ImportMemory)()
	positions, done, err := openPositions(ctx, c)
	if err != nil {
		return nil, err
	}
	defer done()
	log, closeLog, err := k.openLog(c)
	if err != nil {
		return nil, err
	}
	defer closeLog()
	total := &followResult{Applied: true}
	f := &follow.Follower{
		DB: db, Paths: paths, Poll: k.poll, Positions: positions, Ignores: ignored.Has,
		Request: request,
		Tell: func(one follow.Import) {
			total.add(one)
			if k.once && c.Opts.JSON {
				total.Imports = append(total.Imports, lineOf(one)) // All is one value then.
			} else {
				printImport(c, one)
			}
			logImport(log, one)
			if one.Survey.Files > 0 && len(one.Records) > 0 {
				if err := c.DescribeLater(ctx, set, one.Survey.Conversation); err != nil {
					log.Warn("descriptions", eventlog.Op, "follow", eventlog.Conversation, one.Survey.Conversation, eventlog.Error, err.Error())
				}
			}
			if notes, ok := positions.(*work.Sidecar); ok {
				_ = notes.Counts().AddBadLines(ctx, one.Survey.BadLines) // The import is written.
			}
		},
		Looked: func(ctx context.Context, failing map[string]time.Time) {
			if notes, ok := positions.(*work.Sidecar); ok {
				_ = notes.Counts().NoteTick(ctx, work.FollowService, work.Tick{At: time.Now(), Paths: wholePaths(paths), Failing: failing}) // It is only shown.
			}
		},
	}
	if k.once {
		total.Files, err = f.Once(ctx)
		c.Partial = total.Imported > 0
		if total.Failed > 0 {
			c.Exit = cli.ExitFailed
		}
		return total, cmp.Or(err, f.Busy())
	}
	log.Info("start", eventlog.Op, "follow")
	err = f.Run(ctx)
	log.Info("stop", eventlog.Op, "follow")
	return nil, err
}

// wholePaths returns paths as another process finds them.
func wholePaths(paths []string) (out []string) {
	for _, p := range paths {
		if whole, err := filepath.Abs(p); err == nil {
			out = append(out, whole)
		}
	}
	return out
}

// openLog opens the log. Where imports are printed on the same terminal, or are all there is, only --log-file makes one.
func (k *followFlags) openLog(c *cli.Invocation) (log *slog.Logger, done func(), err error) {
	if !k.log.IsSet() && (k.once || cli.IsTerminal(c.Sys.Err)) {
		return slog.New(slog.DiscardHandler), func() {}, nil
	}
	return k.log.Open(c, slog.LevelInfo)
}

// logImport logs what became of a file.
func logImport(log *slog.Logger, one follow.Import) {
	level, text := slog.LevelInfo, "import"
	if one.Err != nil {
		level, text = slog.LevelWarn, "import failed"
	}
	attrs := []any{eventlog.Op, "follow", eventlog.Client, string(one.Survey.Kind), eventlog.Session, one.Survey.Session, eventlog.Messages, one.Survey.Messages, eventlog.BadLines, one.Survey.BadLines, eventlog.Error, one.Err}
	if one.Survey.Conversation != 0 {
		attrs = append(attrs, eventlog.Conversation, one.Survey.Conversation)
	}
	if n := len(one.Records); n > 0 {
		attrs = append(attrs, eventlog.Record, one.Records[n-1])
	}
	log.Log(context.Background(), level, text, attrs...)
}

// openPositions opens the sidecar of the database; without a folder for it positions are kept while the program
// runs.
func openPositions(ctx context.Context, c *cli.Invocation) (p follow.Positions, done func(), err error) {
	state := openclaw.OwnState(c.Sys.Env)
	if state == "" {
		return nil, func() {}, nil
	}
	s, err := work.Open(ctx, work.Folder(state, c.Locations.Database))
	if err != nil {
		return nil, nil, err
	}
	return s, func() { _ = s.Close() }, nil
}

// preview says what would be followed, and what is left out. Of each session file it reads the beginning.
func preview(ctx context.Context, c *cli.Invocation, db *data.DB, paths []string, request backfill.Op, ignored clients.Ignored) (cli.Result, error) {
	found, problems := follow.List(ctx, paths)
	offsets, err := cli.ImportedOffsets(ctx, c, db)
	if err != nil {
		return nil, err
	}
	r := &followResult{Files: len(found), Paths: paths}
	request.Follow = true
	for _, s := range found {
		request.Path = s.Path
		if why := whyNotFollowed(ctx, db, request, ignored); why != "" {
			r.leaveOut(why)
			continue
		}
		if n := s.Size - offsets[s.Path]; n != 0 {
			r.Behind++
			r.BytesBehind += max(n, 0)
		}
	}
	for _, err := range problems {
		r.Warnings = append(r.Warnings, err.Error())
	}
	return r, ctx.Err()
}

// whyNotFollowed says why the session file at the path of a request isn't imported; empty is that it is. A file that
// can't be read is left to the import, which says why.
func whyNotFollowed(ctx context.Context, db *data.DB, request backfill.Op, ignored clients.Ignored) string {
	if f, err := transcript.Open(ctx, request.Path); err == nil {
		switch {
		case f.Kind == transcript.OpenClaw:
			return "their host stores them itself"
		case ignored.Has(f.Session.CWD):
			return "nothing is kept of their folders"
		}
	}
	why, err := request.WhyLeftOut(ctx, db)
	if err != nil {
		return ""
	}
	return why
}

// followResult is what is followed, or was imported.
type followResult struct {
	Applied     bool     `json:"applied"`
	Paths       []string `json:"paths,omitempty"`
	Files       int      `json:"files"`
	Behind      int      `json:"files_behind"` // With something that isn't imported.
	BytesBehind int64    `json:"bytes_behind"`
	Imported    int      `json:"files_imported"`
	Messages    int      `json:"messages"`
	Failed      int      `json:"files_failed"`
	// LeftOut are the files of sessions that aren't kept, by the reason.
	LeftOut map[string]int `json:"left_out,omitempty"`
	Records []int64        `json:"records,omitempty"`
	Imports []importLine   `json:"imports,omitempty"` // Of one look, what became of each file.
	cli.WarningList
}

// leaveOut counts a session that isn't kept.
func (r *followResult) leaveOut(why string) {
	if r.LeftOut == nil {
		r.LeftOut = map[string]int{}
	}
	r.LeftOut[why]++
}

// printLeftOut says which sessions aren't kept, and why.
func (r *followResult) printLeftOut(p *cli.Printer) {
	for _, why := range slices.Sorted(maps.Keys(r.LeftOut)) {
		p.Block(ui.Line(plural.Count(r.LeftOut[why], "session file is", "session files are") + " left out: " + why))
	}
}

// add counts an import.
func (r *followResult) add(one follow.Import) {
	var filtered *backfill.FilteredError
	if errors.As(one.Err, &filtered) {
		r.leaveOut(filtered.Why)
		return
	}
	r.Messages += one.Survey.Messages
	r.Records = append(r.Records, one.Records...)
	if len(one.Records) > 0 {
		r.Imported++
	}
	if one.Err != nil && !errors.Is(one.Err, follow.ErrHostKeepsIt) {
		r.Failed++
	}
}

// Print implements cli.Result.
func (r *followResult) Print(p *cli.Printer) {
	if r.Applied {
		p.Linef("imported %s from %s of %s", plural.Count(r.Messages, "message", "messages"), plural.Count(r.Imported, "session file", "session files"), ui.Num(int64(r.Files)))
		r.printLeftOut(p)
		return
	}
	for _, path := range r.Paths {
		p.Line("follows " + ui.Line(path))
	}
	p.Linef("%s, %s of them with something new, %s of bytes", plural.Count(r.Files, "session file", "session files"), ui.Num(int64(r.Behind)), ui.Size(r.BytesBehind))
	r.printLeftOut(p)
	p.Line("nothing was written; add --apply to follow them, and --once to import what there is and end")
}

// importLine is an import as a line of JSON.
type importLine struct {
	At           string  `json:"at"`
	Path         string  `json:"path"`
	Conversation int64   `json:"conversation_id,omitempty"`
	Messages     int     `json:"messages"`
	BadLines     int     `json:"bad_line_count,omitempty"`
	Records      []int64 `json:"records,omitempty"`
	Error        string  `json:"error,omitempty"`
}

// lineOf returns an import as it is printed as JSON.
func lineOf(one follow.Import) importLine {
	line := importLine{
		At: data.FormatTimeMillis(time.Now()), Path: one.Path, Conversation: one.Survey.Conversation, Messages: one.Survey.Messages,
		BadLines: one.Survey.BadLines, Records: one.Records,
	}
	if one.Err != nil {
		line.Error = one.Err.Error()
	}
	return line
}

// printImport prints what became of a file as it becomes known.
func printImport(c *cli.Invocation, one follow.Import) {
	line := lineOf(one)
	if c.Opts.JSON {
		out := json.NewEncoder(cli.ControlEscaper{To: c.Sys.Out})
		out.SetEscapeHTML(false)
		_ = out.Encode(line) // The program ends when nobody reads it.
		return
	}
	text := fmt.Sprintf("%s  %s into conversation %d", ui.Line(filepath.Base(one.Path)), plural.Count(line.Messages, "message", "messages"), line.Conversation)
	if line.Error != "" {
		text = strings.TrimPrefix(ui.Line(one.Path)+": "+ui.Line(line.Error), ": ") // A folder that can't be read has its path in the error.
	}
	fmt.Fprintf(c.Sys.Out, "%s  %s\n", time.Now().Format(time.TimeOnly), text)
}
