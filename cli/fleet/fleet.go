package fleet

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data/openclaw"
	"lcm-tui/fleet"
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
)

// fleetFlags are the flags of fleet.
type fleetFlags struct {
	app     *cli.App
	every   cli.DurationFlag
	timeout cli.DurationFlag
	jobs    *cli.IntegerFlag
	watch   bool
	dry     bool
	target  targetFlag
}

// The actions of fleet.
const (
	addAction    = "add"
	listAction   = "list"
	pullAction   = "pull"
	statusAction = "status"
	removeAction = "remove"
	applyAction  = "apply"

	initAction    = "init"
	sourcesAction = "sources"
	forgetAction  = "forget"
	restoreAction = "restore"
	orderAction   = "order"
)

func fleetCommand(a *cli.App) *cobra.Command {
	f := &fleetFlags{app: a, jobs: cli.AtLeast(1, "N").Preset(4)}
	cmd := a.Command(cli.GroupCare, "fleet [ACTION]", "Keep copies of other machines' databases, to read them here", f.run)
	cmd.Long = `Keeps copies of the databases of other machines on this one. Every command that reads takes
--fleet then, or --fleet=NAME,…, and answers for each machine. ACTION is

  add NAME PLACE     add a machine: PLACE is HOST as ssh knows it, HOST:PATH, a file, or a
                     folder with lcm.db, such as one that is mounted
  pull [NAME...]     fetch what changed since the last copy, of all machines or of these
  list, status       what is known, and how old each copy is
  remove NAME        forget a machine, and delete its copies
  apply NAME PLAN    have a plan file written by the machine that has the database

and for a replica in PostgreSQL, into which lcm-tui sync sends the databases of machines:

  init               write its schema, or bring that to the version of this program
  sources            list the databases that it has, and how old each is
  restore NAME FILE  write one of them into a new file, as it was at its last sync
  forget NAME        delete everything that it has of one, and what was deleted from it
  order NAME PLAN    leave a plan file there, which the machine of the database takes

ssh does the connecting: its keys, agent and configuration. No password is ever asked for. The
other machine needs lcm-tui, which sends the pages that changed while its host goes on writing;
or sqlite3, which sends everything each time. A copy is checked before it takes the place of the
one before, and the one before stays too. Copies are private to you (0600).

Nothing writes to a copy. A plan is made on it with --plan-out FILE, and apply sends that home:
it is written there under its own guards, or refused where its rows have changed since.`
	cmd.Example = `lcm-tui fleet add laptop laptop.example
lcm-tui fleet add box me@box.example:/srv/agent/lcm.db
lcm-tui fleet pull
lcm-tui search --fleet 'connection pool'
lcm-tui doctor --fleet=box
lcm-tui fleet init --target office`
	cmd.ValidArgsFunction = f.complete
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&f.watch, "watch", false, "pull: go on, and ask every machine again after --every")
	fs.Var(&f.every, "every", "pull --watch: how long to wait between two times (default: 1m)")
	fs.Var(&f.timeout, "timeout", "pull, apply: how long one machine may take (default: 30m)")
	fs.Var(f.jobs, "jobs", "pull: how many machines at once")
	f.target.bind(fs, "init, sources, restore, forget, order: ")
	fs.BoolVar(&f.dry, "dry-run", false, "apply: only look whether the plan could be written there")
	return cmd
}

func (f *fleetFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if words := slices.Sorted(maps.Keys(cli.CommandActions["fleet"])); c.Action == "" && len(c.Args) > 0 {
		return nil, cli.UsageErrorf("expected %s, not %q%s", strings.Join(words, ", "), c.Args[0], cli.DidYouMean(c.Args[0], "", words))
	}
	switch c.Action {
	case initAction:
		return f.initialize(ctx)
	case sourcesAction:
		return f.sources(ctx)
	case forgetAction:
		return f.forget(ctx, c.Args[0])
	case restoreAction:
		return f.restore(ctx, c, c.Args[0], c.Args[1])
	case orderAction:
		return f.order(ctx, c.Args[0], c.Args[1])
	}
	s, err := f.store()
	if err != nil {
		return nil, err
	}
	switch c.Action {
	case addAction:
		return f.add(s, c.Args[0], c.Args[1])
	case pullAction:
		return f.pull(ctx, c, s)
	case removeAction:
		return remove(s, c.Args[0])
	case applyAction:
		return f.apply(ctx, c, s)
	}
	states, err := s.All()
	if len(c.Args) > 0 {
		states, err = s.Chosen(c.Args...)
	}
	return newStates(states, c.App), err
}

// store returns the store of the user.
func (f *fleetFlags) store() (fleet.Store, error) {
	state := openclaw.OwnState(f.app.Sys.Env)
	if state == "" {
		return fleet.Store{}, &hint.Error{Err: errors.New("there is no folder for the state of this program"), Next: "set XDG_STATE_HOME, or HOME"}
	}
	return f.app.Fleet(), nil
}

// options returns how other machines are asked.
func (f *fleetFlags) options() fleet.Options {
	o := f.app.Pulling()
	if f.timeout.IsSet {
		o.Timeout = f.timeout.Value
	}
	return o
}

func (f *fleetFlags) add(s fleet.Store, name, place string) (cli.Result, error) {
	src, err := fleet.Parse(name, place)
	if err != nil {
		return nil, err
	}
	if err := s.Add(src); err != nil {
		return nil, err
	}
	t, err := s.Get(name)
	return &added{states: *newStates([]fleet.State{t}, f.app)}, err
}

func remove(s fleet.Store, name string) (cli.Result, error) {
	err := s.Remove(name)
	return &removed{Removed: name}, err
}

// complete completes the actions, and the names of machines.
func (f *fleetFlags) complete(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return f.app.CompleteActions(cmd, args, begun)
	}
	switch args[0] {
	case initAction, sourcesAction, forgetAction:
		return nil, cobra.ShellCompDirectiveNoFileComp // The server isn't asked.
	}
	if args[0] == addAction || args[0] == restoreAction || slices.Contains([]string{applyAction, orderAction}, args[0]) && len(args) == 2 {
		return nil, cobra.ShellCompDirectiveDefault // A file.
	}
	return f.names(begun), cobra.ShellCompDirectiveNoFileComp
}

// names completes the names of machines.
func (f *fleetFlags) names(begun string) (names []string) {
	all, _ := f.app.Fleet().All()
	for _, t := range all {
		if strings.HasPrefix(t.Name, begun) {
			names = append(names, cli.DescribeCompletion(t.Name, t.Place()))
		}
	}
	return names
}

// added is the result of fleet add.
type added struct{ states }

// Print implements cli.Result.
func (r *added) Print(p *cli.Printer) {
	t := r.Machines[0]
	p.Linef("added %s: %s", ui.Line(t.Name), ui.Line(t.Place))
	p.Linef("next: lcm-tui fleet pull %s", t.Name)
}

// removed is the result of fleet remove.
type removed struct {
	Removed string `json:"removed"`
	cli.WarningList
}

// Print implements cli.Result.
func (r *removed) Print(p *cli.Printer) {
	p.Linef("removed %s and its copies; the database on the machine itself stays as it is", ui.Line(r.Removed))
}
