// Package commands puts the rooms of commands together. It stands above all of them: none knows another.
package commands

import (
	"lcm-tui/cli"
	"lcm-tui/cli/agents"
	"lcm-tui/cli/change"
	"lcm-tui/cli/clean"
	"lcm-tui/cli/fleet"
	"lcm-tui/cli/hosts"
	"lcm-tui/cli/read"
)

// Rooms are all commands.
var Rooms = []cli.Room{read.Room, change.Room, clean.Room, hosts.Room, agents.Room, fleet.Room}
