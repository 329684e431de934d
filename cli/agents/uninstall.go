package agents

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/mcp/install"
)

func uninstallCommand(a *cli.App) *cobra.Command {
	f := newInstallFlags()
	cmd := a.Command(cli.GroupAgents, "uninstall CLIENT", "Take the tools of lcm-tui mcp from a coding agent", f.uninstall)
	cmd.Long = `Takes the entry that lcm-tui install wrote out of the configuration of an MCP client:
claude-code, codex, gemini, cursor or vscode. If nothing else has changed since, the file is
again byte for byte as it was; a file that holds nothing else is removed.

The change is shown first; --apply writes it, and keeps a backup of the file beside it.`
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
	change, err := r.Uninstall(clients(c))
	if err != nil {
		return nil, err
	}
	return f.write(change)
}
