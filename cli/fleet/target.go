package fleet

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
	"lcm-tui/ui/userconfig"
)

// targetFlag says which replica is meant.
type targetFlag struct{ name cli.TextFlag }

// bind adds the flag.
func (t *targetFlag) bind(fs *pflag.FlagSet, actions string) {
	t.name.Noun = "NAME"
	fs.Var(&t.name, "target", actions+"the replica of this name in config.toml, or its address (default: that in "+postgres.AddressVariable+")")
}

// errNoTarget says that no replica is named.
var errNoTarget = &hint.Error{
	Err:  errors.New("no replica is named"),
	Next: "set " + postgres.AddressVariable + " to postgres://USER@HOST/DATABASE, or give --target NAME with the address in the table [targets] of config.toml",
}

// address returns where the replica is. Only the environment may have a password in it.
func (t *targetFlag) address(a *cli.App) (*postgres.Address, error) {
	text := strings.TrimSpace(a.Sys.Env(postgres.AddressVariable))
	if name := t.name.Value; name != "" {
		text = name
		if !postgres.IsAddress(name) {
			targets := userconfig.Load(userconfig.Path(a.Sys.Env)).Targets
			known, ok := targets[name]
			if !ok {
				names := slices.Sorted(maps.Keys(targets))
				return nil, &hint.Error{
					Err:  cli.UsageErrorf("config.toml has no target %s%s", name, cli.DidYouMean(name, "", names)),
					Next: "add it to the table [targets]: " + name + ` = "postgres://USER@HOST/DATABASE"`,
				}
			}
			text = known
		}
		if err := postgres.CheckArgument(text); err != nil {
			return nil, err
		}
	}
	if text == "" {
		return nil, errNoTarget
	}
	return postgres.Parse(text)
}

// connect opens a connection to the replica, which has a schema that can be read, or with write be written.
func (t *targetFlag) connect(ctx context.Context, a *cli.App, write bool) (*postgres.Conn, error) {
	address, err := t.address(a)
	if err != nil {
		return nil, err
	}
	conn, err := address.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := conn.CheckSchema(ctx, write); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// origin returns what writes: the program and its version.
func origin(a *cli.App) string { return cli.Program + " " + a.Sys.VersionText() }
