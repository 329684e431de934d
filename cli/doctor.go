package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// doctoring is how a file is checked.
type doctoring struct {
	faults         faultList
	failOn, show   *choice
	explain        string
	list, explains bool
}

func (a *app) doctor() *cobra.Command {
	d := doctoring{failOn: oneOf("", severities()...), show: oneOf("info", severities()...)}
	cmd := a.command(groupBrowse, "doctor [CONV]", "Find damage, in a conversation or the whole file", d.run)
	cmd.Long = `Looks for damage in the whole file, or in one conversation, and says what it means,
where it is and what mending would do. Writes nothing. With --fail-on it exits with 5
if something so bad or worse was found. --explain ID prints a fault's page, --list
names all faults.`
	cmd.Example = "  lcm-tui doctor\n  lcm-tui doctor 12 --fault C06,C07\n  lcm-tui doctor --fail-on error --json\n  lcm-tui doctor --explain C06"
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(&d.faults, "fault", "these faults only, such as C06,Q01 or all of a group, C")
	fs.Var(d.show, "severity", "what is so bad or worse only")
	fs.Var(d.failOn, "fail-on", "exit with 5 if something so bad or worse was found")
	fs.StringVar(&d.explain, "explain", "", "print the page of a fault")
	fs.BoolVar(&d.list, "list", false, "list all faults")
	_ = cmd.RegisterFlagCompletionFunc("fault", completeFaults)
	_ = cmd.RegisterFlagCompletionFunc("explain", completeFaults)
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
	case d.list:
		return &faultPages{Faults: integrity.Faults()}, nil
	case d.explain != "":
		return explained(d.explain)
	}
	r := integrity.Request{Faults: d.faults.ids}
	db, err := d.scope(ctx, c, &r)
	if err != nil {
		return nil, err
	}
	r.FilesDir = c.locations.FilesDir
	found, err := integrity.Check(ctx, db, r, c.progress())
	if err != nil {
		return nil, err
	}
	if worst := integrity.Severity(d.failOn.value); worst != "" && len(found.AtLeast(worst).Findings) > 0 {
		c.exit = exitFindings
	}
	return &diagnosis{Diagnosis: found.AtLeast(integrity.Severity(d.show.value)), conv: r.Conversation}, nil
}

// scope opens the database, and says which conversation is meant.
func (d *doctoring) scope(ctx context.Context, c *call, r *integrity.Request) (*data.DB, error) {
	if len(c.args) == 0 {
		return c.open(ctx)
	}
	db, conv, err := c.openConversation(ctx)
	r.Conversation = conv.ID
	return db, err
}

// faultList is a flag that takes fault ids, or the letters of their groups.
type faultList struct{ ids []string }

// String implements pflag.Value.
func (l *faultList) String() string { return strings.Join(l.ids, ",") }

// Type implements pflag.Value; help shows it.
func (l *faultList) Type() string { return "IDS" }

// Set implements pflag.Value.
func (l *faultList) Set(s string) error {
	for word := range strings.SplitSeq(strings.ToUpper(s), ",") {
		word = strings.TrimSpace(word)
		n := len(l.ids)
		for _, f := range integrity.Faults() {
			if f.ID == word || len(word) == 1 && strings.HasPrefix(f.ID, word) {
				l.ids = append(l.ids, f.ID)
			}
		}
		if len(l.ids) == n {
			return misused("there is no fault %q%s; lcm-tui doctor --list names them", word, perhaps(word, "", faultIDs()))
		}
	}
	return nil
}

func faultIDs() (out []string) {
	for _, f := range integrity.Faults() {
		out = append(out, f.ID)
	}
	return out
}

func completeFaults(_ *cobra.Command, _ []string, begun string) (out []string, _ cobra.ShellCompDirective) {
	before, word := "", begun
	if i := strings.LastIndex(begun, ","); i >= 0 {
		before, word = begun[:i+1], begun[i+1:]
	}
	for _, f := range integrity.Faults() {
		if strings.HasPrefix(f.ID, strings.ToUpper(word)) && !slices.Contains(strings.Split(before, ","), f.ID) {
			out = append(out, described(before+f.ID, f.Title))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
