package agents

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients/install"
)

func uninstallCommand(a *cli.App) *cobra.Command {
	f := newInstallFlags()
	cmd := a.Command(cli.GroupAgents, "uninstall CLIENT", "Take out of a coding agent what install gave it", f.uninstall)
	cmd.Long = `Takes what lcm-tui install wrote out of the configuration of a coding agent: hooks, server,
skills, slash commands and rules, or the parts that --what names. If nothing else has changed
since, a file is again byte for byte as it was; a file that holds nothing else is removed.

The changes are shown first; --apply writes them, and keeps a backup of each file beside it.`
	cmd.Example = "  lcm-tui uninstall claude-code\n  lcm-tui uninstall cursor --scope project --apply"
	f.bind(cmd, "remove an entry called lcm that starts another program")
	return cmd
}

func (f *installFlags) uninstall(_ context.Context, c *cli.Invocation) (cli.Result, error) {
	r, err := f.request(c)
	if err != nil {
		return nil, err
	}
	if !r.Client.IsWritable() {
		return nil, cli.UsageErrorf("uninstall: the configuration of %s is never written; remove mcp.servers.%s there", r.Client.Title, install.EntryName)
	}
	if r.Server.Command, err = c.Sys.ProgramPath(); err != nil {
		return nil, err
	}
	r.Hook = r.Server
	steps, err := r.Uninstall(c.Clients())
	if err != nil {
		return nil, err
	}
	out, err := f.write(r, steps)
	if err != nil {
		return nil, err
	}
	return out, nil
}
