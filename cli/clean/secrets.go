package clean

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/sessiondb"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/hint"
	sweep "lcm-tui/ops/secrets"
)

// secretsFlags are the flags of secrets.
type secretsFlags struct {
	class                       cli.ChoiceListFlag
	rules, choose               namesFlag
	since                       cli.TimePoint
	files, transcripts, backups bool
	patterns, keepBackup        cli.TextFlag
	failOn                      *cli.ChoiceFlag

	apply, dry, irreversible, forgetHashes bool
	paging                                 cli.Paging
	planOut                                cli.TextFlag
}

func secretsCommand(a *cli.App) *cobra.Command {
	var classes []string
	for _, c := range redact.Classes() {
		classes = append(classes, string(c))
	}
	f := &secretsFlags{
		class: cli.ChoiceListFlag{Words: classes}, failOn: cli.OneOf("", classes...), rules: namesFlag{noun: "RULE"}, choose: namesFlag{noun: "N"},
		patterns: cli.TextFlag{Noun: "FILE"}, keepBackup: cli.TextFlag{Noun: "FILE"},
	}
	cmd := a.Command(cli.GroupCare, "secrets [CONV...]", "Find passwords, keys and tokens, and replace them for good", f.run)
	cmd.Long = `Looks for passwords, keys and tokens in every text of every table: messages, tool calls,
summaries, search tables, and the records of this program. A finding is sure (the format of a
vendor, a private key, the password of a URL), likely (a random value that is assigned to a
name such as api_key) or maybe (what a sentence calls a password). Values are never printed.
With --fail-on the exit code is 5 if something so certain was found. Writes nothing without
--apply.

--apply --irreversible replaces the sure ones, or those that --choose names, by placeholders
such as [REDACTED:github-token#3], wherever they stand in the file, rewrites the file, because
its pages may hold what was replaced, and proves that they are gone. While another program has
the database open it can't be rewritten: then the exit code is 1, and the same command finishes
it later. A text by which other places refer to something, such as a session key, stays.
There is no undo, and no backup unless --keep-backup names a file: it would keep them.
With --transcripts the session files are changed as well, after the rows, which needs the host
stopped: it can then compare their texts again. Backups and trash are listed and never changed:
give the same command for each of them with --db FILE.

secrets test [FILE] scans a file, or standard input without one or for -. secrets rules lists
the rules. secrets ignore FINDING and unignore FINDING take a finding off the list and put it
back. Rules of your own stand in lcm-tui/secrets.toml in the folder for configuration.`
	cmd.Example = `  lcm-tui secrets
  lcm-tui secrets 12 --class sure,likely,maybe --json
  lcm-tui secrets --apply --irreversible
  lcm-tui secrets --transcripts --files --apply --irreversible
  lcm-tui secrets --choose assigned-secret#4 --apply --irreversible
  lcm-tui secrets test notes.txt`
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(&f.class, "class", "show only these: sure, likely, maybe (default: sure,likely)")
	fs.Var(&f.rules, "rule", "look for what these rules find only; secrets rules lists them")
	fs.Var(&f.since, "since", "show only what is from this time on, such as 2026-01-05")
	fs.BoolVar(&f.files, "files", false, "large files on disk too")
	fs.BoolVar(&f.transcripts, "transcripts", false, "session files too; with --apply the host must be stopped")
	fs.BoolVar(&f.backups, "backups", false, "look at backups and trash beside the database too; not with --apply")
	fs.Var(&f.patterns, "patterns", "more rules: a file with a regular expression in each line")
	fs.Var(f.failOn, "fail-on", "exit with 5 if something so certain was found: maybe, likely or sure")
	fs.BoolVar(&f.apply, "apply", false, "replace them; needs --irreversible")
	fs.BoolVar(&f.irreversible, "irreversible", false, "confirm that it can't be undone")
	fs.BoolVar(&f.dry, "dry-run", false, "only show what was found (the default)")
	fs.Var(&f.choose, "choose", "replace these findings: numbers, or rules with numbers such as github-token#3")
	fs.Var(&f.keepBackup, "keep-backup", "copy the database to this file first, with the secrets")
	fs.BoolVar(&f.forgetHashes, "forget-hashes", false, "compute the identity hashes of changed messages again, also of active conversations")
	cli.BindPlanOut(fs, &f.planOut)
	f.paging.Bind(cmd)
	a.CompleteFlag(cmd, "rule", completeRules)
	return cmd
}

// completeRules completes the ids of rules.
func completeRules(*cobra.Command, []string, string) (ids []string, _ cobra.ShellCompDirective) {
	for _, r := range redact.BuiltIn() {
		ids = append(ids, cli.DescribeCompletion(r.ID, r.About))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func (f *secretsFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	scanner, err := f.scanner(c)
	if err != nil {
		return nil, err
	}
	switch c.Action {
	case "rules":
		return newRuleList(scanner), nil
	case "test":
		return f.test(c, scanner)
	case "ignore", "unignore":
		return ignoreFindings(ctx, c, scanner, c.Action == "ignore", c.Args)
	}
	request, err := f.request(ctx, c, scanner)
	if err != nil {
		return nil, err
	}
	next, err := f.next(c.DB)
	if err != nil {
		return nil, err
	}
	switch {
	case f.apply && !f.irreversible:
		return nil, cli.UsageErrorf("secrets: --apply needs --irreversible as well: the secrets are in no record, so there is no undo")
	case f.apply && f.dry:
		return nil, cli.UsageErrorf("secrets: --apply and --dry-run exclude each other")
	}
	if f.apply || f.planOut.Value != "" {
		return f.replace(ctx, c, request)
	}
	found, err := sweep.Find(ctx, c.DB, request, c.Progress())
	if err != nil {
		return nil, err
	}
	if least := redact.Class(f.failOn.Value); least != "" && found.Counts.AtLeast(least) > 0 {
		c.Exit = cli.ExitFindings
	}
	out := &secretsResult{Report: found, path: c.DB.Path(), next: next, scope: len(request.Conversations) > 0, ignored: len(request.Ignored)}
	if !f.backups {
		out.Unscanned = sweep.Copies(c.DB.Path())
	}
	out.Findings, out.Next, err = cli.PageOf(&f.paging, found.Findings, func(f sweep.Finding) string { return f.ID })
	if err == nil {
		c.Partial = true
		err = change.CheckPages(ctx, c.DB)
	}
	return out, err
}

// next says how what was found is replaced. At a home it fails where more is asked for than to look.
func (f *secretsFlags) next(db *data.DB) (string, error) {
	if !db.IsHome() {
		return "lcm-tui secrets --apply --irreversible replaces the sure ones; --choose names others; ", nil
	}
	const inSQL = "replace them in SQL, and VACUUM FULL on the server then: docs/fleet.md says how"
	if f.apply || f.planOut.Value != "" || f.backups {
		why := "secrets only looks for secrets in the home " + db.Path() + ": replacing them overwrites pages of a file, with trash and backups beside it, and a home has none"
		return "", hint.New(why, inSQL)
	}
	return inSQL + "; ", nil
}

// request opens the database and says what is looked for.
func (f *secretsFlags) request(ctx context.Context, c *cli.Invocation, scanner *redact.Scanner) (r sweep.Request, err error) {
	db, err := c.Open(ctx)
	if err != nil {
		return r, err
	}
	r = sweep.Request{Scanner: scanner, Classes: []redact.Class{redact.Sure, redact.Likely}, Rules: f.rules.values, Since: f.since.At}
	if len(f.class.Values) > 0 || len(f.choose.values) > 0 {
		r.Classes = nil
	}
	for _, class := range f.class.Values {
		r.Classes = append(r.Classes, redact.Class(class))
	}
	for _, rule := range f.rules.values {
		if !slices.ContainsFunc(scanner.Rules(), func(r redact.Rule) bool { return r.ID == rule }) {
			return r, cli.UsageErrorf("secrets: there is no rule %q; lcm-tui secrets rules lists them", rule)
		}
	}
	for _, arg := range c.Args {
		id, err := c.Conversation(ctx, "CONV", arg)
		if err == nil {
			err = checkConversation(ctx, db, id)
		}
		if err != nil {
			return r, err
		}
		r.Conversations = append(r.Conversations, id)
	}
	if f.files {
		r.FilesDir = c.Locations.FilesDir
	}
	if f.transcripts {
		if r.Transcripts, err = transcriptFiles(ctx, db, c.Locations); err != nil {
			return r, err
		}
	}
	if f.backups {
		r.Others = sweep.Copies(db.Path())
	}
	r.Ignored, err = cli.SecretConfig(c.Sys.Env).IgnoredIn(db.Path())
	return r, err
}

// checkConversation fails where a file has no conversation with an id, and no message that says it is of one.
func checkConversation(ctx context.Context, db *data.DB, id int64) error {
	_, missing := lcm.ReadConversation(ctx, db, id)
	if !errors.Is(missing, data.ErrNotFound) {
		return missing
	}
	messages, items, err := lcm.CountMessagesAndItems(ctx, db, id)
	if err != nil || messages > 0 || items > 0 {
		return err
	}
	return cli.UnknownConversation(ctx, db, missing)
}

// transcriptFiles returns the session files of all agents of a host, closed ones too, those that
// the conversations of a database follow, and the databases of sessions that hosts of 1.0 keep.
func transcriptFiles(ctx context.Context, db *data.DB, l openclaw.Locations) ([]string, error) {
	found := l.InAgents("sessions", "*.jsonl*")
	if db.Kind().Generation == data.GenerationOne {
		for _, agent := range l.Agents() {
			if path := filepath.Join(agent.Folder, sessiondb.FileName); data.CheckFile(path) == nil {
				found = append(found, path)
			}
		}
	}
	followed, err := lcm.Bootstraps(ctx, db)
	for _, b := range followed {
		if info, err := os.Lstat(b.Path); err == nil && info.Mode().IsRegular() {
			found = append(found, b.Path)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), err
}

// scanner returns the scanner of all rules: those of the program, of the user's file and of --patterns.
func (f *secretsFlags) scanner(c *cli.Invocation) (*redact.Scanner, error) {
	var rules []redact.Rule
	if f.patterns.Value != "" {
		text, err := os.ReadFile(f.patterns.Value)
		if err != nil {
			return nil, cli.UsageErrorf("--patterns: %v", err)
		}
		rules = redact.ParsePatterns(string(text))
	}
	return cli.SecretConfig(c.Sys.Env).Scanner(rules...)
}

// test scans a file or standard input.
func (f *secretsFlags) test(c *cli.Invocation, scanner *redact.Scanner) (cli.Result, error) {
	name, in := "-", c.Sys.In
	if len(c.Args) > 0 && c.Args[0] != "-" {
		name = c.Args[0]
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	out := &secretsTest{Findings: []testedSecret{}, name: name}
	for _, found := range scanner.Scan(string(text)) {
		if len(f.rules.values) > 0 && !slices.Contains(f.rules.values, found.Rule) || len(f.class.Values) > 0 && !slices.Contains(f.class.Values, string(found.Class)) {
			continue
		}
		before := text[:found.Start]
		line := strings.Count(string(before), "\n") + 1
		out.Findings = append(out.Findings, testedSecret{found.Rule, found.Class, line, found.Start - strings.LastIndexByte(string(before), '\n'), found.Secret.Masked(), found.Secret.Len()})
		if least := redact.Class(f.failOn.Value); least != "" && found.Class.AtLeast(least) {
			c.Exit = cli.ExitFindings
		}
	}
	return out, nil
}
