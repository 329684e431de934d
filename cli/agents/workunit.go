package agents

import (
	"cmp"
	"path/filepath"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/ui/userconfig"
	"lcm-tui/work/unit"
)

// units returns the units that the flags describe. They name the files that this run would work on.
func (k *workFlags) units(c *cli.Invocation) (cli.Result, error) {
	if err := k.makeWhole(); err != nil {
		return nil, err
	}
	o := unit.Options{Service: unit.Work, Timer: k.once, Every: "*:0/15", Args: k.unitArguments()}
	switch path, isSocket := strings.CutPrefix(k.listen.Value, socketPrefix); {
	case isSocket:
		o.Folders = append(o.Folders, filepath.Dir(path))
	case path != "" && k.token.Value != "":
		o.Folders = append(o.Folders, filepath.Dir(k.token.Value))
	case path != "":
		o.Folders = append(o.Folders, filepath.Dir(userconfig.Path(c.Sys.Env)))
	}
	if k.log.IsSet() {
		o.Folders = append(o.Folders, filepath.Dir(k.log.String()))
	}
	return cli.Units(c, o)
}

// socketPrefix is how an address names a socket.
const socketPrefix = "unix:"

// makeWhole makes the paths of the flags whole: a unit runs in another folder.
func (k *workFlags) makeWhole() (err error) {
	whole := func(path string) string {
		if path == "" {
			return ""
		}
		abs, failed := filepath.Abs(path)
		err = cmp.Or(err, failed)
		return abs
	}
	if path, isSocket := strings.CutPrefix(k.listen.Value, socketPrefix); isSocket && path != "" {
		k.listen.Value = socketPrefix + whole(path)
	}
	k.token.Value = whole(k.token.Value)
	return cmp.Or(err, k.log.MakeWhole())
}

// unitArguments returns the flags about when work is done, as they were given, with whole paths.
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
