package cli

import "github.com/spf13/cobra"

// agentsRoom is the commands for agents: the tools that they read the memory with, and how these get to them.
var agentsRoom = Room{Commands: agentsCommands}

func agentsCommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		a.grep(),
		a.describe(),
		a.expand(),
		a.ask(),
		a.prompts(),
		a.mcp(),
		a.install(),
		a.uninstall(),
	}
}
