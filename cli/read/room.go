// Package read has the commands that show what a database holds: lists, single things, searches, differences
// between files, and copies in other forms. They change nothing in it.
package read

import (
	"github.com/spf13/cobra"

	"lcm-tui/cli"
)

// Room is the commands that show what a database holds. They change nothing in it.
var Room = cli.Room{Commands: commands, Rules: rules}

func commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		conversationsCommand(a),
		messagesCommand(a),
		summariesCommand(a),
		contextCommand(a),
		pendingCommand(a),
		assembleCommand(a),
		filesCommand(a),
		focusCommand(a),
		compareCommand(a),
		diffCommand(a),
		infoCommand(a),
		statsCommand(a),
		traceCommand(a),
		searchCommand(a),
		exportCommand(a),
	}
}
