package cli

import (
	"context"
	"maps"

	"github.com/spf13/cobra"

	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	sweep "lcm-tui/ops/secrets"
)

// Room is a group of commands that stands in a package of its own. No room knows another: what the commands
// of one need of another's goes through here.
type Room struct {
	// Commands makes the commands, with their flags.
	Commands func(*App) []*cobra.Command
	// Rules are, by command, the rules that its flags obey; or nil.
	Rules map[string][]FlagRule
	// Codecs read and write the requests of plan files that the commands make, for one run; or nil.
	Codecs func(*Invocation) planfile.Codecs
	// ApplySecrets writes a plan of secrets, for the room that has that command; else nil.
	ApplySecrets func(context.Context, *Invocation, *sweep.Op, ops.Plan) (Result, error)
	// Instead adds flags to a command of any room, and returns what runs in its place where these are given; nil for a command
	// without such flags.
	Instead func(*App, *cobra.Command) func(context.Context, *Invocation) (r Result, runs bool, err error)
	// Screens shows the screens until the user leaves them, for the room that has them; else nil.
	Screens func(context.Context, *App) error
}

// showScreens shows the screens of the room that has them.
func (a *App) showScreens(ctx context.Context) error {
	for _, r := range a.rooms {
		if r.Screens != nil {
			return r.Screens(ctx, a)
		}
	}
	return UsageErrorf("this program has no screens")
}

// Codecs read and write the requests of plan files: those of all rooms.
func (c *Invocation) Codecs() planfile.Codecs {
	all := planfile.Codecs{}
	for _, r := range c.rooms {
		if r.Codecs != nil {
			maps.Copy(all, r.Codecs(c))
		}
	}
	return all
}

// ApplySecrets writes a plan of secrets as the room with that command does.
func (c *Invocation) ApplySecrets(ctx context.Context, op *sweep.Op, p ops.Plan) (Result, error) {
	for _, r := range c.rooms {
		if r.ApplySecrets != nil {
			return r.ApplySecrets(ctx, c, op, p)
		}
	}
	return nil, UsageErrorf("this program has no command secrets")
}
