package read

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	sinceBackup, live, reverse bool
	beforeRecord               *cli.IntegerFlag
	rows, health, search, own  bool
	lines                      bool
	limit                      *cli.IntegerFlag
}

// diffLimit is how many rows of a change are shown of a table where nobody says.
const diffLimit = 20

func diffCommand(a *cli.App) *cobra.Command {
	d := &diffFlags{beforeRecord: cli.AtLeast(1, "ID"), limit: cli.AtLeast(1, "N").Preset(diffLimit)}
	cmd := a.Command(cli.GroupCare, "diff [OTHER.db] [CONV]", "Compare two databases as conversations", d.run)
	cmd.Long = `Compares the database with another one, conversation by conversation: which were added,
removed, archived or renamed, and how many messages, summaries, context items, files and
state rows differ. It goes from the database to OTHER.db: added is what only OTHER.db has.
With CONV, a conversation of the database, it lists the rows; a text that differs is shown
as a difference. Redacted, forgotten and squeezed texts are named so.

Instead of OTHER.db the database itself can be the later one: --since-backup compares its
newest backup with it, --before-record what it was before a record with what it is now, and
--live shows what the host does from now on, until ctrl-c.

Where one file was copied from the other, rows are found by their ids, else by what they
mean. Tables and columns that only one file has are named and not compared. Times are
compared as instants. The exit code is 0 if the files are equal and 5 if they differ.

Writes nothing.`
	cmd.Example = `# What a restore of a backup would change:
lcm-tui diff lcm.db.lcm-tui-20260501T120000Z.bak
# What has changed in conversation 12 since the newest backup:
lcm-tui diff --since-backup 12
# All rows, one JSON object a line:
lcm-tui diff OTHER.db --rows --json-lines
# What the host does in one turn:
lcm-tui diff --live agent:main:main`
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&d.sinceBackup, "since-backup", false, "compare the newest backup beside the database with the database")
	fs.Var(d.beforeRecord, "before-record", "compare what the database was before a record of lcm-tui with what it is now")
	fs.BoolVar(&d.live, "live", false, "show what changes from now on, until ctrl-c")
	fs.BoolVar(&d.reverse, "reverse", false, "go from OTHER.db to the database")
	fs.BoolVar(&d.rows, "rows", false, "list the rows of every conversation")
	fs.BoolVar(&d.health, "health", false, "check both files, and list the faults that are new or gone")
	fs.Var(d.limit, "limit", "the greatest number of rows of a table that are listed for each change of a conversation")
	fs.BoolVar(&d.search, "search-tables", false, "compare the texts in the search tables too")
	fs.BoolVar(&d.own, "own-tables", false, "compare the tables of lcm-tui too")
	fs.BoolVar(&d.lines, "json-lines", false, "print one JSON object a line: the files, each conversation, then its rows")
	cmd.ValidArgsFunction = d.complete(a)
	return cmd
}

// replacesOther reports whether a flag says what the database is compared with.
func (d *diffFlags) replacesOther() bool { return d.sinceBackup || d.live || d.beforeRecord.IsSet }

// complete completes OTHER.db as a file, and CONV.
func (d *diffFlags) complete(a *cli.App) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		place := len(args)
		if d.replacesOther() {
			place++
		}
		switch place {
		case 0:
			return nil, cobra.ShellCompDirectiveDefault
		case 1:
			return a.CompleteConversation(cmd, args, begun)
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

func (d *diffFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if err := d.check(c); err != nil {
		return nil, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	if d.live {
		return d.watch(ctx, c, db)
	}
	before, after, err := d.files(ctx, c, db)
	if err != nil {
		return nil, err
	}
	defer before.close()
	defer after.close()
	for _, f := range []*diffFile{before, after} {
		if f.db != db {
			c.CommandWarnings = append(c.CommandWarnings, f.db.Warnings()...)
		}
	}
	request, err := d.request(ctx, c, before.db, after.db)
	if err != nil {
		return nil, err
	}
	request.Lineage, request.Rebuilt = before.lineage, before.rebuilt
	return d.compare(ctx, c, before, after, request)
}

// check refuses arguments that don't fit the flags.
func (d *diffFlags) check(c *cli.Invocation) error {
	hasConversation := len(c.Args) > 1 || d.replacesOther() && len(c.Args) > 0
	switch {
	case d.rows && hasConversation:
		return cli.UsageErrorf("--rows and CONV exclude each other: one conversation is listed with its rows")
	case d.limit.IsSet && !d.rows && !hasConversation:
		return cli.UsageErrorf("--limit needs CONV or --rows: conversations are listed all")
	case d.replacesOther() && len(c.Args) > 1:
		return cli.UsageErrorf("diff: %q is one too many: a flag says what the database is compared with", c.Args[1])
	case !d.replacesOther() && len(c.Args) == 0:
		return cli.UsageErrorf("diff: expected %s, or --since-backup, --before-record or --live", cli.ArgumentKinds["OTHER.db"])
	}
	return nil
}

// request says what is compared. The conversation is looked for in the database, which c has
// open, and where it has none of that name in the other file.
func (d *diffFlags) request(ctx context.Context, c *cli.Invocation, before, after *data.DB) (r diff.Request, err error) {
	r = diff.Request{Search: d.search, Own: d.own}
	name := c.Args
	if !d.replacesOther() {
		name = c.Args[1:]
	}
	if len(name) == 0 {
		return r, nil
	}
	if err := cli.CheckName("CONV", name[0]); err != nil {
		return r, err
	}
	first, second, to, other := before, after, &r.Before, &r.After
	if before != c.DB {
		first, second, to, other = after, before, other, to
	}
	if *to, err = findExisting(ctx, first, name[0]); err == nil {
		return r, nil
	}
	if *other, _ = findExisting(ctx, second, name[0]); *other != 0 {
		*to, err = 0, nil
	}
	return r, err
}

// findExisting returns the id of the conversation that an argument names in a database, which has it.
func findExisting(ctx context.Context, db *data.DB, name string) (int64, error) {
	id, err := cli.FindConversation(ctx, db, "CONV", name)
	if err != nil {
		return 0, err
	}
	_, err = lcm.ReadConversation(ctx, db, id)
	if err != nil {
		return 0, cli.UnknownConversation(ctx, db, err)
	}
	return id, nil
}

// compare compares two files, and reads the rows where they are asked for.
func (d *diffFlags) compare(ctx context.Context, c *cli.Invocation, before, after *diffFile, r diff.Request) (cli.Result, error) {
	comparison, err := diff.Open(ctx, before.db, after.db, r)
	if err != nil {
		return nil, err
	}
	report, err := comparison.Report(ctx, c.Progress())
	if err == nil && d.health {
		limits := integrity.LimitsOf(c.HostSettings(nil).Settings)
		report.Health, err = comparison.Health(ctx, diff.HealthRequest{FilesDir: c.Locations.FilesDir, Limits: limits}, c.Progress())
	}
	if err != nil {
		return nil, errors.Join(err, comparison.Close())
	}
	before.describe(&report.Before)
	after.describe(&report.After)
	report.Notes = append(report.Notes, before.notes...)
	d.setExit(c, report)
	if d.lines {
		err = d.printLines(ctx, c, comparison, report)
		return nil, errors.Join(err, comparison.Close())
	}
	err = d.addDetails(ctx, comparison, report)
	return &diffResult{Report: report}, errors.Join(err, comparison.Close())
}

// setExit sets the exit code that a report has.
func (d *diffFlags) setExit(c *cli.Invocation, r *diff.Report) {
	switch {
	case len(r.Unreadable) > 0:
		c.Exit = cli.ExitFailed
	case !r.Equal:
		c.Exit = cli.ExitFindings
	}
}

// addDetails reads the rows of the conversation that was asked for, or of all.
func (d *diffFlags) addDetails(ctx context.Context, comparison *diff.Comparison, r *diff.Report) (err error) {
	if !d.rows && !comparison.IsOne() {
		return nil
	}
	limits := d.rowLimits()
	if !comparison.IsOne() {
		limits.Bytes = diffBytesOfMany
	}
	for _, conv := range r.Conversations {
		if conv.Details, err = comparison.Details(ctx, conv, limits); err != nil {
			return err
		}
	}
	return nil
}

// rowLimits returns how much of what differs is read.
func (d *diffFlags) rowLimits() filepair.Limits {
	if d.lines && !d.limit.IsSet {
		return filepair.Limits{}
	}
	return filepair.Limits{Rows: int(d.limit.Value), Bytes: diffBytes}
}

// diffBytes is how much of a text is shown, in bytes.
const (
	diffBytes       = 1 << 16
	diffBytesOfMany = 1 << 12 // Where the rows of every conversation are listed.
)
