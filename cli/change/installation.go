package change

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients/install"
	"lcm-tui/clients/install/handshake"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// installationCheck is the flags by which doctor looks at what was installed for clients.
type installationCheck struct {
	requested, fix bool
	trust          bool
	client         *cli.ChoiceFlag
}

func (i *installationCheck) bind(cmd *cobra.Command) {
	i.client = cli.OneOf("", install.Names()...)
	fs := cmd.Flags()
	fs.BoolVar(&i.requested, "installation", false, "look at what was installed for coding agents")
	fs.Var(i.client, "client", "only that of one: "+strings.Join(install.Names(), ", "))
	fs.BoolVar(&i.fix, "fix", false, "show what repairs the findings; with --apply do it")
	fs.BoolVar(&i.trust, "trust", false, "with --fix, have Codex trust the hooks of this program as they stand in its file")
}

// run looks at the installation. Findings beside which --fail-on would exit with 5 are errors here as well.
func (i *installationCheck) run(ctx context.Context, c *cli.Invocation, failOn integrity.Severity, apply bool) (cli.Result, error) {
	program, err := c.Sys.ProgramPath()
	if err != nil {
		return nil, err
	}
	locations, _ := c.Locate()
	e := c.Clients()
	look := install.Inspection{Environment: e, Program: program, Database: locations.Database, Handshake: func(ctx context.Context, s install.Server) error {
		return handshake.Run(ctx, s, e.WorkDir, nil)
	}}
	if look.Uses, err = uses(ctx, c); err != nil {
		return nil, err
	}
	look.HookLog, look.Now = c.HookLogFile(), time.Now()
	r := &installation{Findings: look.Run(ctx, i.client.Value), fix: i.fix}
	if i.client.Value == "" {
		r.Findings = append(r.Findings, slices.Concat(checkSummarizer(c), checkPatterns(c), checkConfiguration(ctx, c))...)
	}
	if isAsBad(r.Findings, failOn) {
		c.Exit = cli.ExitFindings
	}
	if !i.fix || len(r.Findings) == 0 {
		return r, nil
	}
	fix, err := look.Fix(r.Findings, func(client install.Client) install.Setup {
		return install.Setup{
			Request: install.Request{Client: client, Server: install.Server{Command: program, Args: []string{"mcp"}}},
			Hook:    install.Server{Command: program, Args: []string{"hook", client.Name}},
		}
	})
	if err != nil {
		return nil, err
	}
	if err := i.addTrust(c, &look, fix); err != nil {
		return nil, err
	}
	r.Private = fix.Private
	for _, steps := range fix.Steps {
		for _, change := range steps.Changes {
			r.Changes = append(r.Changes, fixedFile{Path: change.Path, Diff: change.Diff()})
		}
	}
	if !apply {
		return r, nil
	}
	for _, steps := range fix.Steps {
		if _, err := steps.Apply(time.Now()); err != nil {
			return nil, err
		}
	}
	r.Applied = true
	return r, fix.MakePrivate()
}

// addTrust adds to a fix what has Codex trust our hooks. A fix that changes files of Codex comes first: what it writes
// has other hashes.
func (i *installationCheck) addTrust(c *cli.Invocation, look *install.Inspection, fix *install.Fix) error {
	if !i.trust || i.client.Value != "" && i.client.Value != "codex" {
		return nil
	}
	for _, steps := range fix.Steps {
		for _, change := range steps.Changes {
			if change.Client.Name == "codex" {
				c.CommandWarnings = append(c.CommandWarnings, errors.New("files of Codex change first; apply that, and run it again with --trust"))
				return nil
			}
		}
	}
	trust, err := look.Trust()
	if trust != nil {
		fix.Steps = append(fix.Steps, trust)
	}
	return err
}

// isAsBad reports whether one of the findings is as bad as a severity, or worse.
func isAsBad(found []install.Finding, severity integrity.Severity) bool {
	return slices.ContainsFunc(found, func(f install.Finding) bool {
		switch severity {
		case integrity.Info, integrity.Warn:
			return true
		case integrity.Error:
			return f.Severity == install.SeverityError
		default:
			return false
		}
	})
}

// installation is the result of doctor --installation.
type installation struct {
	Findings []install.Finding `json:"findings"`
	Changes  []fixedFile       `json:"changes,omitempty"`
	Private  []string          `json:"private,omitempty"` // Files that others must not read any more.
	Applied  bool              `json:"applied"`
	cli.WarningList

	fix bool
}

// fixedFile is a file that a repair changes.
type fixedFile struct {
	Path string `json:"path"`
	Diff string `json:"diff"`
}

func (r *installation) Print(p *cli.Printer) {
	if len(r.Findings) == 0 {
		p.Line(cli.Styled(p.Styles.Good, "✓") + " nothing found in the installation")
		return
	}
	for _, f := range r.Findings {
		p.Line(strings.TrimSpace(f.ID+" "+f.Severity+" "+f.Client) + ": " + ui.Line(f.Text))
		p.Muted("    " + ui.Line(strings.TrimSpace(f.Path+" "+f.Pointer)))
		p.Muted("    " + ui.Line(f.Repair))
	}
	if !r.fix {
		return
	}
	for _, change := range r.Changes {
		if r.Applied {
			p.Fact("wrote", ui.Line(change.Path))
			continue
		}
		p.Line("")
		p.Unified(change.Diff)
	}
	for _, path := range r.Private {
		p.Fact("mode 0600", ui.Line(path))
	}
	switch {
	case len(r.Changes)+len(r.Private) == 0:
		p.Muted("none of these can be repaired by this program")
	case !r.Applied:
		p.Muted(plural.Count(len(r.Changes)+len(r.Private), "change", "changes") + "; nothing was written; --apply writes it")
	}
}
