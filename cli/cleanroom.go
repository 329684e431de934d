package cli

import "github.com/spf13/cobra"

// cleanRoom is the commands that care for the file: its size, its secrets and its copies.
var cleanRoom = Room{Commands: cleanCommands, Codecs: cleanCodecs, ApplySecrets: applySweep}

func cleanCommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		a.space(),
		a.slice(),
		a.trash(),
		a.reclaim(),
		a.prune(),
		a.salvage(),
		a.secrets(),
		a.restore(),
		a.backup(),
		a.bundle(),
	}
}
