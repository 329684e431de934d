package agents

import (
	"path/filepath"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
	"lcm-tui/ui/userconfig"
	"lcm-tui/work/unit"
)

// The programs that start services.
const (
	systemd = "systemd"
	launchd = "launchd"
)

// unitResult is the files that a program needs that starts services.
type unitResult struct {
	Manager string      `json:"manager"`
	Files   []unit.File `json:"files"`
	Folder  string      `json:"folder"` // Where they go.
	Start   []string    `json:"start"`  // What lets them run.
	cli.WarningList
}

// units returns the units that the flags describe. They name the files that this run would work on.
func (k *workFlags) units(c *cli.Invocation) (cli.Result, error) {
	manager := c.Args[0]
	if manager != systemd && manager != launchd {
		return nil, cli.UsageErrorf("work unit: expected %s, not %q", cli.ArgumentKinds["MANAGER"], manager)
	}
	program, err := c.Sys.ProgramPath()
	if err != nil {
		return nil, err
	}
	state := openclaw.OwnState(c.Sys.Env)
	o := unit.Options{Program: program, State: state, Timer: k.once, Every: "*:0/15", Log: filepath.Join(state, "work.log"), Args: k.unitArguments()}
	o.Folders = append(o.Folders, cli.CacheFolder(c.Sys.Env))
	switch path, isSocket := strings.CutPrefix(k.listen.Value, "unix:"); {
	case isSocket:
		o.Folders = append(o.Folders, filepath.Dir(path))
	case path != "" && k.token.Value != "":
		o.Folders = append(o.Folders, filepath.Dir(k.token.Value))
	case path != "":
		o.Folders = append(o.Folders, filepath.Dir(userconfig.Path(c.Sys.Env)))
	}
	if o.Database, err = unitDatabase(c); err != nil {
		return nil, err
	}
	o.IsServer = postgres.IsAddress(o.Database)
	if err := o.Check(); err != nil {
		return nil, err
	}
	r := &unitResult{Manager: manager}
	switch manager {
	case systemd:
		r.Files, r.Folder = unit.Systemd(o), "~/.config/systemd/user"
		r.Start = []string{"systemctl --user daemon-reload", "systemctl --user enable --now " + r.Files[len(r.Files)-1].Name}
	case launchd:
		r.Files, r.Folder = unit.Launchd(o), "~/Library/LaunchAgents"
		r.Start = []string{"launchctl bootstrap gui/$(id -u) " + r.Folder + "/" + r.Files[0].Name}
	}
	return r, nil
}

// unitDatabase returns the database that a unit names.
func unitDatabase(c *cli.Invocation) (string, error) {
	if flags := cli.DatabaseFlags(c, c.Locations.Database); len(flags) == 0 {
		return "", hint.New("work unit: the address of the home is in LCM_DATABASE_URL, which a unit doesn't get", "give it with --db, without a password: that belongs into ~/.pgpass")
	} else if postgres.IsAddress(flags[1]) {
		return flags[1], nil
	}
	return filepath.Abs(c.Locations.Database)
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

// Print implements cli.Result: the text of each file, below a comment that says where it goes.
func (r *unitResult) Print(p *cli.Printer) {
	open, end := "# ", ""
	if r.Manager == launchd {
		open, end = "<!-- ", " -->"
	}
	for i, f := range r.Files {
		if i > 0 {
			p.Write("\n")
		}
		if r.Manager != launchd { // A declaration of XML has to be the first line.
			p.Write(open + r.Folder + "/" + f.Name + end + "\n")
		}
		p.Write(ui.Sanitize(f.Text))
		if r.Manager == launchd {
			p.Write(open + r.Folder + "/" + f.Name + end + "\n")
		}
	}
	for _, s := range r.Start {
		p.Write(open + s + end + "\n")
	}
}
