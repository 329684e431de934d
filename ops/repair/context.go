package repair

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
)

// context mends what the model is shown: places that name nothing, stand below zero,
// stand twice or beside what covers them, then the order, then what is missing.
func (d *draft) context(ctx context.Context) error {
	had := len(d.items)
	if d.has(integrity.ContextOrdinalNegative) {
		d.upright()
		d.all(integrity.ContextOrdinalNegative)
	}
	if d.has(integrity.ContextItemDangling) {
		if err := d.refill(ctx); err != nil {
			return err
		}
		d.all(integrity.ContextItemDangling)
	}
	if err := d.foreigners(ctx); err != nil {
		return err
	}
	if d.has(integrity.ContextItemDuplicate) {
		d.once()
		d.all(integrity.ContextItemDuplicate)
	}
	d.covering(d.has(integrity.CoveredMessageInContext), d.has(integrity.CoveredSummaryInContext))
	d.all(integrity.CoveredMessageInContext, integrity.CoveredSummaryInContext)
	if d.has(integrity.ContextOutOfOrder) {
		d.sort()
	}
	if d.has(integrity.MessageUnreferenced, integrity.ContextEmpty) || d.emptied() || len(d.unlinked()) > 0 {
		if err := d.complement(ctx); err != nil {
			return err
		}
	}
	if err := d.restoreRaced(ctx); err != nil {
		return err
	}
	d.all(integrity.ContextOrdinalGaps)
	d.settle(had)
	return nil
}

// emptied reports whether mending takes the last out of a context, in which nothing
// named a row that exists.
func (d *draft) emptied() bool {
	return d.has(integrity.ContextItemDangling) && len(d.was) > 0 && len(d.items) == 0
}

// unlinked are messages that only a lost summary was made of, now that its links go.
func (d *draft) unlinked() (messages []int64) {
	for id, ts := range d.ties {
		for _, t := range ts {
			if d.nodes[id] == nil && t.gone && t.source == "" && d.shows(t.message) {
				messages = append(messages, t.message)
			}
		}
	}
	return messages
}

// settle sees to it that what came into the context, or hangs on another link now, is
// no new fault: nothing stands twice, beside what covers it, or out of order.
func (d *draft) settle(had int) {
	there := map[string]bool{}
	for _, it := range d.was {
		there[it.Type+it.Ref()] = true
	}
	fresh := slices.ContainsFunc(d.items, func(it data.ContextItem) bool { return !there[it.Type+it.Ref()] })
	if !fresh && !d.retied() && len(d.items) >= had {
		return
	}
	d.once()
	d.covering(true, true)
	if !d.ascends() {
		d.arrange()
	}
}

// once leaves a row only its first place.
func (d *draft) once() {
	seen := map[string]bool{}
	d.items = slices.DeleteFunc(d.items, func(it data.ContextItem) bool {
		again := seen[it.Type+it.Ref()]
		seen[it.Type+it.Ref()] = true
		return again
	})
}

// upright brings places below zero, which a renumbering that stopped half-way leaves,
// back where they were.
func (d *draft) upright() {
	at := func(it data.ContextItem) int64 {
		if it.Ordinal < 0 {
			return -it.Ordinal - 1
		}
		return it.Ordinal
	}
	slices.SortStableFunc(d.items, func(a, b data.ContextItem) int { return cmp.Compare(at(a), at(b)) })
}

// refill puts what a lost summary was made of in its place, or the summary that was
// left alone there; other places that name nothing go.
func (d *draft) refill(ctx context.Context) error {
	var out []data.ContextItem
	for i, it := range d.items {
		if !it.Missing {
			out = append(out, it)
			continue
		}
		fill, err := d.instead(ctx, i, it)
		if err != nil {
			return err
		}
		out = append(out, fill...)
	}
	d.items = out
	return nil
}

// instead is what comes in the place of an item that names nothing.
func (d *draft) instead(ctx context.Context, i int, it data.ContextItem) ([]data.ContextItem, error) {
	if !it.IsSummary() {
		return nil, nil
	}
	tops, messages := d.remains(it.Summary)
	if len(tops)+len(messages) == 0 {
		tops = d.strandedAt(i)
	}
	fresh, err := d.messageItems(ctx, messages)
	var fill []data.ContextItem
	for _, id := range tops {
		fill = append(fill, d.summaryItem(id))
	}
	fill = d.interleave(fill, fresh)
	if len(fill) > 0 {
		d.plan.Note(fmt.Sprintf("in the place of %s, which is lost, comes %s", it.Summary, refs(fill)))
	}
	return fill, err
}

// remains are what exists yet of what a lost summary was made of, be it through other
// lost ones, and nothing else shows.
func (d *draft) remains(lost string) (tops []string, messages []int64) {
	covered, reached := d.covered(), d.reached()
	seen := map[string]bool{lost: true}
	var below func(id string)
	below = func(id string) {
		for _, t := range d.ties[id] {
			switch {
			case t.source == "":
				if d.shows(t.message) && !covered[t.message] {
					covered[t.message] = true
					messages = append(messages, t.message)
				}
			case d.alive(t.source):
				if !reached[t.source] {
					reached[t.source] = true
					tops = append(tops, t.source)
				}
			case !seen[t.source] && d.lost(t):
				seen[t.source] = true
				below(t.source)
			}
		}
	}
	below(lost)
	return tops, messages
}

func refs(items []data.ContextItem) string {
	if len(items) > 3 {
		return fmt.Sprintf("what it was made of: %d places", len(items))
	}
	out := ""
	for i, it := range items {
		if i > 0 {
			out += ", "
		}
		out += it.Type + " " + it.Ref()
	}
	return out
}

func (d *draft) summaryItem(id string) data.ContextItem {
	return d.db.NewSummaryItem(d.nodes[id].Summary, d.op.Conversation, 0)
}

// messageItems are places for messages, by seq.
func (d *draft) messageItems(ctx context.Context, ids []int64) ([]data.ContextItem, error) {
	d.bySeq(ids)
	ms, err := d.db.Previews(ctx, ids)
	out := make([]data.ContextItem, 0, len(ms))
	for _, m := range ms {
		out = append(out, d.db.NewMessageItem(m, d.op.Conversation, 0))
	}
	return out, err
}

// strandedAt are the summaries that nothing leads to and whose messages lie between
// those of the places before and after one: what stood there before.
func (d *draft) strandedAt(i int) (out []string) {
	lo, hi := int64(-1<<63), int64(1<<63-1)
	for j, it := range d.items {
		first, last, ok := d.reach(it)
		switch {
		case !ok:
		case j < i:
			lo = max(lo, last)
		case j > i:
			hi = min(hi, first)
		}
	}
	covered := d.covered()
	for _, n := range d.order {
		first, last, ok := d.span(n.ID)
		if n.gone || n.placed || !ok || first <= lo || last >= hi || len(d.derived(n.ID)) > 0 {
			continue
		}
		overlaps := false
		for m := range d.under(n.ID) {
			overlaps = overlaps || covered[m]
		}
		if !overlaps {
			out = append(out, n.ID)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		_, x, _ := d.span(a)
		_, y, _ := d.span(b)
		return cmp.Compare(x, y)
	})
	return out
}

// reach is the lowest and the highest seq that a place stands for.
func (d *draft) reach(it data.ContextItem) (lo, hi int64, ok bool) {
	if it.IsSummary() {
		return d.span(it.Summary)
	}
	m, ok := d.bySlim[it.Message]
	return m.Seq, m.Seq, ok
}

// foreigners takes places out that name another conversation's rows, where those are
// reached from there; else as the user chose.
func (d *draft) foreigners(ctx context.Context) error {
	for _, f := range d.take(integrity.ContextItemForeign) {
		ordinal := id(f.Row)
		at := slices.IndexFunc(d.items, func(it data.ContextItem) bool { return it.Ordinal == ordinal })
		if at < 0 {
			continue
		}
		home, err := d.atHome(ctx, d.items[at].Summary, d.items[at].Message)
		if err != nil {
			return err
		}
		if d.op.chosen(f) == integrity.Keep || !home && d.choice(f) != "drop" {
			continue
		}
		d.items = slices.Delete(d.items, at, at+1)
		d.done(f)
	}
	return nil
}

// atHome reports whether a summary, or where none is named a message, of another
// conversation stands in that one's context or under a summary.
func (d *draft) atHome(ctx context.Context, summary string, message int64) (bool, error) {
	if summary == "" {
		m, err := d.db.Message(ctx, message)
		return m.InContext || slices.ContainsFunc(m.SummaryIDs, func(id string) bool { return d.nodes[id] == nil }), err
	}
	s, err := d.db.Summary(ctx, summary)
	if err != nil {
		return false, err
	}
	for table, where := range map[string]data.Row{
		"context_items": {"conversation_id": s.Conversation, "summary_id": summary},
		sourceTable:     {"parent_summary_id": summary},
	} {
		rows, err := d.db.Images(ctx, table, where)
		if err != nil || slices.ContainsFunc(rows, func(r data.Row) bool { return d.nodes[word(r["summary_id"])] == nil }) {
			return err == nil, err
		}
	}
	return false, nil
}

// covering takes messages and summaries out that stand beside a summary which covers
// them.
func (d *draft) covering(messages, summaries bool) {
	under, lower := map[int64]bool{}, map[string]bool{}
	for _, top := range d.tops() {
		for _, n := range d.below(top) {
			lower[n.ID] = lower[n.ID] || n.ID != top
			for _, m := range n.members { // Also another conversation's.
				under[m] = true
			}
		}
	}
	d.items = slices.DeleteFunc(d.items, func(it data.ContextItem) bool {
		if it.IsSummary() {
			return summaries && lower[it.Summary]
		}
		return messages && under[it.Message]
	})
}

// sort puts places in order.
func (d *draft) sort() {
	if !d.arrange() {
		for _, f := range d.take(integrity.ContextOutOfOrder) {
			d.leave(f, "a summary stands for no message, so nothing tells its place")
		}
		return
	}
	d.all(integrity.ContextOutOfOrder)
}

// arrange puts the messages between two summaries in the order of seq, and where that
// isn't enough all places in the order of what they stand for. Not ok where nothing
// tells that.
func (d *draft) arrange() bool {
	for from := 0; from < len(d.items); from++ {
		to := from
		for to < len(d.items) && !d.items[to].IsSummary() {
			to++
		}
		run := d.items[from:to]
		slices.SortStableFunc(run, func(a, b data.ContextItem) int { return cmp.Compare(d.bySlim[a.Message].Seq, d.bySlim[b.Message].Seq) })
		from = to
	}
	if d.ascends() {
		return true
	}
	keyed := map[string]int64{}
	for _, it := range d.items {
		_, hi, ok := d.reach(it)
		if !ok {
			return false
		}
		keyed[it.Type+it.Ref()] = hi
	}
	slices.SortStableFunc(d.items, func(a, b data.ContextItem) int { return cmp.Compare(keyed[a.Type+a.Ref()], keyed[b.Type+b.Ref()]) })
	return true
}

// ascends reports whether the messages stand in the order of seq.
func (d *draft) ascends() bool {
	last := int64(-1 << 63)
	for _, it := range d.items {
		if it.IsSummary() {
			continue
		}
		if seq := d.bySlim[it.Message].Seq; seq <= last {
			return false
		}
		last = d.bySlim[it.Message].Seq
	}
	return true
}

// complement brings what is nowhere into the context: the messages that the check
// names, and into an empty one all since /new, the top summaries first.
func (d *draft) complement(ctx context.Context) error {
	named := map[int64]bool{}
	for _, m := range rowsOf(d.take(integrity.MessageUnreferenced)) {
		named[m] = true
	}
	since, err := d.pruned(ctx)
	if err != nil {
		return err
	}
	for _, m := range d.unlinked() {
		named[m] = named[m] || d.bySlim[m].CreatedAt.After(since)
	}
	if d.emptied() || d.has(integrity.ContextEmpty) && len(d.items) == 0 {
		for _, m := range d.slims {
			named[m.ID] = named[m.ID] || m.CreatedAt.After(since)
		}
		d.tipped(since)
	}
	linked := map[int64]bool{}
	for _, n := range d.order {
		for _, m := range n.members {
			linked[m] = true
		}
	}
	covered := d.covered()
	var open []int64
	for _, m := range d.slims {
		if named[m.ID] && d.shows(m.ID) && !covered[m.ID] && !linked[m.ID] {
			open = append(open, m.ID)
		}
	}
	fresh, err := d.messageItems(ctx, open)
	d.items = d.interleave(d.items, fresh)
	d.all(integrity.MessageUnreferenced, integrity.ContextEmpty)
	return err
}

// pruned is when /new last emptied the context, as far as the host notes that.
func (d *draft) pruned(ctx context.Context) (t time.Time, err error) {
	rows, err := d.db.ImagesIn(ctx, "conversation_bootstrap_state", "conversation_id", []any{d.op.Conversation}, "soft_reset_pruned_at")
	for _, r := range rows {
		t, _ = data.ParseTime(word(r["soft_reset_pruned_at"]))
	}
	return t, err
}

// tipped puts the summaries into an empty context that nothing was made of and that
// reach past a time.
func (d *draft) tipped(since time.Time) {
	for _, n := range d.order {
		if !n.gone && len(d.derived(n.ID)) == 0 && orElse(n.LatestAt, n.CreatedAt).After(since) {
			d.items = append(d.items, d.summaryItem(n.ID))
		}
	}
	slices.SortStableFunc(d.items, func(a, b data.ContextItem) int {
		_, x, _ := d.reach(a)
		_, y, _ := d.reach(b)
		return cmp.Compare(x, y)
	})
	d.covering(true, true)
}

// shows reports whether there is such a message, and something in it to be shown.
func (d *draft) shows(message int64) bool {
	m, ok := d.bySlim[message]
	return ok && !m.CompactionNote && !m.Blank
}

// interleave puts places, which come in the order of what they stand for, each before
// the first that stands for later messages.
func (d *draft) interleave(items, fresh []data.ContextItem) (out []data.ContextItem) {
	for _, it := range fresh {
		_, seq, _ := d.reach(it)
		for len(items) > 0 {
			if _, hi, ok := d.reach(items[0]); ok && hi > seq {
				break
			}
			out, items = append(out, items[0]), items[1:]
		}
		out = append(out, it)
	}
	return append(out, items...)
}

// place turns the context into changes.
func (d *draft) place(ctx context.Context) error {
	if d.merged || d.erased {
		return nil // It is written already.
	}
	d.writeTies()
	if err := d.writeDropped(ctx); err != nil {
		return err
	}
	for i, it := range d.items { // As they will be counted.
		if n := d.nodes[it.Summary]; n != nil {
			d.items[i].Tokens = n.Tokens
		} else if m, ok := d.bySlim[it.Message]; ok {
			d.items[i].Tokens = m.Tokens.Value
		}
	}
	same := len(d.items) == len(d.was) && slices.EqualFunc(d.items, d.was, func(a, b data.ContextItem) bool {
		return a.Ordinal == b.Ordinal && a.Type == b.Type && a.Ref() == b.Ref()
	})
	if same && !d.has(integrity.ContextOrdinalGaps) {
		d.unmoved()
		return nil
	}
	return d.arrangePlaces(ctx, &d.plan)
}

// movesContext are the faults whose repair may need room in a context, or another order.
var movesContext = integrity.Select(func(f integrity.Fault) bool { return f.MovesContext })

// room fails with a *data.HostError if the context can't become what it should beside a
// host that may be at work. It comes before any model is asked.
func (d *draft) room(ctx context.Context) error {
	if d.merged || d.erased || d.op.Conversation == 0 {
		return nil
	}
	try := ops.New(verb, "")
	try.Force = d.op.Force
	return d.arrangePlaces(ctx, &try)
}

// postpone leaves what would need room beside a host.
func (d *draft) postpone(host *data.HostError) {
	for _, fault := range movesContext {
		for _, f := range d.found[fault] {
			d.leave(f, "its host may be at work ("+host.Presence.String()+"), and "+host.Need+"; repair it when the host is away, or force it")
		}
		delete(d.found, fault)
	}
}

// arrangePlaces adds to a plan what makes the context what it should be.
func (d *draft) arrangePlaces(ctx context.Context, p *ops.Plan) error {
	if d.has(integrity.ContextOrdinalGaps) {
		return p.RenumberContext(ctx, d.db, d.op.Conversation, d.was, d.items)
	}
	return p.ChangeContext(ctx, d.db, d.op.Conversation, d.was, d.items)
}

// unmoved tells how large a context is whose places stay, and shows it if what stands
// there is counted otherwise.
func (d *draft) unmoved() {
	i := &d.plan.Impact
	i.ItemsBefore, i.ItemsAfter = len(d.was), len(d.items)
	for k := range d.was {
		i.TokensBefore += d.was[k].Tokens
		i.TokensAfter += d.items[k].Tokens
	}
	if i.TokensBefore != i.TokensAfter || len(d.remade) > 0 {
		d.plan.Contexts = append(d.plan.Contexts, ops.ContextChange{Conversation: d.op.Conversation, Before: d.was, After: d.items})
	}
}
