package cli

import (
	"context"
	"fmt"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

func (a *app) man() *cobra.Command {
	cmd := a.command(groupOther, "man", "Print the manual page", nil)
	cmd.Long = `Prints the manual page in the format of man(7).

Writes nothing.`
	cmd.Example = "  lcm-tui man | man -l -"
	cmd.RunE = a.command(groupOther, "man", "", func(context.Context, *invocation) (result, error) {
		page, err := mango.NewManPage(1, cmd.Root())
		if err != nil {
			return nil, fmt.Errorf("make the manual page: %w", err)
		}
		_, err = fmt.Fprint(a.sys.Out, page.Build(roff.NewDocument()))
		return nil, err
	}).RunE
	return cmd
}
