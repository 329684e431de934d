package cli

import (
	"cmp"
	"path/filepath"
	"strings"

	"lcm-tui/data/openclaw"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
	"lcm-tui/work/unit"
)

// The programs that start services.
const (
	systemd = "systemd"
	launchd = "launchd"
)

// UnitResult is the files that a program needs that starts services.
type UnitResult struct {
	Manager string      `json:"manager"`
	Files   []unit.File `json:"files"`
	Folder  string      `json:"folder"` // Where they go.
	Start   []string    `json:"start"`  // What lets them run.
	WarningList
}

// Units returns the units of a service for the program that the first argument names. They are about the database that this run would
// work on, and have the paths of this machine. It fails where one of them can't stand in a unit.
func Units(c *Invocation, o unit.Options) (result Result, err error) {
	manager := c.Args[0]
	if manager != systemd && manager != launchd {
		return nil, UsageErrorf("%s unit: expected %s, not %q", c.Name, ArgumentKinds["MANAGER"], manager)
	}
	if o.Program, err = c.Sys.ProgramPath(); err != nil {
		return nil, err
	}
	o.State = openclaw.OwnState(c.Sys.Env)
	o.Log = filepath.Join(o.State, c.Name+".log")
	o.Folders = append(o.Folders, CacheFolder(c.Sys.Env))
	if o.Database, err = unitDatabase(c); err != nil {
		return nil, err
	}
	o.IsServer = postgres.IsAddress(o.Database)
	if o.Args, err = unitArguments(c, o.Args); err != nil {
		return nil, err
	}
	if o.Variables, err = unitVariables(c.Sys.Env); err != nil {
		return nil, err
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	r := &UnitResult{Manager: manager}
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

// folderVariables say where files of this program, of the host and of coding agents are. A service gets no variables of a shell:
// without these it would read other settings, and write into folders that its unit protects.
var folderVariables = []string{
	"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "OPENCLAW_HOME", "OPENCLAW_CONFIG_PATH", "LCM_LARGE_FILES_DIR",
	"LCM_PROMPT_DIR", "LCM_TUI_PRICES", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME",
}

// unitVariables returns the variables of a unit, with whole paths.
func unitVariables(env openclaw.Getenv) (list []unit.Variable, err error) {
	for _, name := range folderVariables {
		path := strings.TrimSpace(env(name))
		isWhole := filepath.IsAbs(path) || strings.HasPrefix(path, "~")
		if path == "" || !isWhole && strings.HasPrefix(name, "XDG_") { // Such a variable counts only with a whole path.
			continue
		}
		if !isWhole {
			if path, err = filepath.Abs(path); err != nil {
				return nil, err
			}
		}
		list = append(list, unit.Variable{Name: name, Value: path})
	}
	return list, nil
}

// unitArguments returns the arguments of a unit with those that every command has: where the host's folder is, and how long to
// wait for locks.
func unitArguments(c *Invocation, args []string) ([]string, error) {
	if cmp.Or(c.Opts.State.Value, c.Sys.Env("LCM_OPENCLAW_DIR"), c.Sys.Env("OPENCLAW_STATE_DIR")) != "" {
		folder, err := filepath.Abs(c.Locations.StateDir)
		if err != nil {
			return nil, err
		}
		args = append(args, "--state-dir", folder)
	}
	if c.Opts.Wait.IsSet {
		args = append(args, "--wait", c.Opts.Wait.String())
	}
	return args, nil
}

// unitDatabase returns the database that a unit names.
func unitDatabase(c *Invocation) (string, error) {
	if flags := DatabaseFlags(c, c.Locations.Database); len(flags) == 0 {
		return "", hint.New(c.Name+" unit: the address of the home is in LCM_DATABASE_URL, which a unit doesn't get", "give it with --db, without a password: that belongs into ~/.pgpass")
	} else if postgres.IsAddress(flags[1]) {
		return flags[1], nil
	}
	return filepath.Abs(c.Locations.Database)
}

// Print implements Result: the text of each file, below a comment that says where it goes.
func (r *UnitResult) Print(p *Printer) {
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
