package clean

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/plural"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// namesFlag is a flag that takes names, split by commas; it may be given again.
type namesFlag struct {
	values []string
	noun   string
}

func (*namesFlag) Repeats() {}

// String implements pflag.Value.
func (n *namesFlag) String() string { return strings.Join(n.values, ",") }

// Type implements pflag.Value; help shows it.
func (n *namesFlag) Type() string { return n.noun }

// Set implements pflag.Value.
func (n *namesFlag) Set(s string) error {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return fmt.Errorf("expected %s, not %q", n.noun, s)
		}
		if !slices.Contains(n.values, name) {
			n.values = append(n.values, name)
		}
	}
	return nil
}

// ignoredResult is the result of secrets ignore and unignore.
type ignoredResult struct {
	Ignored []string `json:"ignored"`
	cli.WarningList
}

func (r *ignoredResult) Print(p *cli.Printer) {
	p.Line(plural.Count(len(r.Ignored), "finding is", "findings are") + " ignored")
	for _, id := range r.Ignored {
		p.Line("  " + ui.Line(id))
	}
}

// ignoreFindings takes findings off the list of a database, or puts them back.
func ignoreFindings(ctx context.Context, c *cli.Invocation, scanner *redact.Scanner, ignore bool, names []string) (cli.Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	ids, err := findingIDs(ctx, c, scanner, names)
	if err != nil {
		return nil, err
	}
	config := cli.SecretConfig(c.Sys.Env)
	known, err := config.IgnoredIn(db.Path())
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		switch {
		case ignore && strings.Count(id, ":") < 2:
			return nil, cli.UsageErrorf("secrets: %q is no finding; take a name from lcm-tui secrets --class sure,likely,maybe, such as github-token#3, or an id from --json", id)
		case !ignore && !slices.Contains(known, id):
			return nil, cli.UsageErrorf("secrets: %q isn't ignored", id)
		}
	}
	list, err := config.Ignore(db.Path(), ids, ignore)
	return &ignoredResult{Ignored: append([]string{}, list...)}, err
}

// findingIDs returns the ids of findings that may be named by a rule and a number too, as the list
// names them: then the id of the first place.
func findingIDs(ctx context.Context, c *cli.Invocation, scanner *redact.Scanner, names []string) (ids []string, err error) {
	numbered := func(name string) bool { return strings.Contains(name, "#") && !strings.Contains(name, ":") }
	report := &sweep.Report{}
	if slices.ContainsFunc(names, numbered) {
		request := sweep.Request{Scanner: scanner, Classes: redact.Classes()}
		if report, err = sweep.Find(ctx, c.DB, request, c.Progress()); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		at := slices.IndexFunc(report.Findings, func(f sweep.Finding) bool { return fmt.Sprintf("%s#%d", f.Rule, f.Number) == name })
		if numbered(name) && at >= 0 {
			name = report.Findings[at].ID
		}
		ids = append(ids, name)
	}
	return ids, nil
}
