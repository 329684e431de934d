package cli

import "github.com/spf13/cobra"

// readRoom is the commands that show what a database holds. They change nothing in it.
var readRoom = Room{Commands: readCommands}

func readCommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		a.conversations(),
		a.messages(),
		a.summaries(),
		a.context(),
		a.pending(),
		a.assemble(),
		a.files(),
		a.focus(),
		a.compare(),
		a.diff(),
		a.info(),
		a.trace(),
		a.search(),
		a.export(),
	}
}
