// Package agents has the commands for agents: the tools with which they read the memory, the server of these
// tools, and what registers it.
package agents

import (
	"github.com/spf13/cobra"

	"lcm-tui/cli"
)

// Room is the commands for agents: the tools that they read the memory with, and how these get to them.
var Room = cli.Room{Commands: commands, Rules: rules}

func commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		grepCommand(a),
		describeCommand(a),
		expandCommand(a),
		askCommand(a),
		promptsCommand(a),
		mcpCommand(a),
		followCommand(a),
		hookCommand(a),
		archiveCommand(a),
		curateCommand(a),
		workCommand(a),
		metricsCommand(a),
		promoteCommand(a),
		storeCommand(a),
		memoryCommand(a),
		diagnoseCommand(a),
		statusCommand(a),
		installCommand(a),
		uninstallCommand(a),
		connectorsCommand(a),
	}
}
