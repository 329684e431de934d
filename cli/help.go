package cli

import "github.com/spf13/cobra"

// helpCommand is help as a command of its own.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Explain a command", GroupID: groupOther, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			for _, c := range root.Commands() {
				if c.Name() == args[0] || c.HasAlias(args[0]) {
					return c.Help()
				}
			}
			return unknownCommand(root, args[0])
		},
	}
}
