package change

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
)

// doctorFlags are the flags of doctor.
type doctorFlags struct {
	faults       faultList
	failOn, show *cli.ChoiceFlag
	explain      cli.TextFlag
	list         bool
	all, summary bool
	repairing    doctorRepair
	installation installationCheck
	paging       cli.Paging
}

// bareExplain is --explain without an id.
const bareExplain = "all"

func doctorCommand(a *cli.App) *cobra.Command {
	d := doctorFlags{failOn: cli.OneOf("", severities()...), show: cli.OneOf(string(integrity.Info), severities()...)}
	cmd := a.Command(cli.GroupBrowse, "doctor [CONV]", "Find damage, in a conversation or the whole file", d.choose)
	cmd.Long = `Looks for damage in the whole file or in one conversation, and says what its symptom is,
where it is, and what repairs it. What is worst comes first. With --fail-on the exit code
is 5 if something so bad or worse was found. --explain ID explains a fault. Writes nothing
without --apply, which repairs the summaries of CONV that no model wrote, or what --fault
names, as lcm-tui repair CONV --fault Q01 --apply does. --show-diff generates the texts of
these summaries and shows what differs; with model flags alone the cost is estimated.

With --installation it looks instead at what lcm-tui install wrote for coding agents: whether
their files are valid, the hooks complete and trusted, the programs there, and whether the
server answers, whether they ran since, and how often they failed. --fix shows what repairs
the findings, and with --apply does it; --trust has Codex trust these hooks as well.`
	cmd.Example = "  lcm-tui doctor\n  lcm-tui doctor 12 --fault C06,C07\n  lcm-tui doctor --fail-on error --json\n  lcm-tui doctor --explain C06\n  lcm-tui doctor --installation\n  lcm-tui doctor --installation --client codex --fix"
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(&d.faults, "fault", "look for these faults only, such as C06,Q01, or for all of a letter")
	fs.Var(d.show, "severity", "show only what is so bad or worse: info, warn, error or fatal")
	fs.Var(d.failOn, "fail-on", "exit with 5 if something so bad or worse was found: info, warn, error or fatal")
	fs.BoolVar(&d.summary, "summary", false, "count the findings of each conversation")
	fs.BoolVar(&d.all, "all", false, "count the findings of each conversation of the file")
	d.explain.Noun = "ID"
	fs.Var(&d.explain, "explain", "explain a fault; without an id list all faults")
	fs.Lookup("explain").NoOptDefVal = bareExplain
	fs.BoolVar(&d.list, "list", false, "list all faults")
	d.paging.Bind(cmd)
	d.repairing.bind(cmd)
	d.installation.bind(cmd)
	a.CompleteFlag(cmd, "fault", completeFaults)
	a.CompleteFlag(cmd, "explain", completeFaults)
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if cmd.Flags().Changed("explain") {
			return completeFaults(cmd, args, begun)
		}
		return a.CompleteArguments(cmd, args, begun)
	}
	return cmd
}

func severities() (out []string) {
	for _, s := range integrity.Severities() {
		out = append(out, string(s))
	}
	return out
}

// choose looks at the installation or at a database.
func (d *doctorFlags) choose(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if d.installation.requested {
		return d.installation.run(ctx, c, integrity.Severity(d.failOn.Value), d.repairing.apply)
	}
	return d.run(ctx, c)
}

func (d *doctorFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	switch {
	case len(c.Args) == 1 && (d.list || d.explain.Value != "" && d.explain.Value != bareExplain):
		return nil, cli.UsageErrorf("doctor: %q is one too many: a list of faults isn't about a conversation", c.Args[0])
	case d.explain.Value == bareExplain && len(c.Args) == 1:
		return explainFault(c.Args[0])
	case d.list, d.explain.Value == bareExplain:
		return &faultPages{Faults: integrity.Faults()}, nil
	case d.explain.Value != "":
		return explainFault(d.explain.Value)
	}
	if d.repairing.requested() {
		return d.repairing.run(ctx, c, d.faults.ids)
	}
	found, conv, err := d.check(ctx, c)
	if err != nil {
		return nil, err
	}
	if worst := integrity.Severity(d.failOn.Value); worst != "" && len(found.AtLeast(worst).Findings) > 0 {
		c.Exit = cli.ExitFindings
	}
	shown := found.AtLeast(integrity.Severity(d.show.Value))
	if d.all || d.summary {
		counts, err := countFindings(ctx, c, shown, conv)
		if err == nil {
			counts.Conversations, counts.Next, err = cli.PageOf(&d.paging, counts.Conversations, func(r conversationCounts) string { return strconv.FormatInt(r.Conversation, 10) })
		}
		return counts, err
	}
	out := &diagnosis{
		Diagnosis: shown, path: c.Locations.Database, conv: conv,
		whole: len(d.faults.ids) == 1 || d.paging.Limit.IsSet, hidden: len(found.Findings) - len(shown.Findings),
	}
	if c.DB != nil {
		out.conversations, err = lcm.Conversations(ctx, c.DB)
		if err != nil && !errors.Is(err, data.ErrDamaged) {
			return nil, err
		}
	}
	out.Findings, out.Next, err = cli.PageOf(&d.paging, out.Findings, findingID)
	return out, err
}

// findingID identifies a finding in a list, for --cursor: its fault, its conversation and its row.
func findingID(f integrity.Finding) string {
	return fmt.Sprintf("%s:%d:%s:%s", f.Fault, f.Conversation, f.Table, f.Row)
}

// check checks the conversation that the arguments name, or the file. A file that is too
// damaged to be opened has that as its one finding.
func (d *doctorFlags) check(ctx context.Context, c *cli.Invocation) (found integrity.Diagnosis, conv int64, err error) {
	var db *data.DB
	c.Reported = true
	if len(c.Args) == 0 {
		db, err = c.Open(ctx)
	} else {
		var row lcm.Conversation
		db, row, err = c.OpenConversation(ctx)
		conv = row.ID
	}
	switch {
	case errors.Is(err, data.ErrDamaged), errors.Is(err, data.ErrNotSQLite):
		c.Exit = cli.ExitFailed
		return integrity.Unreadable(err), conv, nil
	case err != nil:
		return found, conv, err
	}
	conf := c.HostSettings(nil)
	c.WarnOfConfiguration(conf, db.Kind())
	limits := integrity.LimitsOf(conf.Settings)
	switch of, ok := db.Replica(); {
	case !ok || db.IsHome() && conv != 0:
	case db.IsHome():
		c.CommandWarnings = append(c.CommandWarnings, hint.New("pages and large files weren't checked: the files of a home are the server's, and large payloads lie on the machines that imported them",
			"the server checks its own files: pg_amcheck"))
	default:
		c.CommandWarnings = append(c.CommandWarnings, checkedElsewhere(ctx, of, db.Now()))
	}
	r := integrity.Request{Conversation: conv, Faults: d.faults.ids, FilesDir: c.Locations.FilesDir, Limits: limits}
	unfinished, err := change.UnfinishedChanges(ctx, db)
	if err != nil {
		c.CommandWarnings = append(c.CommandWarnings, err)
	}
	for _, u := range unfinished { // To undo it is better than to repair what it left.
		c.CommandWarnings = append(c.CommandWarnings, u)
	}
	found, err = integrity.Check(ctx, db, r, c.Progress())
	if err == nil && conv == 0 && len(d.faults.ids) == 0 {
		bySeverity := map[string]int{}
		for _, s := range integrity.Severities() {
			bySeverity[string(s)] = 0
		}
		for _, f := range found.Findings {
			bySeverity[string(f.Severity)]++
		}
		c.NoteCheck(ctx, bySeverity, len(found.AtLeast(integrity.Error).Findings))
	}
	return found, conv, err
}

// checkedElsewhere says what of a replica was checked on the machine of its file, and when.
func checkedElsewhere(ctx context.Context, of *data.Replica, now time.Time) error {
	const parts = "the pages, references, search tables, secrets and large files of "
	next := "run doctor on " + of.Host + ", where the file is: " + of.File
	_, at, err := of.Findings(ctx)
	switch {
	case err != nil || at.IsZero():
		return hint.New(parts+of.Source+" weren't checked: a replica doesn't have them", next)
	case of.OnlySummaries:
		return hint.New("all findings about "+of.Source+" were made on "+of.Host+", "+ui.Ago(at, now)+": the replica has no messages to check", next)
	}
	return hint.New(parts+of.Source+" were checked on "+of.Host+", "+ui.Ago(at, now)+"; all else now", next)
}
