package fleet

import (
	"context"

	"lcm-tui/cli"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
	"lcm-tui/work/unit"
)

// unitAction prints what systemd or launchd needs to run sync --watch.
const unitAction = "unit"

// units returns the units that the flags describe.
func (f *syncFlags) units(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if f.target.name.Value == "" {
		return nil, hint.New("sync unit: the address of the replica is in "+postgres.AddressVariable+", which a unit doesn't get",
			"name it in the table [targets] of config.toml, without a password, and give --target NAME; passwords belong into ~/.pgpass")
	}
	if _, err := f.target.address(f.app); err != nil {
		return nil, err
	}
	c.NeedsFile = true
	if _, err := c.Open(ctx); err != nil {
		return nil, err
	}
	return cli.Units(c, unit.Options{Service: unit.Sync, Args: f.unitArguments()})
}

// unitArguments returns the flags about what is sent and when, as they were given.
func (f *syncFlags) unitArguments() (args []string) {
	add := func(flag string, values ...string) {
		for _, value := range values {
			if value != "" {
				args = append(args, "--"+flag, value)
			}
		}
	}
	add("target", f.target.name.Value)
	add("source", f.source.Value)
	add("level", f.level.Value)
	add("agent", f.chosen.agents.Values...)
	add("key", f.chosen.keys.Values...)
	add("except-key", f.chosen.exceptKeys.Values...)
	add("every", f.every.String())
	add("full-every", f.fullEvery.String())
	for _, flag := range []struct {
		name string
		on   bool
	}{{"all", f.chosen.all}, {"take-orders", f.orders}} {
		if flag.on {
			args = append(args, "--"+flag.name)
		}
	}
	for _, flag := range []struct {
		name string
		keepFlag
	}{{"redact", f.redact}, {"keep-deleted", f.keep}} {
		if text := flag.String(); text != "" {
			args = append(args, "--"+flag.name+"="+text)
		}
	}
	return args
}
