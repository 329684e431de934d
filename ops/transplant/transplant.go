package transplant

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Op copies summaries of the conversation Source, with all below them, into the
// conversation Target.
type Op struct {
	Source, Target int64
	// From is the path of the database with Source; empty is the database of Target.
	From string
	// Summaries are the ids of the summaries to copy; empty copies those in the context
	// of Source.
	Summaries []string
	// Messages also copies the messages in the context of Source that no copied summary
	// covers.
	Messages bool
	// All also copies the messages of Source that are neither in its context nor below a copied
	// summary, and keeps their hashes: a host recognizes all of them in the history of its session.
	All bool
	// Budget is the token budget of the target's context, above which the plan warns; 0
	// is the one that the host stored, or the default.
	Budget int64
	// Files is the folder of the target's large files, and FromFiles the folder of the
	// source's; empty is lcm-files beside the database.
	Files, FromFiles string
	// Reactivated says that Target, which is archived, becomes active in the same write.
	Reactivated bool
}

var _ ops.Op = (*Op)(nil)

// Name implements ops.Op.
func (*Op) Name() string { return "transplant" }

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	from, err := o.openSource(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	defer from.closeBeside(db)
	t, err := o.newTransfer(ctx, from, db)
	if err != nil {
		return ops.Plan{}, err
	}
	steps := []struct {
		name string
		do   func(context.Context) error
	}{
		{"choose summaries", t.choose},
		{"find duplicates", t.compare},
		{"read messages", t.read},
		{"find files", t.findFiles},
		{"assign ids", t.assignNumbers},
		{"write summaries", t.copySummaries},
		{"write messages", t.copyMessages},
		{"place them in the context", t.place},
		{"check the target", t.finish},
	}
	for i, s := range steps {
		report(i, len(steps), "transplant: "+s.name)
		if err := ctx.Err(); err != nil {
			return ops.Plan{}, err
		}
		if err := s.do(ctx); err != nil {
			return ops.Plan{}, err
		}
	}
	t.plan.Title = t.title()
	return *t.plan, nil
}

// title says what is copied from where to where.
func (t *transfer) title() string {
	from := t.source.Label()
	if t.source.db != t.target.db {
		from += " of " + t.source.db.Path()
	}
	what := plural.Count(len(t.selection.nodes), "summary", "summaries")
	if n := len(t.originals.messages); n > 0 {
		what += " and " + plural.Count(n, "message", "messages")
	}
	return fmt.Sprintf("transplant %s of %s into %s", what, from, t.target.Label())
}
