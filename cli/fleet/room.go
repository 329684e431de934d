// Package fleet has the commands about other machines: copies of their databases, and plans that are sent back to
// them.
package fleet

import (
	"github.com/spf13/cobra"

	"lcm-tui/cli"
)

// Room is the commands about other machines.
var Room = cli.Room{
	Commands: commands,
	Rules:    rules,
	Instead:  instead,
}

func commands(a *cli.App) []*cobra.Command { return []*cobra.Command{fleetCommand(a), syncCommand(a)} }

// rules are, by command, the rules that its flags obey.
var rules = map[string][]cli.FlagRule{
	"fleet": {
		{Flags: "every", Needs: "watch", Because: "without it every machine is asked once"},
	},
	"sync": {
		{Flags: "every", Needs: "watch unit", Because: "without it the database is synced once"},
		{Flags: "apply watch verify full", Excludes: "unit", Because: "the unit goes on, and sends what changed"},
		{Flags: "all", Excludes: chosenNames, Because: "it ends what these say"},
		{Flags: chosenNames + " all keep-deleted", Excludes: "verify", Because: "the comparison holds to what was sent"},
		{Flags: "take-orders", Excludes: "verify", Because: "orders are taken by a sync"},
		{Flags: "verify", Excludes: "watch", Because: "every cell is compared once"},
		{Flags: "take-orders", Needs: "apply unit", Because: "without it nothing is written"},
		{Flags: "watch", Needs: "apply", Because: "without it nothing is sent"},
	},
}
