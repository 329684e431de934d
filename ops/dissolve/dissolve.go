package dissolve

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Op dissolves Summary in the context of Conversation. The summary's row stays in
// the table, unless Purge.
type Op struct {
	Conversation int64
	Summary      string
	// Purge deletes the summary with its links, its search rows and the places in
	// focus briefs that name it. It is refused while another summary is made of it.
	Purge bool
	// Budget is the token budget of the context, above which the plan warns; 0 is the one
	// that the host stored, or the default.
	Budget int64
}

var _ ops.Op = (*Op)(nil)

// Name implements ops.Op.
func (*Op) Name() string { return "dissolve" }

// refuse says why it can't be dissolved and what to do instead, with other words for a screen
// where next names a command or a flag.
func (o *Op) refuse(why, next string, onScreen ...string) error {
	return &hint.Error{Text: fmt.Sprintf("can't dissolve %s: %s", o.Summary, why), Next: next, OnScreen: strings.Join(onScreen, "")}
}

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	if _, err := lcm.ReadConversation(ctx, db, o.Conversation); err != nil {
		return ops.Plan{}, err
	}
	sum, err := lcm.ReadSummary(ctx, db, o.Summary)
	if err != nil {
		return ops.Plan{}, err
	}
	g, err := lineage.Load(ctx, db, o.Conversation, 0)
	if err != nil {
		return ops.Plan{}, err
	}
	if err := o.check(sum, g); err != nil {
		return ops.Plan{}, err
	}
	before, err := lcm.Context(ctx, db, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	s, err := o.sources(ctx, db, g)
	if err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), o.title(len(s.items)))
	after := replace(&p, before, o.Summary, s.items)
	p.ChangeContext(db, o.Conversation, before, after)
	n, _ := g.Node(o.Summary)
	p.Guard("summary_parents", data.Row{"summary_id": o.Summary}, len(n.Sources))
	s.addWarnings(&p, n)
	if o.Purge {
		if err := o.purge(ctx, db, &p, sum); err != nil {
			return ops.Plan{}, err
		}
	} else {
		p.Note("the summary stays in the table and can still be found; only the context changes")
	}
	return p, o.warn(ctx, db, &p)
}

// title says into how many sources the summary is dissolved.
func (o *Op) title(n int) string {
	verb := "dissolve"
	if o.Purge {
		verb = "dissolve and delete"
	}
	return fmt.Sprintf("%s %s into its %s", verb, o.Summary, plural.Count(n, "source", "sources"))
}

// check refuses what isn't a condensed summary in this context.
func (o *Op) check(sum lcm.Summary, g *lineage.Graph) error {
	n, ok := g.Node(sum.ID)
	switch {
	case !ok:
		return o.refuse(fmt.Sprintf("it belongs to conversation %d, not %d", sum.Conversation, o.Conversation),
			fmt.Sprintf("lcm-tui dissolve %d %s", sum.Conversation, sum.ID), fmt.Sprintf("dissolve it in conversation %d", sum.Conversation))
	case !sum.Condensed():
		return o.refuse("it is a leaf, made of messages and not of summaries",
			"only condensed summaries can be dissolved; the messages of a leaf are listed with the summary")
	case len(n.Sources) == 0:
		return o.refuse("it has no sources any more, so its text would be lost from the context",
			"keep it: no other text covers those messages")
	case !n.InContext():
		return o.notInContext(n, g)
	case o.Purge && len(n.Derived) > 0:
		return o.refuse("it can't be deleted, because "+n.Derived[0]+" is made of it",
			"dissolve it without --purge", "dissolve it without deleting it")
	}
	return nil
}

// notInContext refuses a summary outside of the context, and names the one that covers it.
func (o *Op) notInContext(n *lineage.Node, g *lineage.Graph) error {
	why := "it isn't in the context of conversation " + fmt.Sprint(o.Conversation)
	if above, ok := g.ContextAncestor(n); ok {
		return o.refuse(why+"; "+above.ID+", which covers it, is",
			fmt.Sprintf("dissolve that one first: lcm-tui dissolve %d %s", o.Conversation, above.ID), "dissolve that one first")
	}
	return o.refuse(why, "nothing in the context is made of it, so there is nothing to replace")
}

// replace replaces every item of a summary: the first by items, the others by nothing. It
// adds no item that the context has already.
func replace(p *ops.Plan, before []lcm.ContextItem, summary string, items []lcm.ContextItem) []lcm.ContextItem {
	present := map[string]bool{}
	for _, it := range before {
		present[it.Ref()] = true
	}
	var after []lcm.ContextItem
	mentions := 0
	for _, it := range before {
		if it.Summary != summary {
			after = append(after, it)
			continue
		}
		mentions++
		for _, s := range items {
			if mentions == 1 && !present[s.Ref()] {
				after = append(after, s)
			}
		}
	}
	if mentions > 1 {
		p.Warn(fmt.Sprintf("the context named the summary %d times; its sources replace the first", mentions))
	}
	for _, s := range items {
		if present[s.Ref()] {
			p.Warn(s.Ref() + " is in the context already, beside its summary, and stays where it is")
		}
	}
	return after
}

// purge adds the deletion of the summary and of all rows that refer to it.
func (o *Op) purge(ctx context.Context, db *data.DB, p *ops.Plan, sum lcm.Summary) error {
	where := data.Row{"summary_id": o.Summary}
	for _, table := range []string{"focus_brief_sources", "summary_parents", "summary_messages", "summaries"} {
		rows, err := data.Images(ctx, db, table, where)
		if err != nil {
			return err
		}
		for _, r := range rows {
			p.Changes = append(p.Changes, change.Delete(db, table, r))
		}
		if table != "summaries" && db.Schema().Has(table) {
			p.Guard(table, where, len(rows))
		}
		if table == "focus_brief_sources" && len(rows) > 0 {
			p.Warn(plural.Count(len(rows), "place", "places") + " in focus briefs that name the summary are deleted with it")
		}
	}
	p.Guard("summary_parents", data.Row{"parent_summary_id": o.Summary}, 0)
	p.Texts = append(p.Texts, ops.Text{ID: sum.ID, Before: sum.Content})
	p.Note("the summary's text is deleted from the file; undo brings it back")
	p.BackUp(db)
	return nil
}

// warn adds warnings about the budget and the host.
func (o *Op) warn(ctx context.Context, db *data.DB, p *ops.Plan) error {
	if _, err := p.WarnOfBudget(ctx, db, o.Conversation, o.Budget); err != nil {
		return err
	}
	m, err := lcm.ReadMaintenance(ctx, db, o.Conversation)
	if m.Running {
		p.Warn("the host says that it is compacting this conversation now; when it has, this plan can't be applied any more")
	}
	return err
}
