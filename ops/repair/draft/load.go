package draft

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// SummaryColumns are the columns of a summary's row that are read, all but the text.
var SummaryColumns = []string{
	"summary_id", "conversation_id", "kind", "depth", "token_count", "earliest_at", "latest_at", "descendant_count",
	"descendant_token_count", "source_message_token_count", "created_at", "file_ids", "model",
}

// load reads the summaries of a conversation and their edges.
func (g *Graph) load(ctx context.Context, db *data.DB, conversation int64, items []lcm.ContextItem, missing []string) error {
	if err := g.loadSummaries(ctx, db, conversation, items); err != nil {
		return err
	}
	ids := make([]any, 0, len(g.order))
	for _, s := range g.order {
		ids = append(ids, s.ID)
	}
	for _, id := range missingSummaries(g.summaries, items, missing) {
		ids = append(ids, id)
	}
	for len(ids) > 0 {
		var err error
		if ids, err = g.loadEdges(ctx, db, ids); err != nil {
			return err
		}
	}
	for _, edges := range g.edges {
		slices.SortStableFunc(edges, func(a, b *Edge) int { return cmp.Compare(Number(a.row["ordinal"]), Number(b.row["ordinal"])) })
		for _, e := range edges {
			if s := g.summaries[e.Source]; s != nil {
				s.HadDerived = true
			}
		}
	}
	return g.loadElsewhere(ctx, db)
}

// missingSummaries returns the ids of summaries that don't exist, of those that are named.
func missingSummaries(summaries map[string]*Summary, items []lcm.ContextItem, named []string) []string {
	lost := map[string]bool{}
	for _, id := range named {
		if summaries[id] == nil {
			lost[id] = true
		}
	}
	for _, it := range items {
		if it.IsSummary() && it.Missing {
			lost[it.Summary] = true
		}
	}
	return sortedKeys(lost)
}

func (g *Graph) loadSummaries(ctx context.Context, db *data.DB, conversation int64, items []lcm.ContextItem) error {
	all, err := lcm.Summaries(ctx, db, conversation, 0)
	if err != nil {
		return err
	}
	rows, err := data.ImagesIn(ctx, db, "summaries", "conversation_id", []any{conversation}, SummaryColumns...)
	if err != nil {
		return err
	}
	images := map[string]data.Row{}
	for _, r := range rows {
		if id, ok := r["summary_id"].(string); ok {
			images[id] = r
		}
	}
	for _, s := range all {
		if images[s.ID] != nil { // Else its id isn't text, so that no edge or item can name it.
			g.add(&Summary{Summary: s, Row: images[s.ID]})
		}
	}
	for _, it := range items {
		if s := g.summaries[it.Summary]; s != nil {
			s.WasInContext = true
		}
	}
	return nil
}

// add adds a summary behind the others.
func (g *Graph) add(s *Summary) {
	s.graph, s.position, s.stale = g, len(g.order), true
	g.summaries[s.ID] = s
	g.order = append(g.order, s)
}

// loadEdges reads the edges of summaries. It returns the missing summaries to which they lead
// and which exist nowhere: their edges come next.
func (g *Graph) loadEdges(ctx context.Context, db *data.DB, ids []any) (next []any, err error) {
	known := map[any]bool{}
	for _, id := range ids {
		known[id] = true
	}
	for _, table := range []string{SourceTable, MessageTable} {
		rows, err := data.ImagesIn(ctx, db, table, "summary_id", ids)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			e := g.read(table, r)
			if _, read := g.edges[e.Source]; e.Source != "" && g.summaries[e.Source] == nil && !read && !known[e.Source] {
				known[e.Source] = true
				next = append(next, e.Source)
			}
		}
	}
	rows, err := data.ImagesIn(ctx, db, "summaries", "summary_id", next, "summary_id")
	elsewhere := map[string]bool{}
	for _, r := range rows {
		elsewhere[Text(r["summary_id"])] = true
	}
	return slices.DeleteFunc(next, func(id any) bool { return elsewhere[Text(id)] }), err
}

// loadElsewhere finds out which sources of edges are another conversation's.
func (g *Graph) loadElsewhere(ctx context.Context, db *data.DB) error {
	var summaries, messages []any
	for _, e := range g.AllEdges() {
		switch {
		case g.isOwn(e):
		case e.Source != "":
			summaries = append(summaries, e.Source)
		default:
			messages = append(messages, e.Message)
		}
	}
	for _, of := range []struct {
		table, key string
		ids        []any
	}{{"summaries", "summary_id", summaries}, {"messages", "message_id", messages}} {
		rows, err := data.ImagesIn(ctx, db, of.table, of.key, of.ids, of.key)
		if err != nil {
			return err
		}
		for _, r := range rows {
			switch key := r[of.key].(type) { // A BLOB is no id, and no key of a map either.
			case string, int64:
				g.elsewhere[key] = true
			}
		}
	}
	return nil
}
