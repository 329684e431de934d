package agents

import (
	"path/filepath"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/ui/userconfig"
	"lcm-tui/work/unit"
)

// units returns the units that the flags describe. They name the files that this run would work on.
func (k *workFlags) units(c *cli.Invocation) (cli.Result, error) {
	o := unit.Options{Service: unit.Work, Timer: k.once, Every: "*:0/15", Args: k.unitArguments()}
	switch path, isSocket := strings.CutPrefix(k.listen.Value, "unix:"); {
	case isSocket:
		o.Folders = append(o.Folders, filepath.Dir(path))
	case path != "" && k.token.Value != "":
		o.Folders = append(o.Folders, filepath.Dir(k.token.Value))
	case path != "":
		o.Folders = append(o.Folders, filepath.Dir(userconfig.Path(c.Sys.Env)))
	}
	return cli.Units(c, o)
}

// unitArguments returns the flags about when work is done, as they were given.
func (k *workFlags) unitArguments() (args []string) {
	add := func(flag, value string) {
		if value != "" {
			args = append(args, "--"+flag, value)
		}
	}
	add("every", k.every.String())
	add("between", k.between.String())
	add("max-active-messages", k.maxMessages.String())
	add("max-calls-per-day", k.calls.String())
	add("max-cost-per-day", k.dollars.String())
	add("integrity", k.integrity.Value)
	add("integrity-every", k.checkEvery.String())
	add("listen", k.listen.Value)
	add("token-file", k.token.Value)
	add("log-file", k.log.String())
	return args
}
