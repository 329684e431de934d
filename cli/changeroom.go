package cli

import "github.com/spf13/cobra"

// changeRoom is the commands that find damage and change rows, each with a record that undo undoes.
var changeRoom = Room{Commands: changeCommands, Codecs: changeCodecs}

func changeCommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		a.compact(),
		a.rewrite(),
		a.edit(),
		a.dissolve(),
		a.repair(),
		a.doctor(),
		a.transplant(),
		a.key(),
		a.backfill(),
		a.undo(),
		a.redo(),
		a.history(),
		a.plan(),
		a.applyPlan(),
	}
}
