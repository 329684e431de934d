package clean

import (
	"context"
	"errors"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/fileidentity"
	"lcm-tui/engine/search"
	"lcm-tui/internal/hint"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/proof"
	"lcm-tui/ui"
)

// The actions of prune.
const (
	verifyAction = "verify"
	proveAction  = "prove"
)

// receiptResult is the result of prune verify and of prune prove.
type receiptResult struct {
	*proof.Receipt
	// Path is the file that the receipt was written to; empty is none.
	Path string `json:"receipt_path,omitempty"`
	cli.WarningList
}

// Print implements cli.Result.
func (r *receiptResult) Print(p *cli.Printer) {
	p.Receipt(r.Receipt)
	if r.Path != "" {
		p.Line("the receipt is in " + ui.Line(r.Path))
	}
}

// receiptOf runs prune verify and prune prove: it looks again for what is left, and writes the receipt with that.
func (m *matchingFlags) receiptOf(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	out := &receiptResult{}
	if out.Path, err = m.newReceipt(c, db); err != nil {
		return nil, err
	}
	var q *search.Query
	if m.query.Value != "" {
		query, err := m.parse(db)
		if err != nil {
			return nil, err
		}
		q = &query
	}
	if c.Action == verifyAction {
		out.Receipt, err = verify(ctx, c, db, q)
	} else {
		out.Receipt, err = makeReceipt(ctx, c, db, q)
	}
	if err != nil {
		return nil, err
	}
	if out.Path != "" {
		err = out.Receipt.Write(out.Path)
	}
	if out.Receipt.Last().State == proof.Left {
		c.Exit = cli.ExitFindings
	}
	return out, err
}

// verify looks again for what a receipt is about.
func verify(ctx context.Context, c *cli.Invocation, db *data.DB, q *search.Query) (*proof.Receipt, error) {
	r, err := proof.Read(c.Args[0])
	if err != nil {
		return nil, err
	}
	found, err := fileidentity.FindSample(ctx, db, r.Database.Sample) // Its schema may have changed since.
	if err == nil && found == 0 && r.Database.Path != db.Path() {
		err = fileidentity.ErrOtherDatabase
	}
	if errors.Is(err, fileidentity.ErrOtherDatabase) {
		return nil, hint.Wrap(err, "the receipt is of "+r.Database.Path+"; name that database with --db")
	}
	if err != nil {
		return nil, err
	}
	if q != nil && proof.QueryDigest(r.Pieces, q.Text) != r.QuerySHA256 {
		return nil, cli.UsageErrorf("--matching: it isn't the query of the receipt; leave it out, and only the texts are looked for")
	}
	return r, r.CheckAgain(ctx, db, q, beside(c), c.Progress())
}

// makeReceipt makes the receipt of a record, from the trash.
func makeReceipt(ctx context.Context, c *cli.Invocation, db *data.DB, q *search.Query) (*proof.Receipt, error) {
	id, err := cli.ParseID("ID", c.Args[0])
	if err != nil {
		return nil, err
	}
	return prune.ReceiptOf(ctx, db, id, &prune.Matching{Query: queryOrNone(q), Version: c.Sys.VersionText(), Beside: beside(c)}, c.Progress())
}

// queryOrNone returns a query, or one that asks for nothing.
func queryOrNone(q *search.Query) search.Query {
	if q == nil {
		return search.Query{}
	}
	return *q
}
