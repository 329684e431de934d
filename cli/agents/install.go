package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients/install"
	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
)

// installFlags is where a client gets our server, and what that is to show.
type installFlags struct {
	scope        *cli.ChoiceFlag
	what         cli.ChoiceListFlag
	apply, force bool
	// The flags that the server is started with.
	shown    cli.ScopeFlags
	folder   cli.TextFlag
	plugin   cli.TextFlag // A folder that becomes a plugin.
	maxChars *cli.IntegerFlag
	hints    bool
	typed    func(flag string) bool // Whether a flag was given.
}

func installCommand(a *cli.App) *cobra.Command {
	f := newInstallFlags()
	f.folder = cli.TextFlag{Noun: "DIR"}
	cmd := a.Command(cli.GroupAgents, "install [CLIENT]", "Give a coding agent its memory: hooks, tools and skills", f.install)
	cmd.Long = `Writes into the configuration of a coding agent what it needs to remember: hooks, which run
lcm-tui hook at its events, the server lcm-tui mcp with the tools, and skills, which say when
to use them. claude-code, codex and gemini get all three, cursor and vscode the server, and in
a project the skills. --what names other parts: commands are slash commands, rules are a few
lines in CLAUDE.md, AGENTS.md or GEMINI.md. For openclaw the entry is printed only.

All of it starts this program, where it lies now, with --db and the flags below. With hooks the
database is that of lcm-tui init, which is created, where no --db is given. The changes
are shown first; --apply writes them, keeps a backup of each file beside it, and notes what
was written, so that lcm-tui uninstall takes out exactly that. Nothing else in a file changes.
A file that is not valid is never written. A plugin brings
the same and excludes an installation: --plugin DIR makes one for each of the three clients.

With --hints a prompt gets up to three lines of earlier sessions that are about the same.
lcm-tui hook replay shows before what hints your own prompts would have got.`
	cmd.Example = `  lcm-tui install claude-code
  lcm-tui install claude-code --apply
  lcm-tui install codex --db ~/agents/lcm.db --agent main --apply
  lcm-tui install gemini --what mcp,commands,rules
  lcm-tui install cursor --scope project --cwd . --apply
  lcm-tui install --plugin ~/lcm-plugin --apply`
	f.typed = cmd.Flags().Changed
	cmd.Flags().BoolVar(&f.hints, "hints", false, "answer prompts with hints; --hints=false takes it back")
	f.bind(cmd, "replace an entry called lcm that starts another program, and files of other programs")
	fs := cmd.Flags()
	f.shown.Bind(a, cmd)
	f.plugin.Noun = "DIR"
	fs.Var(&f.plugin, "plugin", "make a folder with a plugin for Claude Code, Codex and Gemini CLI instead")
	fs.Var(&f.folder, "cwd", folderFlagHelp)
	fs.Var(f.maxChars, "max-chars", "how long an answer may be, in characters")
	return cmd
}

func newInstallFlags() *installFlags {
	return &installFlags{maxChars: cli.AtLeast(1, "N"), scope: cli.OneOf(string(install.ScopeUser), string(install.ScopeUser), string(install.ScopeProject))}
}

// bind binds the flags of install and uninstall.
func (f *installFlags) bind(cmd *cobra.Command, force string) {
	cmd.ValidArgs, cmd.ValidArgsFunction = install.Names(), nil
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(f.scope, "scope", "user, for all projects, or project, for the one in this folder")
	f.what.Words = install.PartNames()
	fs.Var(&f.what, "what", "only these parts: hooks, mcp, skill, commands, rules")
	fs.BoolVar(&f.apply, "apply", false, "write the changes")
	fs.BoolVar(&f.force, "force", false, force)
}

func (f *installFlags) install(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if f.plugin.Value != "" {
		return f.makePlugin(c)
	}
	r, err := f.request(c)
	if err != nil {
		return nil, err
	}
	if err := f.checkShown(ctx, c); err != nil {
		return nil, err
	}
	if len(r.Parts) == 0 {
		r.Parts = r.Client.DefaultParts(r.Scope)
	}
	if f.typed("hints") {
		if !slices.Contains(r.Parts, install.PartHooks) {
			return nil, cli.UsageErrorf("--hints: the installation has no hooks")
		}
		r.Hints = &f.hints
	}
	if err := f.servers(c, &r); err != nil {
		return nil, err
	}
	if !r.Client.IsWritable() {
		if f.apply {
			return nil, cli.UsageErrorf("install: the configuration of %s is never written; without --apply the entry is printed", r.Client.Title)
		}
		return &snippetResult{Client: r.Client.Name, Server: r.Server, Snippet: r.Client.Snippet(r.Server), title: r.Client.Title}, nil
	}
	steps, err := r.Install(c.Clients())
	if err != nil {
		return nil, err
	}
	out, err := f.write(r, steps)
	if err != nil {
		return nil, err
	}
	if f.apply && slices.Contains(r.Parts, install.PartHooks) {
		out.Database, err = createMissing(ctx, c)
		c.Partial = err != nil
	}
	return out, err
}

// createMissing creates the database of this program, if hooks write to it and it isn't there, and returns its path
// then. One that is named isn't created, since the name may be wrong.
func createMissing(ctx context.Context, c *cli.Invocation) (string, error) {
	own := &cli.Invocation{App: c.App}
	own.OwnDatabase = true
	l, err := own.Locate()
	if err != nil || l.Database == "" || cli.DatabaseExists(l.Database) {
		return "", err
	}
	if l.Database != openclaw.OwnDatabase(c.Sys.Env) {
		c.CommandWarnings = append(c.CommandWarnings, hint.New("the hooks write to "+l.Database+", which isn't there", "lcm-tui init "+l.Database+" makes it"))
		return "", nil
	}
	if err = os.MkdirAll(filepath.Dir(l.Database), 0o700); err == nil {
		_, err = data.CreateNewest(ctx, l.Database)
	}
	if err != nil {
		return "", hint.Wrap(fmt.Errorf("create the database: %w", err), "the hooks fail until it is there: when the cause is gone, lcm-tui init makes it")
	}
	return l.Database, nil
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

// request returns the client, the scope and the parts.
func (f *installFlags) request(c *cli.Invocation) (s install.Setup, err error) {
	if len(c.Args) == 0 {
		return s, cli.UsageErrorf("expected %s", cli.ArgumentKinds["CLIENT"])
	}
	client, ok := install.ClientNamed(c.Args[0])
	if !ok {
		return s, cli.UsageErrorf("expected %s, not %q%s", cli.ArgumentKinds["CLIENT"], c.Args[0], cli.DidYouMean(c.Args[0], "", install.Names()))
	}
	s.Request = install.Request{Client: client, Scope: install.Scope(f.scope.Value), Force: f.force}
	for _, name := range f.what.Values {
		part := install.Part(name)
		if !client.HasPart(part, s.Scope) {
			return s, cli.UsageErrorf("--what: this program writes no %s for %s in the scope %s", name, client.Title, s.Scope)
		}
		s.Parts = append(s.Parts, part)
	}
	return s, nil
}

// write applies the changes if that is wanted.
func (f *installFlags) write(s install.Setup, steps *install.Steps) (*installResult, error) {
	r := &installResult{Client: s.Client.Name, Scope: s.Scope, Notes: steps.Notes}
	for _, change := range steps.Changes {
		row := installedFile{Part: change.Part, Path: change.Path, Diff: change.Diff(), Removes: change.Removes, Notes: change.Notes, change: change}
		if change.Target != change.Path {
			row.Target = &change.Target
		}
		r.Changes = append(r.Changes, row)
	}
	if !f.apply {
		return r, nil
	}
	backups, err := steps.Apply(time.Now())
	if err != nil {
		return nil, err
	}
	r.Applied = true
	for i, backup := range backups {
		r.Changes[i].Backup = cli.OrNull(backup)
	}
	return r, nil
}

// servers sets how a client starts this program: the server with the flags that install was given, and
// hooks with the place of the database.
func (f *installFlags) servers(c *cli.Invocation, s *install.Setup) (err error) {
	if s.Server.Command, err = c.Sys.ProgramPath(); err != nil {
		return err
	}
	if isTemporary(s.Server.Command) {
		c.CommandWarnings = append(c.CommandWarnings, hint.New(
			"this program lies in a temporary folder, "+s.Server.Command+"; the client can't start it once it is gone",
			"copy the program to a folder that stays, and run it there"))
	}
	args := []string{}
	add := func(flag, path string) {
		if path != "" && err == nil {
			path, err = absolute(c, path)
			args = append(args, "--"+flag, path)
		}
	}
	database := c.Opts.Database()
	if database == "" && slices.Contains(s.Parts, install.PartHooks) {
		database = openclaw.OwnDatabase(c.Sys.Env) // The tools read what the hooks write, never a host's database.
	}
	add("db", database)
	add("state-dir", c.Opts.State.Value)
	s.Hook = install.Server{Command: s.Server.Command, Args: slices.Concat([]string{"hook", s.Client.Name}, args)}
	args = slices.Concat([]string{"mcp"}, args, f.shown.Args())
	add("cwd", f.folder.Value)
	if f.maxChars.IsSet {
		args = append(args, "--max-chars", strconv.FormatInt(f.maxChars.Value, 10))
	}
	s.Server.Args = args
	if database == "" && c.Sys.Env("LCM_DATABASE_PATH") != "" {
		c.CommandWarnings = append(c.CommandWarnings, errVariableDatabase)
	}
	return err
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
	if postgres.IsAddress(path) {
		return path, postgres.CheckArgument(path)
	}
	if filepath.IsAbs(path) || c.Sys.WorkDir == "" {
		return filepath.Abs(path)
	}
	return filepath.Join(c.Sys.WorkDir, path), nil
}
