// Package clean has the commands that care for a file as a whole: what takes its space, what can go, what is
// secret in it, and copies of it.
package clean

import (
	"github.com/spf13/cobra"

	"lcm-tui/cli"
)

// Room is the commands that care for the file: its size, its secrets and its copies.
var Room = cli.Room{Commands: commands, Rules: rules, Codecs: codecs, ApplySecrets: applySweep}

func commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		spaceCommand(a),
		sliceCommand(a),
		trashCommand(a),
		reclaimCommand(a),
		pruneCommand(a),
		salvageCommand(a),
		secretsCommand(a),
		sensitiveCommand(a),
		restoreCommand(a),
		backupCommand(a),
		bundleCommand(a),
	}
}
