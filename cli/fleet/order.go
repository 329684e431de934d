package fleet

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/leftover"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/replica"
	"lcm-tui/ui"
)

// order runs the action order: a plan file is left in the replica for the machine that has the database.
func (f *fleetFlags) order(ctx context.Context, name, path string) (cli.Result, error) {
	file, err := planfile.Open(path, true)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if again, err := planfile.Parse(content); err != nil || again.SHA256 != file.SHA256 {
		return nil, cli.UsageErrorf("%s was changed while it was read", path)
	}
	conn, err := f.target.connect(ctx, f.app, true)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	id, err := replica.LeaveOrder(ctx, conn, name, file.Plan.Title, postgres.Principal(), origin(f.app), content)
	if err != nil {
		return nil, err
	}
	return &ordered{Replica: conn.Place(), Source: name, ID: id, Title: file.Plan.Title}, nil
}

// ordered is the result of fleet order.
type ordered struct {
	Replica string `json:"replica"`
	Source  string `json:"source"`
	ID      int64  `json:"order_id"`
	Title   string `json:"title"`
	cli.WarningList
}

// Print implements cli.Result.
func (r *ordered) Print(p *cli.Printer) {
	p.Linef("left order %d for %s: %s", r.ID, ui.Line(r.Source), ui.Line(r.Title))
	p.Line("nothing is changed until that machine takes it: lcm-tui sync --take-orders --apply")
}

// takenOrder is an order with what became of it.
type takenOrder struct {
	replica.Order
	State  string `json:"state"`
	Answer string `json:"answer,omitempty"` // What lcm-tui apply said.
}

// waiting is the state of an order that nobody took.
const waiting = "waiting"

// readOrders returns the orders that wait for this database.
func readOrders(ctx context.Context, conn *postgres.Conn, source string) (out []takenOrder, err error) {
	orders, err := replica.WaitingOrders(ctx, conn, source)
	for _, o := range orders {
		out = append(out, takenOrder{Order: o, State: waiting})
	}
	return out, err
}

// takeOrders writes the orders that wait, each under the guards of its plan, and notes what became of it. An order that can't be
// written is refused, and the next one is taken. Where another program holds the database, it and those behind it go on waiting.
func (f *syncFlags) takeOrders(ctx context.Context, c *cli.Invocation, db *data.DB, address *postgres.Address, o replica.Options) (taken []takenOrder, err error) {
	conn, err := f.target.connect(ctx, f.app, true)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	orders, release, err := replica.HoldOrders(ctx, db, address, conn, o)
	if err != nil {
		return nil, err
	}
	defer release()
	for _, order := range orders {
		taken = append(taken, takenOrder{Order: order})
		t := &taken[len(taken)-1]
		if err := t.apply(ctx, c, db); err != nil {
			return taken, err
		}
		if t.State == waiting {
			c.Exit = cli.ExitBusy
			return taken, nil
		}
		if _, err := replica.AnswerOrder(ctx, conn, order, o.Source, t.State, t.Answer, o.Principal, o.Origin); err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// apply writes the plan of an order, as lcm-tui apply does with its file.
func (o *takenOrder) apply(ctx context.Context, c *cli.Invocation, db *data.DB) error {
	folder, err := leftover.CreateFolder("order")
	if err != nil {
		return err
	}
	defer leftover.RemoveFolder(folder)
	path := filepath.Join(folder, "plan.json")
	if err := os.WriteFile(path, o.Plan(), 0o600); err != nil {
		return err
	}
	args := []string{"apply", path, "--db", db.Path()}
	if c.Opts.JSON {
		args = append(args, "--json")
	}
	if c.Opts.Wait.IsSet {
		args = append(args, "--wait", c.Opts.Wait.String())
	}
	out, messages, exit := c.Again(ctx, args...)
	if ctx.Err() != nil {
		return ctx.Err() // It may be taken again: whether it was written is known then.
	}
	if exit != cli.ExitDone {
		out += messages
	}
	o.Answer = strings.ReplaceAll(strings.TrimSpace(out), path, "of the order")
	o.State, err = o.stateAfter(ctx, db, exit)
	return err
}

// stateAfter returns what became of an order, of which lcm-tui apply ended with exit. One that was written before, when that couldn't be
// noted any more, is applied.
func (o *takenOrder) stateAfter(ctx context.Context, db *data.DB, exit int) (string, error) {
	switch exit {
	case cli.ExitDone:
		return replica.OrderApplied, nil
	case cli.ExitBusy:
		return waiting, nil
	case cli.ExitNothing:
	default:
		return replica.OrderRefused, nil
	}
	file, err := planfile.Parse(o.Plan())
	if err != nil {
		return replica.OrderRefused, nil //nolint:nilerr // The answer says so.
	}
	now, err := db.Reopen(ctx) // With the tables that it has now.
	if err != nil {
		return "", err
	}
	defer now.Close()
	if applied, err := file.IsApplied(ctx, now); !applied || err != nil {
		return replica.OrderRefused, err
	}
	return replica.OrderApplied, nil
}

// printOrders prints orders and what became of them.
func printOrders(p *cli.Printer, orders []takenOrder) {
	for _, o := range orders {
		p.Linef("order %d by %s: %s, %s", o.ID, ui.Line(o.Principal), ui.Line(o.Title), o.State)
		printAnswer(p, "  ", o.Answer)
	}
}
