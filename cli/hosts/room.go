// Package hosts has the commands about this machine: its databases, the settings of its hosts, a demonstration,
// and the screens.
package hosts

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
)

// Room is the commands about the hosts of this machine and their databases, and the screens.
var Room = cli.Room{
	Commands: commands,
	Rules:    rules,
	// What the screens keep between their starts lives as long as the run of the program.
	Screens: func(ctx context.Context, a *cli.App) error { return (&screenRun{App: a}).ui(ctx) },
}

func commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		databasesCommand(a),
		configCommand(a),
		demoCommand(a),
		initCommand(a),
	}
}

// rules are, by command, the rules that its flags obey.
var rules = map[string][]cli.FlagRule{
	"config": {
		{Flags: cli.ModelFlagNames, Excludes: "path", Because: "files are looked at whatever the model"},
	},
}
