package data

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"lcm-tui/internal/sorting"
)

// restoreContexts turns the part of an undo that is about contexts into changes of the
// contexts as they are now: a host may have appended items since, compacted others, or
// given all of them other ordinals.
func (t *tx) restoreContexts(ctx context.Context, cs []Change, force bool) ([]Change, error) {
	var rest []Change
	byConv := map[int64][]Change{}
	var order []int64
	for _, c := range cs {
		if c.Table != "context_items" {
			rest = append(rest, c)
			continue
		}
		conv := asInteger(c.row()["conversation_id"])
		if byConv[conv] == nil {
			order = append(order, conv)
		}
		byConv[conv] = append(byConv[conv], c)
	}
	for _, conv := range order {
		own, err := t.restoreContext(ctx, conv, byConv[conv], force)
		if err != nil {
			return nil, err
		}
		rest = append(rest, own...)
	}
	return rest, nil
}

func (t *tx) restoreContext(ctx context.Context, conv int64, cs []Change, force bool) ([]Change, error) {
	now, err := t.itemsAfter(ctx, conv, int64(math.MinInt64))
	if err != nil {
		return nil, err
	}
	slices.Reverse(now)
	u := newContextUndo(now, cs)
	exact := u.exact()
	if exact == nil && !u.moves() {
		return cs, nil
	}
	p, err := t.db.presence(ctx, t, t.schema, conv)
	if err != nil {
		return nil, err
	}
	away := force || p.Away()
	if exact == nil && away {
		return cs, nil
	}
	l, err := t.relayContext(ctx, u)
	if err != nil {
		return nil, err
	}
	if !l.Safe() && !away {
		return nil, &HostError{Conversation: conv, Presence: p, Need: "what comes back into its context has no room there"}
	}
	return changedPlaces(now, l.Items), nil
}

// contextUndo undoes what a record changed in one context.
type contextUndo struct {
	now     []Row
	changes []Change // Inverted: before is what was written, after what comes back.
	written []Row    // By ordinal.
	back    []Row    // By ordinal.

	since time.Time // When the redone record was undone; zero for an undo.

	place map[string]int  // Where each stands in written.
	kept  map[string]bool // Items that the record only moved.
	taken map[int64]bool  // Ordinals of what comes back.

	ordinals map[string]int64 // Of the items that are in the context now.
}

func newContextUndo(now []Row, cs []Change) *contextUndo {
	u := &contextUndo{now: now, changes: cs}
	for _, c := range cs {
		if c.Before != nil {
			u.written = append(u.written, c.Before)
		}
		if c.After != nil {
			u.back = append(u.back, c.After)
		}
	}
	for _, rows := range [][]Row{u.written, u.back} {
		sorting.Stable(rows, func(a, b *Row) int { return cmp.Compare(ordinalOf(*a), ordinalOf(*b)) })
	}
	return u
}

func ordinalOf(r Row) int64 { return asInteger(r["ordinal"]) }

// refOf returns what an item refers to, as text.
func refOf(r Row) string { return asText(r["message_id"]) + " " + asText(r["summary_id"]) }

// exact returns why the changes can't be made as they are recorded, or nil.
func (u *contextUndo) exact() error {
	at := map[int64]Row{}
	for _, r := range u.now {
		at[ordinalOf(r)] = r
	}
	for _, c := range u.changes {
		got := at[ordinalOf(c.row())]
		if c.Before == nil && got == nil || c.Before != nil && got != nil && c.Before.matches(got.pick(c.Before.present(got))) {
			continue
		}
		return stale(c, got)
	}
	return nil
}

// present are the columns that a row has in common with another, or all of the other
// where the row is only told by its digest.
func (r Row) present(o Row) []string {
	if r.isDigest() {
		return o.Columns()
	}
	return slices.DeleteFunc(r.Columns(), func(c string) bool { _, ok := o[c]; return !ok })
}

// moves reports whether the undo would move items that the record had moved.
func (u *contextUndo) moves() bool {
	was := map[string]int64{}
	for _, r := range u.written {
		was[refOf(r)] = ordinalOf(r)
	}
	return slices.ContainsFunc(u.back, func(r Row) bool {
		o, moved := was[refOf(r)]
		return moved && o != ordinalOf(r)
	})
}

// restoredPlace is where an item is restored: before or after an item that is in the context
// now, or was when the record was written.
type restoredPlace struct {
	ref    string
	behind bool
}

// relayContext lays out the present context without the items that the record wrote and with
// those that it replaced.
func (t *tx) relayContext(ctx context.Context, u *contextUndo) (l Layout, err error) {
	spots, gone, err := u.spots()
	if err != nil {
		return l, err
	}
	there := map[string]bool{}
	u.ordinals = map[string]int64{}
	for _, r := range u.now {
		there[refOf(r)], u.ordinals[refOf(r)] = true, ordinalOf(r)
	}
	for ref := range gone {
		if !there[ref] {
			return l, &StaleError{What: "the item " + ref + " of the context", Why: "isn't there any more: it was summarized, or taken out"}
		}
	}
	before, behind, end := map[string][]ContextItem{}, map[string][]ContextItem{}, []ContextItem(nil)
	for i, r := range u.back {
		s := spots[i]
		switch {
		case u.kept[refOf(r)] || there[refOf(r)]: // It only moved, or is back already.
			continue
		case s.ref == "" || !there[s.ref]:
			s.behind = false
			if s.ref, err = u.placeOf(ctx, t, r); err != nil {
				return l, err
			}
		}
		switch it := itemOf(r, false).MovedTo(u.presentOrdinal(ordinalOf(r))); {
		case s.ref == "":
			end = append(end, it)
		case s.behind && there[s.ref]:
			behind[s.ref] = append(behind[s.ref], it)
		default:
			before[s.ref] = append(before[s.ref], it)
		}
	}
	var was, after []ContextItem
	for _, r := range u.now {
		ref := refOf(r)
		was = append(was, itemOf(r, true))
		after = append(after, before[ref]...)
		if !gone[ref] {
			after = append(after, itemOf(r, true))
		}
		after = append(after, behind[ref]...)
	}
	return LayOut(was, append(after, end...)), nil
}

// spots are where the items come back, in their order, and what is taken out. It fails
// where the record put items into another order: then only the exact undo is possible.
func (u *contextUndo) spots() (out []restoredPlace, gone map[string]bool, err error) {
	gone = map[string]bool{}
	u.place, u.kept = map[string]int{}, map[string]bool{}
	for i, r := range u.written {
		gone[refOf(r)], u.place[refOf(r)] = true, i
	}
	u.taken = map[int64]bool{}
	last := -1
	for _, r := range u.back {
		u.taken[ordinalOf(r)] = true
		i, moved := u.place[refOf(r)]
		if !moved {
			continue
		}
		if i <= last {
			return nil, nil, &StaleError{What: "the context", Why: "was put into another order by the change, and has changed since"}
		}
		last, u.kept[refOf(r)] = i, true
		delete(gone, refOf(r))
	}
	from, shift, anchor := 0, int64(0), ""
	for _, r := range u.back {
		if u.kept[refOf(r)] {
			anchor, from = refOf(r), u.place[refOf(r)]+1
			shift = ordinalOf(u.written[from-1]) - ordinalOf(r)
			out = append(out, restoredPlace{})
			continue
		}
		out = append(out, u.spotOf(r, shift, from, anchor))
	}
	return out, gone, nil
}

// spotOf is the place of a row that comes back, among those that were written from one on
// up to the next that was only moved; anchor is the one moved before those.
func (u *contextUndo) spotOf(r Row, shift int64, from int, anchor string) restoredPlace {
	ordinal, s := ordinalOf(r)+shift, restoredPlace{anchor, true}
	for _, w := range u.written[from:] {
		if u.kept[refOf(w)] {
			if s.ref == anchor {
				return restoredPlace{refOf(w), false}
			}
			return s
		}
		if ordinalOf(w) >= ordinal {
			if r["message_id"] != nil && len(u.kept) == 0 && !u.adjoins(ordinal, ordinalOf(w)) {
				return restoredPlace{} // Others stand between, so its seq tells more.
			}
			return restoredPlace{refOf(w), false}
		}
		s = restoredPlace{refOf(w), true}
	}
	if r["message_id"] != nil && len(u.kept) == 0 {
		return restoredPlace{}
	}
	return s
}

// presentOrdinal is the ordinal by now of what had one when the record was written: the items
// that the record wrote may have got others since. What replaces items has to stand at the
// last of theirs, or a host that chose only the first of them deletes all that it stands for.
func (u *contextUndo) presentOrdinal(ordinal int64) int64 {
	shift := int64(0)
	for _, w := range u.written {
		now, there := u.ordinals[refOf(w)]
		if there {
			shift = now - ordinalOf(w)
		}
		if there && ordinalOf(w) >= ordinal {
			break
		}
	}
	return ordinal + shift
}

// adjoins reports whether everything that was between two ordinals is restored too.
func (u *contextUndo) adjoins(from, to int64) bool {
	for o := from + 1; o < to; o++ {
		if !u.taken[o] {
			return false
		}
	}
	return true
}

// placeOf is the item before which one comes that has no neighbor any more, or nothing
// for the end.
func (u *contextUndo) placeOf(ctx context.Context, t *tx, r Row) (string, error) {
	if r["message_id"] == nil && !u.since.IsZero() {
		if ref, ok := u.appendedAt(ordinalOf(r)); ok {
			return ref, nil
		}
	}
	return t.behindMessage(ctx, r)
}

// appendedAt is the first item at an ordinal or behind it, or nothing. It is known only
// while all items that came since the undo stand there: then nothing was given another
// ordinal.
func (u *contextUndo) appendedAt(ordinal int64) (ref string, ok bool) {
	for _, r := range u.now {
		at, known := ParseTime(asText(r["created_at"]))
		if ordinalOf(r) < ordinal && (!known || at.After(u.since)) {
			return "", false
		}
		if ordinalOf(r) >= ordinal && ref == "" {
			ref = refOf(r)
		}
	}
	return ref, true
}

// behindMessage returns the first item of a context with a later message than the restored
// one, or "".
func (t *tx) behindMessage(ctx context.Context, r Row) (string, error) {
	if r["message_id"] == nil {
		return "", &StaleError{What: "the item " + refOf(r) + " of the context", Why: "has no place any more: its neighbours are gone"}
	}
	const query = `SELECT ci.message_id, ci.summary_id FROM context_items ci JOIN messages m ON m.message_id = ci.message_id
		WHERE ci.conversation_id = ? AND m.seq > (SELECT seq FROM messages WHERE message_id = ?) ORDER BY ci.ordinal LIMIT 1`
	next, err := t.first(ctx, query, []any{r["conversation_id"], r["message_id"]}, []string{"message_id", "summary_id"})
	if err != nil || next == nil {
		return "", err
	}
	return refOf(next), nil
}

// itemOf returns a row of context_items as an item. A restored item gets no higher ordinal
// than it had.
func itemOf(r Row, stored bool) ContextItem {
	c := ContextItem{
		Conversation: asInteger(r["conversation_id"]), Ordinal: ordinalOf(r), Message: asInteger(r["message_id"]),
		Summary: asText(r["summary_id"]), fromFile: stored, replaces: !stored,
	}
	for _, name := range r.Columns() {
		c.columns, c.cells = append(c.columns, name), append(c.cells, r[name])
	}
	return c
}

// changedPlaces returns the changes that turn the rows of a context into these items, ordinal
// by ordinal.
func changedPlaces(rows []Row, items []ContextItem) (out []Change) {
	was, is := map[int64]Row{}, map[int64]Row{}
	var ordinals []int64
	for _, r := range rows {
		was[ordinalOf(r)] = r
		ordinals = append(ordinals, ordinalOf(r))
	}
	for _, it := range items {
		is[it.Ordinal] = it.Row()
		ordinals = append(ordinals, it.Ordinal)
	}
	slices.Sort(ordinals)
	for _, o := range slices.Compact(ordinals) {
		if !was[o].Equal(is[o]) || (was[o] == nil) != (is[o] == nil) {
			out = append(out, Change{Table: "context_items", Key: []string{"conversation_id", "ordinal"}, Before: was[o], After: is[o]})
		}
	}
	return out
}
