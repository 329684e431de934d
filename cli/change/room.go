// Package change has the commands that find damage and change rows: compaction, new texts, repairs, imports,
// session keys, plans in files, and undo, which every change has.
package change

import (
	"github.com/spf13/cobra"

	"lcm-tui/cli"
)

// Room is the commands that find damage and change rows, each with a record that undo undoes.
var Room = cli.Room{Commands: commands, Rules: rules, Codecs: codecs}

func commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		compactCommand(a),
		rewriteCommand(a),
		editCommand(a),
		dissolveCommand(a),
		repairCommand(a),
		doctorCommand(a),
		transplantCommand(a),
		keyCommand(a),
		sessionCommand(a),
		backfillCommand(a),
		undoCommand(a),
		redoCommand(a),
		historyCommand(a),
		planCommand(a),
		applyPlanCommand(a),
	}
}
