package pending_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// fixtures are the databases that a host of 1.0 wrote itself.
var fixtures = []string{"v1.0/small.db", "v1.0/rich.db", "v1.0/upgraded-small.db", "v1.0/upgraded.db"}

// TestFingerprints are those that the host stored, of every batch, leaf and condensed node of
// its own files. The context from which finished batches were planned is put together again
// from the messages and summaries that their nodes name.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, name := range fixtures {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			db := testdb.Open(t, testdb.Fixture(t, name))
			batches, err := pending.Read(t.Context(), db, 0, 0)
			if err != nil || len(batches) == 0 {
				t.Fatal(err)
			}
			checked := map[string]int{}
			for _, b := range batches {
				if !b.Active() {
					rebuildContext(t, db, b)
				}
				if got := pending.RangeFingerprint(b.Conversation, b.First, b.Last, rangeOf(b)); got != b.Fingerprint {
					t.Errorf("batch %s (%s) has the fingerprint %s, not %s", b.ID, b.Status, b.Fingerprint, got)
				}
				for _, n := range b.Nodes {
					from := b.Sources(n)
					if got := pending.SourceFingerprint(from); got != n.Fingerprint {
						t.Errorf("node %s (%s) has the fingerprint %s, not %s", n.ID, n.Status, n.Fingerprint, got)
					}
					if got := pending.ContextHash(n.First, n.Last, from); got != n.ContextHash.Text {
						t.Errorf("node %s (%s) has the context hash %s, not %s", n.ID, n.Status, n.ContextHash.Text, got)
					}
					checked[n.Kind]++
				}
			}
			if checked[lcm.KindLeaf] == 0 || checked[lcm.KindCondensed] == 0 {
				t.Errorf("checked %v", checked)
			}
		})
	}
}

// rangeOf returns the places of a batch's range.
func rangeOf(b *pending.Batch) []pending.Item {
	return slices.DeleteFunc(slices.Clone(b.Items), func(i pending.Item) bool { return i.Ordinal > b.Last })
}

// rebuildContext puts the context together from which a batch was planned. Places that no node
// names hold summaries; which, the batch's own fingerprint tells.
func rebuildContext(t *testing.T, db *data.DB, b *pending.Batch) {
	t.Helper()
	f := finder{t: t, db: db, cache: map[string]pending.Item{}}
	places := map[int64]pending.Item{}
	for _, n := range b.Nodes {
		at := n.First
		for _, m := range n.Messages {
			places[at] = f.message(at, m.Message)
			at++
		}
		for _, c := range n.Children {
			if c.ChildSummary != "" {
				places[at] = f.summary(at, c.ChildSummary)
				at++
			}
			if i := slices.IndexFunc(b.Nodes, func(n *pending.Node) bool { return n.ID == c.ChildNode }); i >= 0 {
				at = b.Nodes[i].Last + 1
			}
		}
	}
	var unknown []int64
	for o := b.First; o <= b.Last; o++ {
		i, ok := places[o]
		if !ok {
			unknown = append(unknown, o)
		}
		b.Items = append(b.Items, i)
	}
	all, err := lcm.Summaries(t.Context(), db, b.Conversation, 0)
	if err != nil {
		t.Fatal(err)
	}
	if f.standing, err = lcm.ContextSummaries(t.Context(), db, b.Conversation); err != nil {
		t.Fatal(err)
	}
	if !f.fill(b, unknown, all) {
		t.Errorf("batch %s: no summaries at the ordinals %v give its fingerprint", b.ID, unknown)
	}
}

// finder takes the fingerprints of places that were.
type finder struct {
	t     *testing.T
	db    *data.DB
	cache map[string]pending.Item

	standing map[string]int64 // The ordinals of summaries that stand in the context now.
}

// fill tries summaries at the ordinals that aren't known: first the one that stands there now.
func (f finder) fill(b *pending.Batch, unknown []int64, all []lcm.Summary) bool {
	if len(unknown) == 0 {
		return pending.RangeFingerprint(b.Conversation, b.First, b.Last, b.Items) == b.Fingerprint
	}
	isThere := func(s lcm.Summary) bool { o, ok := f.standing[s.ID]; return ok && o == unknown[0] }
	for _, s := range append(slices.DeleteFunc(slices.Clone(all), func(s lcm.Summary) bool { return !isThere(s) }), all...) {
		b.Items[unknown[0]-b.First] = f.summary(unknown[0], s.ID)
		if f.fill(b, unknown[1:], all) {
			return true
		}
	}
	return false
}

func (f finder) message(ordinal, id int64) pending.Item {
	f.t.Helper()
	row := f.row("messages", data.Row{"message_id": id})
	p := lcm.PendingItem{Ordinal: ordinal, Message: id, Role: data.CellText(row["role"]), CreatedAt: data.CellTime(row["created_at"])}
	f.scan(row, map[string]interface{ Scan(any) error }{"seq": &p.Position, "token_count": &p.Tokens, "content": &p.Content})
	return pending.Item{Ordinal: ordinal, Message: id, Fingerprint: pending.ItemFingerprint(&p)}
}

func (f finder) summary(ordinal int64, id string) pending.Item {
	f.t.Helper()
	key := string(rune(ordinal)) + id
	if i, ok := f.cache[key]; ok {
		return i
	}
	row := f.row("summaries", data.Row{"summary_id": id})
	p := lcm.PendingItem{Ordinal: ordinal, Summary: id, CreatedAt: data.CellTime(row["created_at"])}
	f.scan(row, map[string]interface{ Scan(any) error }{"depth": &p.Position, "token_count": &p.Tokens, "content": &p.Content})
	f.cache[key] = pending.Item{Ordinal: ordinal, Summary: id, Fingerprint: pending.ItemFingerprint(&p)}
	return f.cache[key]
}

func (f finder) row(table string, key data.Row) data.Row {
	f.t.Helper()
	rows, err := data.Images(context.Background(), f.db, table, key)
	if err != nil || len(rows) != 1 {
		f.t.Fatalf("%v in %s: %d rows, %v", key, table, len(rows), err)
	}
	return rows[0]
}

func (f finder) scan(row data.Row, into map[string]interface{ Scan(any) error }) {
	f.t.Helper()
	for column, cell := range into {
		if err := cell.Scan(row[column]); err != nil {
			f.t.Fatal(err)
		}
	}
}

// TestFingerprintOfOddCells: a fingerprint doesn't depend on the form in which it is stored, and bytes that are no
// UTF-8 count as JavaScript reads them.
func TestFingerprintOfOddCells(t *testing.T) {
	t.Parallel()
	of := func(at, content any) string {
		p := lcm.PendingItem{Ordinal: 3, Message: 7, Role: "user", CreatedAt: data.CellTime(at), Position: data.Number{Value: 1, Valid: true}, Tokens: data.Number{Value: 2, Valid: true}}
		_ = p.Content.Scan(content)
		return pending.ItemFingerprint(&p)
	}
	want := of("2026-09-15T03:47:30.000Z", "text")
	for _, at := range []string{"2026-09-15 03:47:30", "2026-09-15T03:47:30Z", "2026-09-15T05:47:30+02:00", "2026-09-15 03:47:30.000"} {
		if of(at, "text") != want {
			t.Errorf("%q counts as another time", at)
		}
	}
	if of("2026-09-15 03:47:30.5", "text") == want || of("soon", "text") == want {
		t.Error("another time has the same fingerprint")
	}
	const at = "2026-09-15 03:47:30"
	for stored, read := range map[string]string{
		"half \xed\xa0\x80": "half \ufffd\ufffd\ufffd", "cut \xe2\x82": "cut \ufffd", "\xff\xc0\x80ok": "\ufffd\ufffd\ufffdok", "\xf0\x9f\x98x": "\ufffdx", "whole \U0001f600": "whole \U0001f600",
	} {
		if of(at, stored) != of(at, read) {
			t.Errorf("%q isn't read as %q", stored, read)
		}
	}
	if of(at, "a\x00b") == of(at, "a") {
		t.Error("a text ends at a NUL")
	}
	if pending.ItemFingerprint(&lcm.PendingItem{Missing: true}) != "" {
		t.Error("a missing row has a fingerprint")
	}
}
