package repair

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// tie is a link of a summary to what it was made of.
type tie struct {
	table   string
	row     data.Row
	summary string
	source  string // A summary, or empty.
	message int64
	gone    bool
	fresh   bool
}

const (
	sourceTable = "summary_parents"
	memberTable = "summary_messages"
)

// loadTies reads the links of the conversation's summaries, and of those that don't
// exist but once were made of something here.
func (d *draft) loadTies(ctx context.Context) error {
	ids := make([]any, 0, len(d.order))
	for _, n := range d.order {
		ids = append(ids, n.ID)
	}
	lost := map[string]bool{}
	for _, f := range d.found[integrity.LinkDangling] {
		lost[f.Row] = d.nodes[f.Row] == nil
	}
	for _, it := range d.items {
		lost[it.Summary] = lost[it.Summary] || it.IsSummary() && it.Missing
	}
	for _, id := range sortedKeys(lost) {
		if lost[id] {
			ids = append(ids, id)
		}
	}
	for len(ids) > 0 {
		var err error
		if ids, err = d.tieAll(ctx, ids); err != nil {
			return err
		}
	}
	for id, ts := range d.ties {
		slices.SortStableFunc(ts, func(a, b *tie) int { return cmp.Compare(number(a.row["ordinal"]), number(b.row["ordinal"])) })
		d.sync(id)
		for _, t := range ts {
			if n := d.nodes[t.source]; n != nil {
				n.led = true
			}
		}
	}
	return d.loadAbroad(ctx)
}

// tieAll reads the links of summaries, and says which lost ones come next: those that
// they lead to and that don't exist anywhere.
func (d *draft) tieAll(ctx context.Context, ids []any) (next []any, err error) {
	known := map[any]bool{}
	for _, id := range ids {
		known[id] = true
	}
	for _, table := range []string{sourceTable, memberTable} {
		rows, err := d.db.ImagesIn(ctx, table, "summary_id", ids)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			t := d.tied(table, r)
			if _, read := d.ties[t.source]; t.source != "" && d.nodes[t.source] == nil && !read && !known[t.source] {
				known[t.source] = true
				next = append(next, t.source)
			}
		}
	}
	rows, err := d.db.ImagesIn(ctx, "summaries", "summary_id", next, "summary_id")
	elsewhere := map[string]bool{}
	for _, r := range rows {
		elsewhere[word(r["summary_id"])] = true
	}
	return slices.DeleteFunc(next, func(id any) bool { return elsewhere[word(id)] }), err
}

// loadAbroad finds out which ends of links are another conversation's.
func (d *draft) loadAbroad(ctx context.Context) error {
	var summaries, messages []any
	for _, ts := range d.ties {
		for _, t := range ts {
			switch {
			case t.source != "" && d.nodes[t.source] == nil:
				summaries = append(summaries, t.source)
			case t.source == "" && d.bySlim[t.message].ID == 0:
				messages = append(messages, t.message)
			}
		}
	}
	for _, of := range []struct {
		table, key string
		ids        []any
	}{{"summaries", "summary_id", summaries}, {"messages", "message_id", messages}} {
		rows, err := d.db.ImagesIn(ctx, of.table, of.key, of.ids, of.key)
		if err != nil {
			return err
		}
		for _, r := range rows {
			switch key := r[of.key].(type) { // A BLOB is no id, and no key of a map either.
			case string, int64:
				d.abroad[key] = true
			}
		}
	}
	return nil
}

// lost reports whether what a link leads to doesn't exist.
func (d *draft) lost(t *tie) bool {
	if t.source != "" {
		return d.nodes[t.source] == nil && !d.abroad[t.source]
	}
	return d.bySlim[t.message].ID == 0 && !d.abroad[t.message]
}

// foreign reports whether what a link leads to is another conversation's.
func (d *draft) foreign(t *tie) bool {
	if t.source != "" {
		return d.abroad[t.source]
	}
	return d.abroad[t.message]
}

// tied adds a link as it stands.
func (d *draft) tied(table string, r data.Row) *tie {
	t := &tie{table: table, row: r, summary: word(r["summary_id"])}
	if table == sourceTable {
		t.source = word(r["parent_summary_id"])
	} else {
		t.message = number(r["message_id"])
	}
	d.ties[t.summary] = append(d.ties[t.summary], t)
	if table == sourceTable {
		d.bySource[t.source] = append(d.bySource[t.source], t)
	} else {
		d.byMessage[t.message] = append(d.byMessage[t.message], t)
	}
	return t
}

// sync gives a node the sources and messages of its links.
func (d *draft) sync(id string) {
	clear(d.spans)
	n := d.nodes[id]
	if n == nil {
		return
	}
	n.sources, n.members = nil, nil
	for _, t := range d.ties[id] {
		switch {
		case t.gone:
		case t.table == sourceTable:
			n.sources = append(n.sources, t.source)
		default:
			n.members = append(n.members, t.message)
		}
	}
}

// untie takes links away.
func (d *draft) untie(ties ...*tie) {
	changed := map[string]bool{}
	for _, t := range ties {
		t.gone = true
		d.renumbered[t.summary], changed[t.summary] = true, true
	}
	for id := range changed {
		d.sync(id)
	}
}

// tieLater links a summary to a source, or to a message where no source is named, behind its
// other links. One that is there stays. The nodes know of it from syncAll on.
func (d *draft) tieLater(summary, source string, message int64) {
	same := d.byMessage[message]
	if source != "" {
		same = d.bySource[source]
	}
	d.unsynced[summary] = true
	for _, t := range same {
		if t.summary == summary {
			t.gone = false
			return
		}
	}
	d.newTie(summary, source, message)
}

// syncAll gives the nodes whose links changed their sources and messages.
func (d *draft) syncAll() {
	for id := range d.unsynced {
		d.sync(id)
	}
	clear(d.unsynced)
}

// newTie makes a link of a summary to a source, or to a message where none is named, behind
// its other links. The caller calls sync.
func (d *draft) newTie(summary, source string, message int64) {
	table, r := memberTable, data.Row{"summary_id": summary, "ordinal": int64(0)}
	if source != "" {
		table, r["parent_summary_id"] = sourceTable, source
	} else {
		r["message_id"] = message
	}
	d.tied(table, r).fresh = true
	d.renumbered[summary] = true
}

// writeTies turns the links into changes, with ordinals from 0 where links came or
// went.
func (d *draft) writeTies() {
	for _, id := range sortedKeys(d.ties) {
		next := map[string]int64{}
		for _, t := range d.ties[id] {
			if t.gone {
				if !t.fresh {
					d.edits.delete(t.table, t.row)
				}
				continue
			}
			ordinal := next[t.table]
			next[t.table]++
			switch {
			case t.fresh:
				t.row["ordinal"] = ordinal
				d.edits.insert(t.table, t.row)
			case d.renumbered[id]:
				d.edits.set(t.table, t.row, data.Row{"ordinal": ordinal})
			}
		}
	}
}

// sameCell reports whether two cells hold the same, of whatever type.
func sameCell(a, b any) bool { return data.Row{"": a}.Equal(data.Row{"": b}) }

// number and word read cells of a row image.
func number(v any) int64 {
	n, _ := v.(int64)
	return n
}

func word(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

func sortedKeys[K ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
