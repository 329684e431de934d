package change

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
)

// A host that compacts chooses items by their ordinals, asks a model for minutes, and then
// deletes these ordinals without another look. Nothing in the file says that it does. So while
// another process may have the file open, every write to a context gives all its items new
// ordinals above all that it has: the host then deletes nothing, and its summary comes in front
// of the context. Its next write numbers the items from 0 again.
//
// The ordinals never have gaps: a host of 1.0 publishes nothing across a gap, or plans what it
// prepared again and again, each time with paid calls of a model.

// NewOrdinals returns the items with dense ordinals, in their order, as they are numbered if
// they are written now: from 0 while no other process has the file open, else above all
// ordinals of before, the context as it is in the file.
func NewOrdinals(db *data.DB, before, after []lcm.ContextItem) []lcm.ContextItem {
	return reordered(before, after, db.Holders(db.Path()).Away())
}

// reordered works as NewOrdinals where it is known whether others have the file open. A context
// that ends where numbers end is numbered from 0.
func reordered(before, after []lcm.ContextItem, away bool) []lcm.ContextItem {
	if away || len(before) == 0 {
		return itemsFrom(after, 0)
	}
	last := before[len(before)-1].Ordinal
	for _, it := range before { // What isn't a number comes last.
		last = max(last, it.Ordinal)
	}
	if last >= math.MaxInt64-int64(len(after)) {
		return itemsFrom(after, 0)
	}
	return itemsFrom(after, max(last+1, 0))
}

// itemsFrom returns the items with dense ordinals from first on.
func itemsFrom(items []lcm.ContextItem, first int64) []lcm.ContextItem {
	out := make([]lcm.ContextItem, len(items))
	for i, it := range items {
		out[i] = it.MovedTo(first + int64(i))
	}
	return out
}

// hasGaps reports whether an ordinal is missing between the first and the last of a context.
func hasGaps(items []lcm.ContextItem) bool {
	for i := 1; i < len(items); i++ {
		if items[i].Ordinal != items[i-1].Ordinal+1 {
			return true
		}
	}
	return false
}

// ContextChanges returns the changes that turn a context, as it is in the file, into another
// one. Items that were read from the file keep their rows, which move to other ordinals.
// The changes are in an order in which no row comes to an ordinal that another one still has.
func ContextChanges(before, after []lcm.ContextItem) []Change {
	stored, kept := indexByPlace(before), map[lcm.Place]bool{}
	var down, up, added []Change
	last, ordered := lcm.Place{}, true
	for _, it := range after {
		source, old := it.Stored()
		i, known := stored[source]
		if !old || !known || kept[source] || before[i].Ref() != it.Ref() {
			added = append(added, itemChange(nil, it.Row()))
			continue
		}
		ordered = ordered && (len(kept) == 0 || source.Compare(last) > 0)
		last, kept[source] = source, true
		switch c := itemChange(before[i].Row(), it.Row()); {
		case c.IsUnchanged():
		case it.Place().Compare(source) > 0:
			up = append(up, c)
		default:
			down = append(down, c)
		}
	}
	if !ordered {
		return changedPlaces(before, after)
	}
	var out []Change
	for _, it := range before {
		if !kept[it.Place()] {
			out = append(out, itemChange(it.Row(), nil))
		}
	}
	slices.Reverse(up)
	return slices.Concat(out, down, up, added)
}

// indexByPlace returns where the item of each place is in a context.
func indexByPlace(items []lcm.ContextItem) map[lcm.Place]int {
	at := make(map[lcm.Place]int, len(items))
	for i := range items {
		at[items[i].Place()] = i
	}
	return at
}

func itemChange(before, after data.Row) Change {
	return Change{Table: "context_items", Key: []string{"conversation_id", "ordinal"}, Before: before, After: after}
}

// changedPlaces returns the changes that turn a context into another one, ordinal by ordinal.
func changedPlaces(before, after []lcm.ContextItem) (out []Change) {
	was, is := map[lcm.Place]data.Row{}, map[lcm.Place]data.Row{}
	var places []lcm.Place
	for _, side := range []struct {
		rows  map[lcm.Place]data.Row
		items []lcm.ContextItem
	}{{was, before}, {is, after}} {
		for _, it := range side.items {
			side.rows[it.Place()] = it.Row()
			places = append(places, it.Place())
		}
	}
	slices.SortFunc(places, lcm.Place.Compare)
	for _, at := range slices.Compact(places) {
		if c := itemChange(was[at], is[at]); !c.IsUnchanged() {
			out = append(out, c)
		}
	}
	return out
}

// isAway reports whether no other process has the file open. It asks once in a transaction,
// after that has the write lock: who opens the file later reads what the transaction writes.
func isAway(t *tx) bool {
	if t.holders == nil {
		held := t.db.Holders(t.db.Path())
		t.holders = &held
	}
	return t.holders.Away()
}

// numberContexts gives the items of the contexts that a batch changes the ordinals that they
// get now. What a host has appended to a context since the plan comes behind what the plan
// saw; out gets their number.
//
// The changes of a context that come of it have the neighbours of the changed items too, as
// changes that change nothing. So the record tells where the items stood, whatever ordinals a
// host gives them later.
func numberContexts(ctx context.Context, t *tx, b Batch, out *Outcome) (rest []Change, changed bool, err error) {
	byConv, order, rest := splitContexts(b.Changes)
	for _, conv := range order {
		if simple, err := isBulkAppend(ctx, t, b, conv, byConv[conv], out); err != nil {
			return nil, false, err
		} else if simple {
			rest = append(rest, byConv[conv]...)
			continue
		}
		before, err := contextItems(ctx, t, conv)
		if err != nil {
			return nil, false, err
		}
		n := b.countAppended(conv, before)
		out.Appended += n
		cs := byConv[conv]
		switch {
		case !isAppend(before, cs):
			after, err := applied(before, cs, len(before)-n)
			if err != nil {
				return nil, false, err
			}
			after = reordered(before, after, isAway(t))
			cs, changed = withNeighbors(before, ContextChanges(before, after)), true
		case len(before) > 0 && !b.Bulk:
			last := before[len(before)-1].Row()
			cs, changed = append(cs, itemChange(last, last)), true
		}
		rest = append(rest, cs...)
	}
	return rest, changed, nil
}

// RenumberContexts returns the changes of a batch with the ordinals that its context items get
// if it is written now. It writes nothing.
func RenumberContexts(ctx context.Context, db *data.DB, b Batch) ([]Change, error) {
	err := snapshot(ctx, db, "number the context", func(t *tx) error {
		_, err := b.prepare(ctx, t, &Outcome{}, []step{numberContexts})
		return err
	})
	return slices.DeleteFunc(slices.Clone(b.Changes), Change.IsUnchanged), err
}

// splitContexts divides changes into those of each context, with the order of these, and all
// others.
func splitContexts(cs []Change) (byConv map[int64][]Change, order []int64, rest []Change) {
	byConv = map[int64][]Change{}
	for _, c := range cs {
		if c.Table != "context_items" {
			rest = append(rest, c)
			continue
		}
		conv := data.CellInteger(c.row()["conversation_id"])
		if byConv[conv] == nil {
			order = append(order, conv)
		}
		byConv[conv] = append(byConv[conv], c)
	}
	return byConv, order, rest
}

// contextItems returns the context of a conversation by ordinal, without what its items show
// of their rows.
func contextItems(ctx context.Context, t *tx, conv int64) (out []lcm.ContextItem, err error) {
	if !t.Schema.Has("context_items") {
		return nil, nil
	}
	columns := t.Schema.Columns("context_items")
	query := "SELECT " + data.QuoteAll(columns) + " FROM context_items WHERE conversation_id = ? ORDER BY ordinal"
	cells := make([]any, len(columns))
	to := data.Pointers(cells)
	err = data.EachRow(ctx, t, query, []any{conv}, func(scan data.RowScanner) error {
		if err := scan(to...); err != nil {
			return err
		}
		out = append(out, lcm.ItemOfCells(columns, slices.Clone(cells), true))
		return nil
	})
	return out, err
}

// countAppended counts the items of a context behind the last one that the plan saw.
func (b Batch) countAppended(conv int64, items []lcm.ContextItem) (n int) {
	for _, g := range b.Guards {
		last, some := g.UpTo["ordinal"]
		if g.Table != "context_items" || !some || data.CellInteger(g.Where["conversation_id"]) != conv {
			continue
		}
		for n < len(items) && items[len(items)-1-n].Ordinal > data.CellInteger(last) {
			n++
		}
		break
	}
	return n
}

// isAppend reports whether changes only add items behind a context that has no gaps, as hosts
// do. That moves nothing, and is no change of what a host may have chosen.
func isAppend(before []lcm.ContextItem, cs []Change) bool {
	next := int64(0)
	if len(before) > 0 {
		next = before[len(before)-1].Ordinal + 1
	}
	return addsItems(cs, next) && !hasGaps(before)
}

// addsItems reports whether changes only add items, with dense ordinals from first on.
func addsItems(cs []Change, first int64) bool {
	for i, c := range cs {
		if c.Before != nil || c.After == nil || ordinalOf(c.After) != first+int64(i) {
			return false
		}
	}
	return true
}

// applied returns a context with changes of it made, in order: first what becomes of its first
// seen items, then the others. It fails where two items come to one ordinal.
func applied(before []lcm.ContextItem, cs []Change, seen int) ([]lcm.ContextItem, error) {
	left, taken := map[lcm.Place]bool{}, map[lcm.Place]bool{}
	sources := map[string][]lcm.Place{} // Of what leaves its place, by what it stands for.
	for _, c := range cs {
		if c.Before != nil {
			left[placeOf(c.Before)] = true
			sources[refOf(c.Before)] = append(sources[refOf(c.Before)], placeOf(c.Before))
		}
	}
	var out []lcm.ContextItem
	for _, it := range before[:seen] {
		if !left[it.Place()] {
			out, taken[it.Place()] = append(out, it), true
		}
	}
	for _, c := range cs {
		if c.After == nil {
			continue
		}
		it := lcm.ItemOfRow(c.After, false)
		if from := sources[refOf(c.After)]; len(from) > 0 {
			it = it.StoredAt(from[0])
			sources[refOf(c.After)] = from[1:]
		}
		if taken[it.Place()] {
			return nil, stale(itemChange(nil, c.After), c.After)
		}
		out, taken[it.Place()] = append(out, it), true
	}
	sorting.Stable(out, func(a, b *lcm.ContextItem) int { return a.Place().Compare(b.Place()) })
	return append(out, before[seen:]...), nil
}

// withNeighbors adds the items beside changed ones, unchanged.
func withNeighbors(before []lcm.ContextItem, cs []Change) []Change {
	touched, left := map[int64]bool{}, map[lcm.Place]bool{}
	for _, c := range cs {
		for _, r := range []data.Row{c.Before, c.After} {
			if r != nil {
				touched[ordinalOf(r)] = true
			}
		}
		if c.Before != nil {
			left[placeOf(c.Before)] = true
		}
	}
	for i, it := range before {
		beside := touched[it.Ordinal-1] || touched[it.Ordinal+1] ||
			i > 0 && left[before[i-1].Place()] || i+1 < len(before) && left[before[i+1].Place()]
		if beside && !left[it.Place()] {
			cs = append(cs, itemChange(it.Row(), it.Row()))
		}
	}
	return cs
}

// checkDense fails where a context that the changes are about has gaps in its ordinals.
func checkDense(ctx context.Context, t *tx, cs []Change) error {
	_, order, _ := splitContexts(cs)
	for _, conv := range order {
		var missing, lowest data.Integer
		const query = "SELECT coalesce(max(ordinal) - min(ordinal) + 1 - count(*), 0), coalesce(min(ordinal), 0) FROM context_items WHERE conversation_id = ?"
		if err := t.QueryRowContext(ctx, query, conv).Scan(&missing, &lowest); err != nil {
			return err
		}
		if missing != 0 || lowest < 0 {
			return &data.InvariantError{What: fmt.Sprintf("the context of conversation %d would have gaps in its ordinals", conv)}
		}
	}
	return nil
}
