package cli

import "github.com/spf13/cobra"

// hostsRoom is the commands about the hosts of this machine and their databases, and the screens.
var hostsRoom = Room{Commands: hostsCommands, Screens: showScreens}

func hostsCommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		a.databases(),
		a.config(),
		a.demo(),
	}
}
