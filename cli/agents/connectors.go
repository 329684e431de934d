package agents

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients/install"
)

// connectorFlags is what an agent gets in a project.
type connectorFlags struct {
	installFlags
	kind cli.ChoiceListFlag
}

func connectorsCommand(a *cli.App) *cobra.Command {
	f := &connectorFlags{installFlags: *newInstallFlags()}
	cmd := a.Command(cli.GroupAgents, "connectors", "Give other coding agents skills or rules", f.run)
	cmd.Long = `Lists the coding agents that this program knows, and what each has in this folder. With
install AGENT it writes a skill there, or where the agent reads none a few lines of rules;
--type names other parts. Rules stand between two marked lines, and nothing else in a file
changes. remove AGENT takes all out again. Both show the changes first; --apply writes them.
doctor shows what is there, and what another version of this program wrote.`
	cmd.Example = "  lcm-tui connectors\n  lcm-tui connectors install windsurf --type rules --apply\n  lcm-tui connectors remove windsurf\n  lcm-tui connectors doctor"
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return []string{"list", "install", "remove", "doctor"}, cobra.ShellCompDirectiveNoFileComp
		}
		return install.ConnectorNames(), cobra.ShellCompDirectiveNoFileComp
	}
	f.kind.Words = install.PartNames()
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(&f.kind, "type", "only these parts: hooks, mcp, skill, commands, rules")
	fs.BoolVar(&f.apply, "apply", false, "write the changes")
	fs.BoolVar(&f.force, "force", false, "replace files of other programs")
	return cmd
}

func (f *connectorFlags) run(_ context.Context, c *cli.Invocation) (cli.Result, error) {
	var named *install.Connector
	if len(c.Args) > 0 {
		agent, ok := install.ConnectorNamed(c.Args[0])
		if !ok {
			return nil, cli.UsageErrorf("expected %s, not %q%s", cli.ArgumentKinds["AGENT"], c.Args[0], cli.DidYouMean(c.Args[0], "", install.ConnectorNames()))
		}
		named = &agent
	}
	if c.Action == "install" || c.Action == "remove" {
		return f.change(c, *named)
	}
	r := &connectorList{isCheck: c.Action == "doctor"}
	for _, agent := range install.Connectors() {
		if named == nil || agent.Name == named.Name {
			row := connectorRow{ID: agent.Name, Name: agent.Title, Supported: agent.Parts(), Installed: append([]install.Part{}, agent.Installed(c.Clients())...)}
			row.Default = row.Supported[0]
			row.Old = append([]string{}, agent.Client().OldSkills(c.Clients(), install.ScopeProject)...)
			r.Agents = append(r.Agents, row)
		}
	}
	return r, nil
}

// change installs or removes parts of an agent in the project.
func (f *connectorFlags) change(c *cli.Invocation, agent install.Connector) (cli.Result, error) {
	s := install.Setup{Request: install.Request{Client: agent.Client(), Scope: install.ScopeProject, Force: f.force}}
	for _, name := range f.kind.Values {
		part := install.Part(name)
		if !slices.Contains(agent.Parts(), part) {
			return nil, cli.UsageErrorf("--type: this program writes no %s for %s", name, agent.Title)
		}
		s.Parts = append(s.Parts, part)
	}
	if err := f.servers(c, &s); err != nil {
		return nil, err
	}
	plan := s.Uninstall
	if c.Action == "install" {
		if len(s.Parts) == 0 {
			s.Parts = agent.Parts()[:1]
		}
		plan = s.Install
	}
	steps, err := plan(c.Clients())
	if err != nil {
		return nil, err
	}
	s.Client.Name = agent.Name
	return f.write(s, steps)
}

// connectorList is the result of connectors.
type connectorList struct {
	Agents []connectorRow `json:"agents"`
	cli.WarningList

	isCheck bool
}

// connectorRow is one agent.
type connectorRow struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Default   install.Part   `json:"default_type"`
	Supported []install.Part `json:"supported_types"`
	Installed []install.Part `json:"installed"`
	Old       []string       `json:"outdated"` // Files of another version of this program.
}

func (r *connectorList) Print(p *cli.Printer) {
	join := func(parts []install.Part) string {
		var words []string
		for _, part := range parts {
			words = append(words, string(part))
		}
		return strings.Join(words, ", ")
	}
	var rows [][]string
	for _, a := range r.Agents {
		state := join(a.Installed)
		if len(a.Old) > 0 {
			state += " (of another version: connectors install " + a.ID + ")"
		}
		if !r.isCheck || state != "" {
			rows = append(rows, []string{a.ID, a.Name, join(a.Supported), state})
		}
	}
	if len(rows) == 0 {
		p.Muted("nothing is installed in this folder; lcm-tui connectors lists what can be")
		return
	}
	p.Table([]cli.Column{{Title: "agent"}, {Title: "name"}, {Title: "can get"}, {Title: "has here"}}, rows)
}
