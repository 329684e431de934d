package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/replica"
	"lcm-tui/ui"
)

// syncFlags are the flags of sync.
type syncFlags struct {
	app       *cli.App
	target    targetFlag
	source    cli.TextFlag
	level     *cli.ChoiceFlag
	chosen    chosenFlags
	every     cli.DurationFlag
	fullEvery cli.DurationFlag
	redact    keepFlag
	keep      keepFlag
	full      bool
	verify    bool
	watch     bool
	orders    bool
	apply     bool
}

// leastEvery is the shortest time between two syncs of --watch.
const leastEvery = 5 * time.Second

func syncCommand(a *cli.App) *cobra.Command {
	f := &syncFlags{app: a, level: cli.OneOf("", levelNames()...)}
	cmd := a.Command(cli.GroupCare, "sync", "Send the database to a replica in PostgreSQL", f.run)
	cmd.Long = `Sends what changed in the database since the last time to a replica in PostgreSQL, where the
databases of many machines are read, searched and measured in one place. Without --apply it
says what would be sent, and sends nothing. The file is only read, while its host goes on.

The replica is exact: every cell keeps its bytes and its type, also those of a damaged file.
--verify compares them all. A conversation is always as the file had it at one moment. What
was sent before a cancel stays, and the next sync goes on from there. Of an unchanged file
nothing is read; once a day (--full-every) every byte is compared.

--level says how much is sent: metrics are counts alone, summaries leave messages out.
--redact puts placeholders in the place of secrets before anything is sent. --agent, --key and
--except-key say which conversations are sent, by their session keys. Later syncs and --verify
hold to all of it until others are given, or --redact=false, or --all. What isn't chosen any
more is taken away.

What the host deletes is deleted in the replica, too. With --keep-deleted, from then on, it
goes to the source NAME/deleted, which is read as every other; --keep-deleted=false ends it.

Others can leave plans for this database in the replica (fleet order). sync shows them;
--take-orders writes them here first, each under its own guards, with a record and an undo.

The address is in LCM_DATABASE_URL, or in the table [targets] of config.toml under the name
that --target gives. Its password belongs into ~/.pgpass or a service file, and is refused in
an argument. A server on another machine must prove its name (sslmode=verify-full).

unit systemd and unit launchd print what runs sync --watch --apply for a user, with the flags
that are given here. With --target NAME the unit has the name and not the address.

Writes to the replica with --apply, and to the database only with --take-orders.`
	cmd.Example = `  lcm-tui sync
  lcm-tui sync --apply
  lcm-tui sync --target office --level summaries --redact --apply
  lcm-tui sync --agent main --except-key '**:private**' --apply
  lcm-tui sync --verify
  lcm-tui sync --watch --every 1m --apply
  lcm-tui sync unit systemd --target office`
	fs := cmd.Flags()
	fs.SortFlags = false
	f.target.bind(fs, "")
	f.source.Noun = "NAME"
	fs.Var(&f.source, "source", "the name of this database in the replica (default: that of this machine)")
	fs.Var(f.level, "level", "how much is sent: metrics are counts alone, summaries leave out messages, full is everything (default: as before, at first full)")
	f.chosen.bind(fs)
	fs.Var(&f.redact, "redact", "from now on put placeholders in the place of secrets before sending; =false ends it")
	fs.Lookup("redact").NoOptDefVal = "true"
	fs.Var(&f.keep, "keep-deleted", "from now on keep what the host deletes, as the source NAME/deleted; =false ends it")
	fs.Lookup("keep-deleted").NoOptDefVal = "true"
	fs.BoolVar(&f.full, "full", false, "compare every byte with what was sent, not only what hosts change")
	fs.Var(&f.fullEvery, "full-every", "compare every byte where the last time is so long ago (default: 24h)")
	fs.BoolVar(&f.watch, "watch", false, "go on, and sync again after --every")
	fs.Var(&f.every, "every", "how long to wait between two syncs, 5s at least (default: 1m)")
	fs.BoolVar(&f.verify, "verify", false, "compare every cell of the replica with the file; with --apply, send again what differs")
	fs.BoolVar(&f.orders, "take-orders", false, "with --apply: first write the plans that others left for this database")
	fs.BoolVar(&f.apply, "apply", false, "send it; without it nothing is written")
	return cmd
}

func levelNames() (out []string) {
	for _, l := range replica.Levels {
		out = append(out, string(l))
	}
	return out
}

// options returns what is synced, and how.
func (f *syncFlags) options(c *cli.Invocation) replica.Options {
	o := replica.Options{
		Source: f.source.Value, Level: replica.Level(f.level.Value), Host: postgres.HostName(), Principal: postgres.Principal(), Origin: origin(f.app),
		Full: f.full, Verify: f.verify, FullEvery: f.fullEvery.Value, Report: c.Progress(), Now: c.Sys.Now, Wait: syncWait, FilesDir: c.Locations.FilesDir,
		Filter: f.chosen.filter(), KeepDeleted: f.keep.value, Redact: f.redact.value, Mask: maskSecrets,
	}
	if o.Source == "" {
		o.Source = o.Host
	}
	if c.Opts.Wait.IsSet {
		o.Wait = c.Opts.Wait.Value
	}
	return o
}

// syncMemory is how many bytes a sync may take before memory is freed more eagerly. Rows pass through, and few of them stay.
const syncMemory = 24 << 20

// syncWait is how long another sync of the same source is waited for.
const syncWait = 10 * time.Second

// maskSecrets puts placeholders in the place of secrets.
func maskSecrets(text string) string {
	masked, _ := redact.Masker{}.Mask(text)
	return masked
}

func (f *syncFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if f.every.IsSet && f.every.Value < leastEvery {
		return nil, cli.UsageErrorf("--every needs %v at least", leastEvery)
	}
	if c.Action == unitAction {
		return f.units(ctx, c)
	}
	address, err := f.target.address(f.app)
	if err != nil {
		return nil, err
	}
	if name := address.Source; name != "" {
		return nil, hint.New("the address of the replica names the source "+name+", which says what is read there, and not which database is sent",
			"leave source="+name+" out of it, and name this database with --source "+name+" if it is that one; --db FILE says which file is sent")
	}
	defer c.Sys.LimitMemory(syncMemory)()
	c.NeedsFile = true
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	if of, ok := db.Replica(); ok {
		return nil, hint.New(of.Name+" is a replica: only the file itself is sent", "give --db FILE, or run the command on "+of.Host)
	}
	switch o := f.options(c); {
	case f.verify && !f.apply:
		return f.compare(ctx, c, db, o)
	case !f.apply:
		return f.plan(ctx, db, o)
	case f.watch:
		return nil, f.goOn(ctx, c, db, address, o)
	default:
		outcome.Of(ctx).Begin()
		return f.once(ctx, c, db, address, o)
	}
}

// once takes orders where that is asked, and syncs.
func (f *syncFlags) once(ctx context.Context, c *cli.Invocation, db *data.DB, address *postgres.Address, o replica.Options) (cli.Result, error) {
	var orders []takenOrder
	if f.orders {
		var err error
		if orders, err = f.takeOrders(ctx, c, db, address, o); err != nil {
			return nil, err
		}
	}
	r, err := replica.Sync(ctx, db, address, o)
	if r == nil {
		return nil, err
	}
	return &syncResult{Result: *r, Orders: append([]takenOrder{}, orders...)}, err
}

// plan says what would be sent.
func (f *syncFlags) plan(ctx context.Context, db *data.DB, o replica.Options) (cli.Result, error) {
	conn, err := f.target.connect(ctx, f.app, false)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	p, err := replica.MakePlan(ctx, db, conn, o)
	if err != nil {
		return nil, err
	}
	orders, err := readOrders(ctx, conn, o.Source)
	return &syncPlan{Plan: *p, Orders: append([]takenOrder{}, orders...)}, err
}

// compare compares every cell with what was sent.
func (f *syncFlags) compare(ctx context.Context, c *cli.Invocation, db *data.DB, o replica.Options) (cli.Result, error) {
	conn, err := f.target.connect(ctx, f.app, false)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	v, err := replica.Verify(ctx, db, conn, o)
	if err != nil {
		return nil, err
	}
	if v.Different > 0 {
		c.Exit = cli.ExitFindings
	}
	return &syncVerified{Verified: *v}, nil
}

// goOn syncs again and again. What passes, such as a server that restarts, doesn't end it. Where another file was put in the place of the
// database, it goes on with that.
func (f *syncFlags) goOn(ctx context.Context, c *cli.Invocation, db *data.DB, address *postgres.Address, o replica.Options) error {
	every := time.Minute
	if f.every.IsSet {
		every = f.every.Value
	}
	for {
		r, err := f.once(ctx, c, db, address, o)
		done, _ := r.(*syncResult)
		if isReplaced(err) {
			again, failed := db.Reopen(ctx)
			if failed == nil {
				defer again.Close() //nolint:gocritic // Each file is closed at the end: it is seldom another one.
				db = again
				continue
			}
			err = failed
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case passes(err):
			fmt.Fprintln(c.Sys.Err, "warning: "+ui.Line(err.Error())+"; the next try is in "+every.String())
		case err != nil:
			return err
		case !done.Unchanged || done.Searchable > 0 || len(done.Orders) > 0:
			if err := c.Emit(done, nil); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
	}
}

// passes reports whether a sync that failed may succeed later without anybody's doing: once the server was restarted, has another primary, or
// has room and connections again, or others have finished, or a file stands at the path again.
func passes(err error) bool {
	return postgres.Retryable(err) || slices.ContainsFunc([]error{
		postgres.ErrUnreachable, postgres.ErrFull, postgres.ErrStandby, postgres.ErrStopped, data.ErrMissing,
	}, func(kind error) bool { return errors.Is(err, kind) })
}

// isReplaced reports whether the file that was opened isn't the one at its path any more: another one is there, or none while it comes.
func isReplaced(err error) bool {
	return errors.Is(err, data.ErrReplaced) || errors.Is(err, data.ErrVanished)
}

// syncPlan is the result of sync without --apply.
type syncPlan struct {
	replica.Plan
	Orders []takenOrder `json:"orders"` // That wait for this database.
	cli.WarningList
}

// Print implements cli.Result.
func (r *syncPlan) Print(p *cli.Printer) {
	printPlan(p, &r.Plan, r.Orders, "the replica has everything", "nothing has to be sent",
		sentText(&r.Plan, "about ", r.Rows, r.Bytes)+" would be sent; --apply sends them")
	if r.Unsearchable > 0 {
		p.Line("--apply makes texts of " + plural.Count(r.Unsearchable, "conversation", "conversations") + " searchable that the replica has already")
	}
}

// printPlan prints what a plan is about, and what is sent of it: that all is equal and nothing is sent, or what is sent.
func printPlan(p *cli.Printer, r *replica.Plan, orders []takenOrder, equal, nothing, sent string) {
	printHead(p, r)
	printOrders(p, orders)
	switch {
	case r.Unchanged:
		p.Line("the file is as it was at the last sync: " + nothing)
	case r.IsEmpty():
		p.Line(equal + ": " + nothing)
	default:
		printCounts(p, r)
		p.Line(sent)
	}
}

// sentText says how much is sent, with about before what is estimated: of the level metrics the counts alone.
func sentText(r *replica.Plan, about string, rows, bytes int64) string {
	if r.Level == replica.LevelMetrics {
		return "counts of " + plural.Count(r.New+r.Appended+r.Replaced, "conversation", "conversations")
	}
	return fmt.Sprintf("%s%s, %s of text,", about, plural.Count(rows, "row", "rows"), ui.Size(bytes))
}

// printHead prints which database goes where.
func printHead(p *cli.Printer, r *replica.Plan) {
	level := string(r.Level)
	if r.Redacted {
		level += ", without secrets"
	}
	p.Fact("replica", ui.Line(r.Replica))
	name := ui.Line(r.Source)
	if r.IsNew {
		name += " (new)"
	}
	p.Fact("source", name)
	p.Fact("level", level)
	if !r.Filter.IsEmpty() {
		p.Fact("only", ui.Line(r.Filter.String()))
	}
	if r.KeepsDeleted {
		p.Fact("deleted rows", "are kept in "+ui.Line(r.Source)+replica.DeletedEnd)
	}
}

// printCounts prints how many conversations differ.
func printCounts(p *cli.Printer, r *replica.Plan) {
	for _, c := range []struct {
		name string
		n    int
	}{{"new", r.New}, {"continued", r.Appended}, {"changed", r.Replaced}, {"deleted", r.Gone}} {
		if c.n > 0 {
			p.Fact(c.name, plural.Count(c.n, "conversation", "conversations"))
		}
	}
	if r.NoConversation {
		p.Fact("other rows", "those of no conversation")
	}
	if r.Tables > 0 {
		p.Fact("other tables", fmt.Sprint(r.Tables))
	}
}

// syncResult is the result of sync --apply.
type syncResult struct {
	replica.Result
	Orders []takenOrder `json:"orders"` // That were taken.
	cli.WarningList
}

// Print implements cli.Result.
func (r *syncResult) Print(p *cli.Printer) {
	printPlan(p, &r.Plan, r.Orders, "the replica had everything", "nothing was sent",
		fmt.Sprintf("sent %s in %.1f s", sentText(&r.Plan, "", r.Sent.Rows, r.Sent.Bytes), r.Seconds))
	if r.Unsearchable > 0 {
		p.Linef("made %s searchable", plural.Count(r.Searchable, "text", "texts"))
	}
	if r.CheckSeconds > 0 {
		p.Linef("checked the file in %.1f s: %s", r.CheckSeconds, plural.Count(r.Findings, "finding", "findings"))
	}
	if r.Kept > 0 {
		p.Linef("kept %s that the host deleted, in %s", plural.Count(r.Kept, "row", "rows"), ui.Line(r.Source)+replica.DeletedEnd)
	}
}

// syncVerified is the result of sync --verify.
type syncVerified struct {
	replica.Verified
	cli.WarningList
}

// Print implements cli.Result.
func (r *syncVerified) Print(p *cli.Printer) {
	for _, d := range r.Differences {
		place := "rows of no conversation"
		if d.Conversation != nil {
			place = fmt.Sprintf("conversation %d", *d.Conversation)
		}
		p.Linef("%s, %s: %s in the file, %d in the replica, and not the same cells", d.Table, place, plural.Count(d.File, "row", "rows"), d.Replica)
	}
	p.Linef("%s with %s compared; %s", plural.Count(r.Rows, "row", "rows"), plural.Count(r.Cells, "cell", "cells"), differText(r.Different))
}

// differText says in how many places a replica differs.
func differText(n int) string {
	if n == 0 {
		return "all are equal in the replica"
	}
	return "the replica differs in " + plural.Count(n, "place", "places") + "; lcm-tui sync --verify --apply sends them again"
}
