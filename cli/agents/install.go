package agents

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data/openclaw"
	"lcm-tui/internal/hint"
	"lcm-tui/mcp/install"
	"lcm-tui/ui"
)

// installFlags is where a client gets our server, and what that is to show.
type installFlags struct {
	scope        *cli.ChoiceFlag
	apply, force bool
	// The flags that the server is started with.
	shown    cli.ScopeFlags
	folder   cli.TextFlag
	maxChars *cli.IntegerFlag
}

func installCommand(a *cli.App) *cobra.Command {
	f := newInstallFlags()
	f.folder, f.maxChars = cli.TextFlag{Noun: "DIR"}, cli.AtLeast(1, "N")
	cmd := a.Command(cli.GroupAgents, "install CLIENT", "Give a coding agent the tools of lcm-tui mcp", f.install)
	cmd.Long = `Writes lcm-tui mcp into the configuration of an MCP client: claude-code, codex, gemini, cursor
or vscode. The entry is called lcm and starts this program, where it lies now, with --db and the
flags below.

The change is shown first; --apply writes it, and keeps a backup of the file beside it. Nothing
else in the file changes. A file that is not valid is never written. For openclaw the entry is
printed only. lcm-tui uninstall reverses it.`
	cmd.Example = `  lcm-tui install claude-code
  lcm-tui install claude-code --apply
  lcm-tui install codex --db ~/agents/lcm.db --agent main --apply
  lcm-tui install cursor --scope project --cwd . --apply`
	f.bind(cmd, "replace an entry called lcm that starts another program")
	fs := cmd.Flags()
	f.shown.Bind(a, cmd)
	fs.Var(&f.folder, "cwd", folderFlagHelp)
	fs.Var(f.maxChars, "max-chars", "how long an answer may be, in characters")
	return cmd
}

func newInstallFlags() *installFlags {
	return &installFlags{scope: cli.OneOf(string(install.ScopeUser), string(install.ScopeUser), string(install.ScopeProject))}
}

// bind binds the flags of install and uninstall.
func (f *installFlags) bind(cmd *cobra.Command, force string) {
	cmd.ValidArgs, cmd.ValidArgsFunction = install.Names(), nil
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(f.scope, "scope", "user, for all projects, or project, for the one in this folder")
	fs.BoolVar(&f.apply, "apply", false, "write the change")
	fs.BoolVar(&f.force, "force", false, force)
}

func (f *installFlags) install(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	r, err := f.request(c)
	if err != nil {
		return nil, err
	}
	if err := f.checkShown(ctx, c); err != nil {
		return nil, err
	}
	if r.Server, err = f.server(c); err != nil {
		return nil, err
	}
	if !r.Client.IsWritable() {
		if f.apply {
			return nil, cli.UsageErrorf("install: the configuration of %s is never written; without --apply the entry is printed", r.Client.Title)
		}
		return &snippetResult{Client: r.Client.Name, Server: r.Server, Snippet: r.Client.Snippet(r.Server), title: r.Client.Title}, nil
	}
	change, err := r.Install(clients(c))
	if err != nil {
		return nil, err
	}
	return f.write(change)
}

// checkShown refuses conversations that the server would refuse at every call. The database may
// not be there yet, or not be readable from here: then the server says what is wrong.
func (f *installFlags) checkShown(ctx context.Context, c *cli.Invocation) error {
	if !f.shown.IsSet() || f.shown.All {
		return f.shown.Check()
	}
	inspection := &cli.Invocation{App: c.App}
	defer inspection.Close()
	if _, err := inspection.Open(ctx); err != nil {
		return f.shown.Check()
	}
	_, _, err := f.shown.Resolve(ctx, inspection)
	c.CommandWarnings = append(c.CommandWarnings, inspection.CommandWarnings...)
	return err
}

// request returns the client and the scope.
func (f *installFlags) request(c *cli.Invocation) (install.Request, error) {
	client, ok := install.ClientNamed(c.Args[0])
	if !ok {
		return install.Request{}, cli.UsageErrorf("expected %s, not %q%s", cli.ArgumentKinds["CLIENT"], c.Args[0], cli.DidYouMean(c.Args[0], "", install.Names()))
	}
	return install.Request{Client: client, Scope: install.Scope(f.scope.Value), Force: f.force}, nil
}

// write applies a change if that is wanted.
func (f *installFlags) write(change *install.Change) (cli.Result, error) {
	r := &installResult{
		Client: change.Client.Name, Scope: change.Scope, Path: change.Path, Server: change.Server, Diff: change.Diff(), Notes: change.Notes, change: change,
	}
	if change.Target != change.Path {
		r.Target = &change.Target
	}
	if !f.apply {
		return r, nil
	}
	backup, err := change.Apply(time.Now())
	if err != nil {
		return nil, err
	}
	r.Applied, r.Backup = true, cli.OrNull(backup)
	return r, nil
}

// server returns how a client starts this program, with the flags that it was given.
func (f *installFlags) server(c *cli.Invocation) (s install.Server, err error) {
	if s.Command, err = c.Sys.ProgramPath(); err != nil {
		return s, err
	}
	if isTemporary(s.Command) {
		c.CommandWarnings = append(c.CommandWarnings, hint.New(
			"this program lies in a temporary folder, "+s.Command+"; the client can't start it once it is gone",
			"copy the program to a folder that stays, and run it there"))
	}
	s.Args = []string{"mcp"}
	add := func(flag, path string) {
		if path != "" && err == nil {
			path, err = absolute(c, path)
			s.Args = append(s.Args, "--"+flag, path)
		}
	}
	add("db", c.Opts.Database())
	add("state-dir", c.Opts.State.Value)
	s.Args = append(s.Args, f.shown.Args()...)
	add("cwd", f.folder.Value)
	if f.maxChars.IsSet {
		s.Args = append(s.Args, "--max-chars", strconv.FormatInt(f.maxChars.Value, 10))
	}
	if c.Opts.Database() == "" && c.Sys.Env("LCM_DATABASE_PATH") != "" {
		c.CommandWarnings = append(c.CommandWarnings, errVariableDatabase)
	}
	return s, err
}

// errVariableDatabase says that a client may not pass on a variable of this shell.
var errVariableDatabase = errors.New("LCM_DATABASE_PATH is set here, but a client may start the server without it; --db PATH writes the path into the entry")

// isTemporary reports whether a path is in a folder that is emptied now and then.
func isTemporary(path string) bool {
	for _, folder := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		for _, p := range []string{folder, resolved(folder)} {
			if rest, err := filepath.Rel(p, resolved(path)); err == nil && filepath.IsLocal(rest) {
				return true
			}
		}
	}
	return false
}

// resolved returns a path without links, or the path itself where it can't be followed.
func resolved(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// absolute returns a path from the working folder.
func absolute(c *cli.Invocation, path string) (string, error) {
	if filepath.IsAbs(path) || c.Sys.WorkDir == "" {
		return filepath.Abs(path)
	}
	return filepath.Join(c.Sys.WorkDir, path), nil
}

// clients returns where clients keep their configuration.
func clients(c *cli.Invocation) install.Environment {
	e := install.Environment{Variable: c.Sys.Env, Home: openclaw.HomeFolder(c.Sys.Env), WorkDir: c.Sys.WorkDir, OS: runtime.GOOS}
	if profile := c.Sys.Env("USERPROFILE"); e.OS == "windows" && profile != "" { // HOME is that of a shell.
		e.Home = profile
	}
	if e.WorkDir == "" {
		e.WorkDir, _ = os.Getwd() // Without it a project has no path, which is an error then.
	}
	return e
}

// installResult is the result of install and uninstall.
type installResult struct {
	Client  string         `json:"client"`
	Scope   install.Scope  `json:"scope"`
	Path    string         `json:"path"`
	Target  *string        `json:"target,omitempty"` // Behind links.
	Server  install.Server `json:"server"`
	Diff    string         `json:"diff"`
	Notes   []string       `json:"notes,omitempty"`
	Applied bool           `json:"applied"`
	Backup  *string        `json:"backup"`
	cli.WarningList

	change *install.Change
}

func (r *installResult) Print(p *cli.Printer) {
	if r.Applied {
		r.outcome(p)
		return
	}
	p.Write(cli.Styled(p.Styles.Muted, ui.Line(r.Path)) + "\n")
	p.Unified(r.Diff)
	for _, note := range r.Notes {
		p.Block("note: " + ui.Line(note))
	}
	p.Muted("nothing was written; --apply writes it")
}

// outcome says what was written.
func (r *installResult) outcome(p *cli.Printer) {
	verb := "wrote"
	if r.change.Removes {
		verb = "removed"
	}
	p.Fact(verb, ui.Line(r.Path))
	if r.Target != nil {
		p.Fact("behind links", ui.Line(*r.Target))
	}
	if r.Backup != nil {
		p.Fact("backup", ui.Line(*r.Backup))
	}
	for _, note := range slices.Concat(r.Notes, r.change.NextSteps()) {
		p.Block("note: " + ui.Line(note))
	}
}

// snippetResult is the result of install for a client whose configuration isn't written.
type snippetResult struct {
	Client  string         `json:"client"`
	Server  install.Server `json:"server"`
	Snippet string         `json:"snippet"`
	cli.WarningList

	title string
}

func (r *snippetResult) Print(p *cli.Printer) {
	p.Muted("nothing was written; add this to the configuration of " + r.title)
	p.Write(ui.Sanitize(r.Snippet))
}
