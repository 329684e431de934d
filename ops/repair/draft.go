package repair

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/token"
	"lcm-tui/ops"
)

// draft is a conversation as it is and as it will be.
type draft struct {
	db     *data.DB
	op     *Op
	found  map[integrity.FaultID][]integrity.Finding // Those to be mended, by fault.
	listed []integrity.Finding                       // All that were found.
	edits  *edits
	plan   ops.Plan

	items, was []data.ContextItem
	nodes      map[string]*node
	ties       map[string][]*tie // By summary, also by some that don't exist.
	bySource   map[string][]*tie // By the summary that they lead to, also those that are gone.
	byMessage  map[int64][]*tie  // By the message that they lead to, also those that are gone.
	abroad     map[any]bool      // Ids of summaries and messages of other conversations that are linked here.
	unsynced   map[string]bool   // Summaries of which links changed that their nodes don't know of.
	renumbered map[string]bool   // Summaries whose links get new ordinals.
	order      []*node           // By depth, then age.
	slims      []data.MessageHeader
	spans      map[string]stretch // Of summaries, as far as known.
	bySlim     map[int64]data.MessageHeader
	remade     map[string]string // New texts of summaries.
	failed     error             // Why a model made a text that was wanted not; the last one's.
	resummed   map[string]bool   // Leaves of which a message wasn't counted at all.
	recounted  map[string]int64  // By how much the messages of leaves are counted otherwise.

	foundRows map[integrity.FaultID]map[string]bool // Rows of findings by fault, while counters are computed.
	ongoing   *string                               // Why the conversation may go on, once that was looked at.

	merged   bool // It goes into another conversation.
	erased   bool // It goes altogether.
	mended   map[integrity.FaultID]int
	left     []leftover
	outcomes map[string]*outcome // By ID and table of the finding.
	told     map[string]bool     // Keys of those that are left, with their reasons.
}

// node is a summary with its links, as they will be.
type node struct {
	data.Summary // As it will be, without the text.
	row          data.Row
	sources      []string
	members      []int64
	gone         bool
	at           int  // Its place in the order.
	placed       bool // It stood in the context.
	led          bool // Something was made of it.
}

// light are the columns of a summary that a repair looks at, but the text.
var light = []string{
	"summary_id", "conversation_id", "kind", "depth", "token_count", "earliest_at", "latest_at", "descendant_count",
	"descendant_token_count", "source_message_token_count", "created_at", "file_ids", "model",
}

func newDraft(ctx context.Context, db *data.DB, o *Op, found []integrity.Finding) (*draft, error) {
	d := &draft{
		db: db, op: o, listed: found, found: map[integrity.FaultID][]integrity.Finding{}, edits: newEdits(db), plan: ops.New(verb, ""),
		nodes: map[string]*node{}, ties: map[string][]*tie{}, bySource: map[string][]*tie{}, byMessage: map[int64][]*tie{}, abroad: map[any]bool{}, renumbered: map[string]bool{}, bySlim: map[int64]data.MessageHeader{}, spans: map[string]stretch{}, mended: map[integrity.FaultID]int{}, remade: map[string]string{}, recounted: map[string]int64{}, resummed: map[string]bool{},
		told: map[string]bool{}, outcomes: map[string]*outcome{}, unsynced: map[string]bool{},
	}
	d.plan.Force = o.Force
	for _, f := range found {
		if !o.wants(f) {
			continue
		}
		d.outcome(f).wanted = true
		if o.skips(f) {
			continue
		}
		fault, _ := integrity.Lookup(f.Fault)
		switch {
		case fault.RepairKind == integrity.NoRepair:
			d.leave(f, fault.Repair)
			continue
		case fault.Operation != "":
			d.leave(f, "lcm-tui "+fault.Operation+" repairs it: "+fault.Repair)
			continue
		}
		d.found[f.Fault] = append(d.found[f.Fault], f)
	}
	if len(d.found) == 0 || o.Conversation == 0 {
		return d, nil
	}
	return d, d.load(ctx)
}

func (d *draft) load(ctx context.Context) (err error) {
	conv := d.op.Conversation
	if d.was, err = d.db.Context(ctx, conv); err != nil {
		return err
	}
	d.items = slices.Clone(d.was)
	if d.slims, err = d.db.ClassifiedMessageHeaders(ctx, conv); err != nil {
		return err
	}
	for _, m := range d.slims {
		d.bySlim[m.ID] = m
	}
	if err := d.loadNodes(ctx); err != nil {
		return err
	}
	return d.loadTies(ctx)
}

func (d *draft) loadNodes(ctx context.Context) error {
	conv := d.op.Conversation
	all, err := d.db.Summaries(ctx, conv, 0)
	if err != nil {
		return err
	}
	rows, err := d.db.ImagesIn(ctx, "summaries", "conversation_id", []any{conv}, light...)
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
		if images[s.ID] == nil {
			continue // Its id isn't text: no link or place can name it.
		}
		n := &node{Summary: s, row: images[s.ID]}
		n.at = len(d.order)
		d.nodes[s.ID] = n
		d.order = append(d.order, n)
	}
	for _, it := range d.items {
		if n := d.nodes[it.Summary]; n != nil {
			n.placed = true
		}
	}
	return nil
}

// below are a summary and all that it's made of, as far as it's there, once each.
func (d *draft) below(ids ...string) (out []*node) {
	seen := map[string]bool{}
	for stack := slices.Clone(ids); len(stack) > 0; {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := d.nodes[id]
		if n == nil || n.gone || seen[id] {
			continue
		}
		seen[id] = true
		out = append(out, n)
		stack = append(stack, n.sources...)
	}
	return out
}

// alive reports whether there is such a summary, and will be.
func (d *draft) alive(id string) bool {
	n := d.nodes[id]
	return n != nil && !n.gone
}

// derived are the summaries that were made of one.
func (d *draft) derived(id string) (out []*node) { return d.ownersOf(d.bySource[id]) }

// ownersOf are the summaries of links, as far as both are there, in their order.
func (d *draft) ownersOf(ties []*tie) (out []*node) {
	for _, t := range ties {
		if n := d.nodes[t.summary]; !t.gone && n != nil && !n.gone {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b *node) int { return a.at - b.at })
	return slices.Compact(out)
}

// under are the messages of the conversation below these summaries.
func (d *draft) under(ids ...string) map[int64]bool {
	out := map[int64]bool{}
	for _, n := range d.below(ids...) {
		for _, m := range n.members {
			if _, ok := d.bySlim[m]; ok {
				out[m] = true
			}
		}
	}
	return out
}

// tops are the ids of the summaries in the context.
func (d *draft) tops() (out []string) {
	for _, it := range d.items {
		if it.IsSummary() {
			out = append(out, it.Summary)
		}
	}
	return out
}

// covered are the messages that the context reaches.
func (d *draft) covered() map[int64]bool {
	out := d.under(d.tops()...)
	for _, it := range d.items {
		if _, ok := d.bySlim[it.Message]; ok && !it.IsSummary() {
			out[it.Message] = true
		}
	}
	return out
}

// reached are the ids of the summaries that the context reaches.
func (d *draft) reached() map[string]bool {
	out := map[string]bool{}
	for _, n := range d.below(d.tops()...) {
		out[n.ID] = true
	}
	return out
}

// stretch is the lowest and the highest seq of some messages; not ok for none.
type stretch struct {
	lo, hi int64
	ok     bool
}

// span is the lowest and the highest seq below a summary; ok is false for none.
func (d *draft) span(id string) (lo, hi int64, ok bool) {
	s, known := d.spans[id]
	if !known {
		for m := range d.under(id) {
			seq := d.bySlim[m].Seq
			if !s.ok {
				s = stretch{seq, seq, true}
			}
			s.lo, s.hi = min(s.lo, seq), max(s.hi, seq)
		}
		d.spans[id] = s
	}
	return s.lo, s.hi, s.ok
}

// bottomUp are the summaries so that none stands before its sources. A cycle is cut
// where it's met.
func (d *draft) bottomUp() (out []*node) {
	done := map[string]bool{}
	type frame struct {
		n    *node
		next int
	}
	for _, root := range d.order {
		for stack := []frame{{n: root}}; len(stack) > 0; {
			f := &stack[len(stack)-1]
			if f.next == 0 {
				if done[f.n.ID] {
					stack = stack[:len(stack)-1]
					continue
				}
				done[f.n.ID] = true
			}
			if f.next < len(f.n.sources) {
				s := d.nodes[f.n.sources[f.next]]
				f.next++
				if s != nil && !done[s.ID] {
					stack = append(stack, frame{n: s})
				}
				continue
			}
			if !f.n.gone {
				out = append(out, f.n)
			}
			stack = stack[:len(stack)-1]
		}
	}
	return out
}

// estimator counts tokens as the host of this file does.
func (d *draft) estimator() token.Estimator { return token.Of(d.db.Kind().Level) }

// change sets columns of a summary's row.
func (d *draft) change(n *node, columns data.Row) { d.edits.set("summaries", n.row, columns) }

// bySeq sorts messages by seq.
func (d *draft) bySeq(ids []int64) {
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Or(cmp.Compare(d.bySlim[a].Seq, d.bySlim[b].Seq), cmp.Compare(a, b)) })
}
