package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// doctoring is how a file is checked.
type doctoring struct {
	faults       faultList
	failOn, show *choice
	explain      words
	list         bool
	all, summary bool
	repairing    handover
	paging       paging
}

// bareExplain is --explain without an id.
const bareExplain = "all"

func (a *app) doctor() *cobra.Command {
	d := doctoring{failOn: oneOf("", severities()...), show: oneOf(string(integrity.Info), severities()...)}
	cmd := a.command(groupBrowse, "doctor [CONV]", "Find damage, in a conversation or the whole file", d.run)
	cmd.Long = `Looks for damage in the whole file or in one conversation, and says what you would
suffer from, where it is, and what mends it. With --fail-on it exits with 5 if something
so bad or worse was found. --explain ID prints the page of a fault. Writes nothing but
with --apply, which repairs the summaries of CONV that no model wrote, or what --fault
names, as lcm-tui repair CONV --fault Q01 --apply does; --show-diff has their texts made
and shows them, and with flags about the model alone it says what that would take.`
	cmd.Example = "  lcm-tui doctor\n  lcm-tui doctor 12 --fault C06,C07\n  lcm-tui doctor --fail-on error --json\n  lcm-tui doctor --explain C06"
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(&d.faults, "fault", "these faults only, such as C06,Q01, or all of a letter")
	fs.Var(d.show, "severity", "show what is so bad or worse")
	fs.Var(d.failOn, "fail-on", "exit with 5 if something so bad or worse was found")
	fs.BoolVar(&d.summary, "summary", false, "only count, by conversation")
	fs.BoolVar(&d.all, "all", false, "count in the whole file, by conversation")
	d.explain.noun = "ID"
	fs.Var(&d.explain, "explain", "print the page of a fault; without an id list them")
	fs.Lookup("explain").NoOptDefVal = bareExplain
	fs.BoolVar(&d.list, "list", false, "list all faults")
	d.paging.bind(cmd)
	d.repairing.bind(cmd)
	_ = cmd.RegisterFlagCompletionFunc("fault", completeFaults)
	_ = cmd.RegisterFlagCompletionFunc("explain", completeFaults)
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if cmd.Flags().Changed("explain") {
			return completeFaults(cmd, args, begun)
		}
		return a.completeArguments(cmd, args, begun)
	}
	return cmd
}

func severities() (out []string) {
	for _, s := range integrity.Severities() {
		out = append(out, string(s))
	}
	return out
}

func (d *doctoring) run(ctx context.Context, c *call) (result, error) {
	switch {
	case len(c.args) == 1 && (d.list || d.explain.value != "" && d.explain.value != bareExplain):
		return nil, misused("doctor: %q is one too many: a catalogue says nothing about a conversation", c.args[0])
	case d.explain.value == bareExplain && len(c.args) == 1:
		return explained(c.args[0])
	case d.list, d.explain.value == bareExplain:
		return &faultPages{Faults: integrity.Faults()}, nil
	case d.explain.value != "":
		return explained(d.explain.value)
	}
	if d.repairing.wanted() {
		return d.repairing.run(ctx, c, d.faults.ids)
	}
	found, conv, err := d.check(ctx, c)
	if err != nil {
		return nil, err
	}
	if worst := integrity.Severity(d.failOn.value); worst != "" && len(found.AtLeast(worst).Findings) > 0 {
		c.exit = exitFindings
	}
	shown := found.AtLeast(integrity.Severity(d.show.value))
	if d.all || d.summary {
		counts, err := c.countFindings(ctx, shown, conv)
		if err == nil {
			counts.Conversations, counts.Next, err = pageOf(&d.paging, counts.Conversations, func(r conversationCounts) string { return strconv.FormatInt(r.Conversation, 10) })
		}
		return counts, err
	}
	out := &diagnosis{
		Diagnosis: shown, path: c.locations.Database, conv: conv,
		whole: len(d.faults.ids) == 1 || d.paging.limit.set, left: len(found.Findings) - len(shown.Findings),
	}
	out.Findings, out.Next, err = pageOf(&d.paging, out.Findings, nameOfFinding)
	return out, err
}

// nameOfFinding is what a finding is called by: its fault and its place.
func nameOfFinding(f integrity.Finding) string {
	return fmt.Sprintf("%s:%d:%s:%s", f.Fault, f.Conversation, f.Table, f.Row)
}

// check checks what the arguments name. A file so damaged that it can't be opened is
// found to be just that.
func (d *doctoring) check(ctx context.Context, c *call) (found integrity.Diagnosis, conv int64, err error) {
	var db *data.DB
	c.told = true
	if len(c.args) == 0 {
		db, err = c.open(ctx)
	} else {
		var row data.Conversation
		db, row, err = c.openConversation(ctx)
		conv = row.ID
	}
	switch {
	case errors.Is(err, data.ErrDamaged), errors.Is(err, data.ErrNotSQLite):
		c.exit = exitFailed
		return integrity.Unreadable(err), conv, nil
	case err != nil:
		return found, conv, err
	}
	limits := integrity.LimitsOf(c.configured(nil).Settings)
	r := integrity.Request{Conversation: conv, Faults: d.faults.ids, FilesDir: c.locations.FilesDir, Limits: limits}
	unfinished, err := db.UnfinishedChanges(ctx)
	if err != nil {
		c.caveats = append(c.caveats, err)
	}
	for _, u := range unfinished { // Its undo is better than the repair of what it left.
		c.caveats = append(c.caveats, u)
	}
	found, err = integrity.Check(ctx, db, r, c.progress())
	return found, conv, err
}
