package agents

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/clients/diagnose"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// diagnoseFlags is which session files are read, and what counts as bad.
type diagnoseFlags struct {
	all, verbose bool
	days         *cli.IntegerFlag
	client       *cli.ChoiceFlag
	failOn       cli.ChoiceListFlag
}

func diagnoseCommand(a *cli.App) *cobra.Command {
	k := &diagnoseFlags{days: cli.AtLeast(1, "N").Preset(7), client: cli.OneOf("", string(clients.ClaudeCode), string(clients.Codex))}
	cmd := a.Command(cli.GroupAgents, "diagnose", "Find hooks and tools that failed in sessions of agents", k.run)
	cmd.Long = `Reads the session files of Claude Code and Codex of the last 7 days that ran in this folder,
and shows where hooks and tools of this program failed: the program is not there, the hook
failed, took too long, blocked the client, printed what the client could not read or ran
twice, the server ended, or a tool failed. Where hooks are installed, it also shows sessions
in which none ran. Codex writes no failures into its files: of it only that can be shown.

Writes nothing. With --fail-on it ends with 5 where it found one of these types.`
	cmd.Example = "  lcm-tui diagnose\n  lcm-tui diagnose --all --days 30 --verbose\n  lcm-tui diagnose --fail-on hook-error,never-fired --json"
	for _, t := range diagnose.Types() {
		k.failOn.Words = append(k.failOn.Words, string(t))
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&k.all, "all", false, "sessions of all folders")
	fs.Var(k.days, "days", "sessions of so many days")
	fs.Var(k.client, "client", "only those of one: claude-code, codex")
	fs.BoolVar(&k.verbose, "verbose", false, "each problem with its event, command and time")
	fs.Var(&k.failOn, "fail-on", "end with 5 where one of these was found: "+strings.Join(k.failOn.Words, ", "))
	return cmd
}

func (k *diagnoseFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	c.OwnDatabase = true
	e := c.Clients()
	const most = 100 * 365 // No session is older, and a time before the year 0 would be none.
	r := diagnose.Request{
		Folders: map[clients.Client]string{}, Since: time.Now().AddDate(0, 0, -int(min(k.days.Value, most))),
		Installed: map[clients.Client]time.Time{}, Fired: map[clients.Client]time.Time{},
	}
	if !k.all {
		r.Project = realPath(e.WorkDir)
	}
	for _, client := range []clients.Client{clients.ClaudeCode, clients.Codex} {
		if k.client.Value != "" && k.client.Value != string(client) {
			continue
		}
		r.Folders[client] = client.Sessions(c.Sys.Env)
		if since, ok := e.HooksSince(string(client)); ok {
			r.Installed[client] = since
		}
	}
	receipts, err := c.Receipts(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range receipts {
		if at, err := time.Parse(time.RFC3339, one.At); err == nil && at.After(r.Fired[clients.Client(one.Client)]) {
			r.Fired[clients.Client(one.Client)] = at
		}
	}
	report, err := diagnose.Run(ctx, r)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(k.failOn.Values, func(t string) bool { return report.Has(diagnose.Type(t)) }) {
		c.Exit = cli.ExitFindings
	}
	return &diagnosis{Report: report, days: k.days.Value, verbose: k.verbose, folder: r.Project}, nil
}

// diagnosis is the result of diagnose.
type diagnosis struct {
	*diagnose.Report
	cli.WarningList

	days    int64
	verbose bool
	folder  string // Empty for all.
}

// Print implements cli.Result.
func (r *diagnosis) Print(p *cli.Printer) {
	where := "of all folders"
	if r.folder != "" {
		where = "in " + ui.Line(r.folder)
	}
	p.Linef("%s %s in %s: %s, %s", plural.Count(r.Scanned, "session", "sessions"), where, plural.Count(r.days, "day", "days"),
		plural.Count(r.ErrorCount, "error", "errors"), plural.Count(r.WarningCount, "warning", "warnings"))
	for _, path := range r.Unreadable {
		p.Muted("not read: " + ui.Line(path))
	}
	for _, s := range r.Sessions {
		p.Line("")
		p.Line(ui.Line(strings.TrimSpace(string(s.Client)+" "+s.ClientVersion) + " " + cmp.Or(s.Name, s.ID) + " " + s.Last))
		for _, one := range s.Problems {
			p.Line("    " + ui.Line(string(one.Type)+" "+one.Event+times(one.Count)+": "+one.Details))
			if r.verbose {
				p.Muted("        " + ui.Line(strings.TrimSpace(one.Timestamp+" "+one.Command)))
			}
		}
		if r.verbose {
			p.Muted("    " + ui.Line(s.Path))
		}
	}
	if r.MostCommon != nil {
		p.Line("")
		p.Linef("most common: %s (%s)", string(r.MostCommon.Type), ui.Num(int64(r.MostCommon.Count)))
	}
}

// times returns how often something was, where that is more than once.
func times(n int) string {
	if n < 2 {
		return ""
	}
	return " " + ui.Num(int64(n)) + "×"
}
