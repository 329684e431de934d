package sessionkey

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// New empties the context of a conversation, as a host does at /new: all messages leave it, and the summaries
// below a depth. They stay in the file, and the conversation goes on.
type New struct {
	Conversation int64
	Retain       Depth
	Lifecycle
}

// Depth is the depth from which on /new keeps summaries: 0 keeps all of them, too, and so does KeepAll.
type Depth int64

// KeepAll keeps every summary, and KeepNone keeps none: to a host a number without end is that.
const (
	KeepAll  Depth = -1
	KeepNone Depth = math.MaxInt64
)

// keeps reports whether an item stays in the context. A host looks up the depth of a summary, and doesn't find one
// that is missing.
func (d Depth) keeps(i *lcm.ContextItem) bool {
	return i.IsSummary() && (d != KeepNone && i.Missing || d == KeepAll || i.Depth >= int64(d))
}

func (d Depth) String() string {
	switch d {
	case KeepAll:
		return "all summaries stay"
	case KeepNone:
		return "no summary stays"
	}
	return fmt.Sprintf("summaries of depth %d and above stay", int64(d))
}

var _ ops.Op = (*New)(nil)

// Name implements ops.Op.
func (*New) Name() string { return "session new" }

// Plan implements ops.Op. Its notes say what /new would drop at each depth.
func (o *New) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	what := "empty the context of " + lcm.Label(ctx, db, o.Conversation)
	c, err := o.begin(ctx, db, what, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	before, err := lcm.Context(ctx, db, c.ID)
	if err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), what+", where "+o.Retain.String())
	var after []lcm.ContextItem
	for _, item := range before {
		if o.Retain.keeps(&item) {
			after = append(after, item)
		}
	}
	if len(after) < len(before) {
		p.ChangeContext(db, c.ID, before, after)
		p.Forgets = true
	}
	o.stamp(db, &p, c)
	if len(p.Changes) == 0 {
		return ops.Plan{}, fmt.Errorf("the context of %s has nothing that would leave it: %w", c.name(), ops.ErrNothing)
	}
	for _, d := range depthsOf(before) {
		p.Note(dropText(d, before))
	}
	p.Note("all messages and summaries stay in the file, and searches find them")
	return p, nil
}

// stamp notes the time where hosts do: in the row of the transcript, if there is one. Those of 1.0 note nothing.
func (o *New) stamp(db *data.DB, p *ops.Plan, c conversation) {
	const at = "soft_reset_pruned_at"
	if c.transcript == nil || db.Kind().Generation == data.GenerationOne || !db.Schema().Has(bootstrap, at) {
		return
	}
	setColumns(db, p, bootstrap, c.transcript, data.Row{at: db.FormatNow(), "updated_at": db.FormatNow()})
}

// depthsOf returns the depths that make a difference for a context, from KeepAll to KeepNone: each keeps fewer
// summaries than the one before.
func depthsOf(items []lcm.ContextItem) []Depth {
	depths := map[int64]bool{}
	for _, i := range items {
		if i.IsSummary() && !i.Missing && i.Depth >= 0 {
			depths[i.Depth] = true
		}
	}
	out := []Depth{KeepAll}
	const most = 32 // Deeper ones are damage.
	for _, d := range slices.Sorted(maps.Keys(depths)) {
		if d < most {
			out = append(out, Depth(d+1))
		}
	}
	kept := func(d Depth) (n int) {
		for _, i := range items {
			if d.keeps(&i) {
				n++
			}
		}
		return n
	}
	if last := len(out) - 1; kept(out[last]) == 0 && last > 0 {
		out = out[:last] // KeepNone says it shorter.
	}
	if kept(out[len(out)-1]) > 0 {
		out = append(out, KeepNone)
	}
	return out
}

// dropText says what leaves a context at a depth.
func dropText(d Depth, items []lcm.ContextItem) string {
	var messages, summaries int
	var left, stays int64
	for _, i := range items {
		switch {
		case d.keeps(&i):
			stays += i.Tokens
			continue
		case i.IsSummary():
			summaries++
		default:
			messages++
		}
		left += i.Tokens
	}
	return fmt.Sprintf("where %s, %s and %s leave it: %s, and %s stay", d, plural.Count(messages, "message", "messages"),
		plural.Count(summaries, "summary", "summaries"), plural.Count(left, "token", "tokens"), plural.Count(stays, "token", "tokens"))
}
