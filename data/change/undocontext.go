package change

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
)

// restoreContexts turns the part of an undo that is about contexts into changes of the
// contexts as they are now: a host may have appended items since, compacted others, or
// given all of them other ordinals. It returns them, and the other changes.
func restoreContexts(ctx context.Context, t *tx, cs []Change) (items, rest []Change, err error) {
	byConv, order, rest := splitContexts(cs)
	for _, conv := range order {
		own, err := restoreContext(ctx, t, conv, byConv[conv])
		if err != nil {
			return nil, nil, err
		}
		items = append(items, own...)
	}
	return items, rest, nil
}

func restoreContext(ctx context.Context, t *tx, conv int64, cs []Change) ([]Change, error) {
	now, err := contextItems(ctx, t, conv)
	if err != nil {
		return nil, err
	}
	u := newContextUndo(now, cs)
	after, exact, err := revertedContext(ctx, t, u)
	if err != nil {
		return nil, err
	}
	if !exact || !isAway(t) {
		after = reordered(now, after, isAway(t))
	}
	return ContextChanges(now, after), nil
}

// revertedContext returns the context with the changes made; exact is true where all items
// stand as the record has them, with the same ordinals, and nothing that came since stands elsewhere than right behind what it followed.
func revertedContext(ctx context.Context, t *tx, u *contextUndo) (after []lcm.ContextItem, exact bool, err error) {
	if u.exact() {
		after, err = applied(u.now, u.changes, len(u.now))
		if err != nil || !u.separates(after) {
			return after, true, err
		}
		return u.withLaterLast(after), false, nil
	}
	after, err = relayContext(ctx, t, u)
	return after, false, err
}

// separates reports whether an item that stays, and of which the record knows nothing, no longer stands right behind the item on the
// ordinal before its own: a host has appended it behind what the record wrote, and that leaves the context, or moves. What stood
// there before the record is known to it, as the neighbour of a change.
func (u *contextUndo) separates(after []lcm.ContextItem) bool {
	was, known := indexByPlace(u.now), u.restoredPlaces()
	for i, it := range after {
		at := it.Place()
		n, stayed := was[at]
		_, followed := was[lcm.Place{Ordinal: at.Ordinal - 1}]
		if stayed && followed && !known[at] && u.now[n].Ref() == it.Ref() && (i == 0 || after[i-1].Ordinal != at.Ordinal-1) {
			return true
		}
	}
	return false
}

// restoredPlaces returns the places of what comes back, and of what the record knows to have stayed.
func (u *contextUndo) restoredPlaces() map[lcm.Place]bool {
	known := map[lcm.Place]bool{}
	for _, r := range u.back {
		known[placeOf(r)] = true
	}
	return known
}

// withLaterLast moves to the end what stands behind all that the record wrote, and of which it knows nothing. The ordinals that
// the others get back may be higher.
func (u *contextUndo) withLaterLast(after []lcm.ContextItem) []lcm.ContextItem {
	if len(u.written) == 0 {
		return after
	}
	last, known := placeOf(u.written[len(u.written)-1]), u.restoredPlaces()
	var out, later []lcm.ContextItem
	for _, it := range after {
		if at := it.Place(); known[at] || at.Compare(last) < 0 {
			out = append(out, it)
		} else {
			later = append(later, it)
		}
	}
	return append(out, later...)
}

// contextUndo undoes what a record changed in one context.
type contextUndo struct {
	now     []lcm.ContextItem
	changes []Change   // Inverted: before is what was written, after what comes back.
	written []data.Row // By ordinal.
	back    []data.Row // By ordinal.

	place map[string]int  // Where each stands in written.
	kept  map[string]bool // Items that the record only moved, or that stood beside its changes.
	taken map[int64]bool  // Ordinals of what comes back.
	has   map[int64]bool  // The messages that can be reached now; nil until they are asked for.
}

func newContextUndo(now []lcm.ContextItem, cs []Change) *contextUndo {
	u := &contextUndo{now: now, changes: cs}
	for _, c := range cs {
		if c.Before != nil {
			u.written = append(u.written, c.Before)
		}
		if c.After != nil {
			u.back = append(u.back, c.After)
		}
	}
	for _, rows := range [][]data.Row{u.written, u.back} {
		sorting.Stable(rows, func(a, b *data.Row) int { return placeOf(*a).Compare(placeOf(*b)) })
	}
	return u
}

func ordinalOf(r data.Row) int64 { return data.CellInteger(r["ordinal"]) }

func placeOf(r data.Row) lcm.Place { return lcm.PlaceOf(r["ordinal"]) }

// refOf returns what an item refers to, as text.
func refOf(r data.Row) string {
	return data.CellText(r["message_id"]) + " " + data.CellText(r["summary_id"])
}

// exact reports whether the items stand as the record left them, so that its changes can be
// undone by their ordinals. Where it left none of them there, a context without gaps has to come
// of it: the others may have other ordinals by now.
func (u *contextUndo) exact() bool {
	at := indexByPlace(u.now)
	for _, r := range u.written {
		i, some := at[placeOf(r)]
		if !some {
			return false
		}
		if got := u.now[i].Row(); !matches(r, got.Pick(present(r, got))) {
			return false
		}
	}
	after, err := applied(u.now, u.changes, len(u.now))
	return err == nil && (len(u.written) > 0 || !hasGaps(after))
}

// itemName says in an error which item refOf refers to.
func itemName(ref string) string { return "the item " + strings.TrimSpace(ref) + " of the context" }

// present returns the columns that a row has in common with another, or all of the other
// where the row is only told by its digest.
func present(r data.Row, o data.Row) []string {
	if isDigest(r) {
		return o.Columns()
	}
	return slices.DeleteFunc(r.Columns(), func(c string) bool { _, ok := o[c]; return !ok })
}

// restoredPlace is where an item is restored: before or after an item that is in the context
// now, or was when the record was written.
type restoredPlace struct {
	ref    string
	behind bool
}

// relayContext returns the present context without the items that the record wrote and with
// those that it replaced.
func relayContext(ctx context.Context, t *tx, u *contextUndo) (after []lcm.ContextItem, err error) {
	spots, gone, err := u.spots()
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, it := range u.now {
		there[refOf(it.Row())] = true
	}
	for ref := range gone {
		if !there[ref] {
			return nil, &data.StaleError{What: itemName(ref), Why: "isn't there any more: it was summarized, or taken out"}
		}
	}
	before, behind, end := map[string][]lcm.ContextItem{}, map[string][]lcm.ContextItem{}, []lcm.ContextItem(nil)
	for i, r := range u.back {
		s := spots[i]
		switch {
		case u.kept[refOf(r)] || there[refOf(r)]: // It only moved, or is back already.
			continue
		case s.ref == "" || !there[s.ref]:
			s.behind = false
			if s.ref, err = u.behindMessage(ctx, t, r, gone); err != nil {
				return nil, err
			}
		}
		switch it := lcm.ItemOfRow(r, false); {
		case s.ref == "":
			end = append(end, it)
		case s.behind && there[s.ref]:
			behind[s.ref] = append(behind[s.ref], it)
		default:
			before[s.ref] = append(before[s.ref], it)
		}
	}
	for _, it := range u.now {
		ref := refOf(it.Row())
		after = append(after, before[ref]...)
		if !gone[ref] {
			after = append(after, it)
		}
		after = append(after, behind[ref]...)
	}
	return append(after, end...), nil
}

// spots returns where the items come back, in their order, and what is taken out. It fails
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
			return nil, nil, &data.StaleError{What: "the context", Why: "was put into another order by the change, and has changed since"}
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

// spotOf returns the place of a row that comes back, among those that were written from one on
// up to the next that was only moved; anchor is the one moved before those.
func (u *contextUndo) spotOf(r data.Row, shift int64, from int, anchor string) restoredPlace {
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

// adjoins reports whether everything that was between two ordinals is restored too.
func (u *contextUndo) adjoins(from, to int64) bool {
	for o := from + 1; o < to; o++ {
		if !u.taken[o] {
			return false
		}
	}
	return true
}

// below are the messages of an item: its own, or those below its summary.
const (
	belowMessage = `below(id) AS (SELECT message_id FROM messages WHERE message_id = ?)`
	belowSummary = `under(id) AS (SELECT summary_id FROM summaries WHERE summary_id = ?
		UNION SELECT p.parent_summary_id FROM under u CROSS JOIN summary_parents p ON p.summary_id = u.id),
		below(id) AS (SELECT l.message_id FROM under u CROSS JOIN summary_messages l ON l.summary_id = u.id)`
)

// itemMessages returns the beginning of a query about the messages of an item, and its parameter.
func itemMessages(r data.Row) (with string, id any) {
	if id := r["message_id"]; id != nil {
		return "WITH RECURSIVE " + belowMessage, id
	}
	return "WITH RECURSIVE " + belowSummary, r["summary_id"]
}

// behindMessage returns the first item of a context with a later message than the restored item, or "". It fails where the context
// without the items that are gone has a message of it already.
func (u *contextUndo) behindMessage(ctx context.Context, t *tx, r data.Row, gone map[string]bool) (ref string, err error) {
	isMessage, conv := r["message_id"] != nil, data.CellInteger(r["conversation_id"])
	if u.has == nil {
		if u.has, err = covered(ctx, t, conv); err != nil {
			return "", err
		}
	}
	with, id := itemMessages(r)
	var seq, of data.Integer
	newest := with + " SELECT coalesce(max(m.seq), 0), coalesce(max(m.conversation_id), 0) FROM below b JOIN messages m ON m.message_id = b.id"
	if err := t.QueryRowContext(ctx, newest, id).Scan(&seq, &of); err != nil {
		return "", err
	}
	switch {
	case seq == 0 && !isMessage:
		return "", &data.StaleError{What: itemName(refOf(r)), Why: "has no place any more: its neighbours are gone"}
	case isMessage && int64(of) == conv && !u.has[data.CellInteger(id)]: // As most are, so that nothing more is asked.
	default:
		if err := checkHolders(ctx, t, r, gone); err != nil {
			return "", err
		}
	}
	const query = `SELECT ci.message_id, ci.summary_id FROM context_items ci JOIN messages m ON m.message_id = ci.message_id
		WHERE ci.conversation_id = ? AND m.seq > ? ORDER BY ci.ordinal LIMIT 1`
	next, err := t.First(ctx, query, []any{conv, int64(seq)}, []string{"message_id", "summary_id"})
	if err != nil || next == nil {
		return "", err
	}
	return refOf(next), nil
}

// checkHolders fails if an item of the context that isn't gone has a message of the restored one.
func checkHolders(ctx context.Context, t *tx, r data.Row, gone map[string]bool) error {
	with, id := itemMessages(r)
	const holders = `, above(id) AS (SELECT l.summary_id FROM below b CROSS JOIN summary_messages l ON l.message_id = b.id
		UNION SELECT p.summary_id FROM above a CROSS JOIN summary_parents p ON p.parent_summary_id = a.id)
		SELECT ci.message_id, ci.summary_id FROM context_items ci WHERE ci.conversation_id = ?
		AND (ci.message_id IN (SELECT id FROM below) OR ci.summary_id IN (SELECT id FROM above)) ORDER BY ci.ordinal`
	return data.EachRow(ctx, t, with+holders, []any{id, r["conversation_id"]}, func(scan data.RowScanner) error {
		var message, summary any
		err := scan(&message, &summary)
		ref := refOf(data.Row{"message_id": message, "summary_id": summary})
		if err == nil && !gone[ref] {
			err = &data.StaleError{What: itemName(refOf(r)), Why: "can't come back: " + strings.TrimSpace(ref) + " has messages of it by now"}
		}
		return err
	})
}
