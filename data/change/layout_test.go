package change_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// itemsOf reads items as "ordinal:message"; one without an ordinal is new.
func itemsOf(t *testing.T, s string) (items []lcm.ContextItem) {
	t.Helper()
	for _, f := range strings.Fields(s) {
		at, name, stored := strings.Cut(f, ":")
		if !stored {
			name, at = at, "0"
		}
		ordinal, err := strconv.ParseInt(at, 10, 64)
		must(t, err)
		items = append(items, itemAt(int64(name[0]), ordinal, stored))
	}
	return items
}

// written returns a context as itemsOf reads it.
func written(items []lcm.ContextItem) string {
	var out []string
	for _, it := range items {
		out = append(out, fmt.Sprintf("%d:%c", it.Ordinal, rune(it.Message)))
		if it.Row()["ordinal"] != it.Ordinal {
			out = append(out, "whose row has another ordinal")
		}
	}
	return strings.Join(out, " ")
}

// TestNewOrdinals: beside another process, or where nobody knows of one, all items come above
// all that the context has; else they count from 0. They never have gaps.
func TestNewOrdinals(t *testing.T) {
	t.Parallel()
	db := open(t, sample(t, fakehost.Head))
	biggest := strconv.FormatInt(math.MaxInt64, 10)
	for name, c := range map[string]struct{ before, after, beside, away string }{
		"nothing changes":              {"0:a 1:b", "0:a 1:b", "2:a 3:b", "0:a 1:b"},
		"an empty context stays empty": {"", "", "", ""},
		"everything goes":              {"0:a 1:b", "", "", ""},
		"one replaces two":             {"0:a 1:b 2:c 3:d", "0:a S 3:d", "4:a 5:S 6:d", "0:a 1:S 2:d"},
		"gaps are closed":              {"0:a 5:b 9:c", "0:a 9:c", "10:a 11:c", "0:a 1:c"},
		"the first items":              {"", "S T", "0:S 1:T", "0:S 1:T"},
		"one comes between two":        {"0:a 1:b", "0:a S 1:b", "2:a 3:S 4:b", "0:a 1:S 2:b"},
		"another order":                {"0:a 4:b 9:c", "4:b 0:a 9:c", "10:b 11:a 12:c", "0:b 1:a 2:c"},
		"it begins behind 0":           {"7:a 8:b", "7:a", "9:a", "0:a"},
		"negative ordinals":            {"-3:a -2:b", "-3:a -2:b", "0:a 1:b", "0:a 1:b"},
		"where numbers end":            {"0:a " + biggest + ":b", "0:a " + biggest + ":b S", "0:a 1:b 2:S", "0:a 1:b 2:S"},
	} {
		before, after := itemsOf(t, c.before), itemsOf(t, c.after)
		for held, want := range map[*filesystem.Holders]string{
			{Known: true}: c.away, {}: c.beside, {Known: true, Names: []string{"host (process 1)"}}: c.beside, {Names: []string{"host (process 1)"}}: c.beside,
		} {
			db.Holders = func(string) filesystem.Holders { return *held }
			if got := written(change.NewOrdinals(db, before, after)); got != want {
				t.Errorf("%s while %s: %q becomes %q, want %q", name, held, c.before, got, want)
			}
		}
	}
}

// TestContextChangesFitAnyContext: the changes of a context, made in the order of the writer –
// deletions, updates, insertions – give the other one, and no two items ever have one ordinal.
// An item that stays keeps its row.
func TestContextChangesFitAnyContext(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	r := rand.New(rand.NewPCG(3, 5)) //nolint:gosec // The same every time.
	for n := range 4000 {
		before, after := randomContexts(r, n%5 == 0)
		rows := map[int64]int64{} // The message at each ordinal.
		for _, it := range before {
			rows[it.Ordinal] = it.Message
		}
		cs := change.ContextChanges(before, after)
		for _, pass := range []func(change.Change) bool{
			func(c change.Change) bool { return c.After == nil }, func(c change.Change) bool { return c.Before != nil && c.After != nil }, func(c change.Change) bool { return c.Before == nil },
		} {
			for _, c := range cs {
				if pass(c) {
					must(t, play(rows, c))
				}
			}
		}
		want := map[int64]int64{}
		for _, it := range after {
			want[it.Ordinal] = it.Message
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Fatalf("%s to %s: %s", written(before), written(after), diff)
		}
	}
}

// TestItemsThatMoveTogether by the same number of places are written by one statement, whichever way
// they go. An item that changes, too, isn't among them.
func TestItemsThatMoveTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after string
		want          []int
	}{
		"all go up":                {"0:a 1:b 2:c", "3:a 4:b 5:c", []int{3}},
		"over places of their own": {"0:a 1:b 2:c", "1:a 2:b 3:c", []int{3}},
		"down over their own":      {"4:a 5:b 6:c", "3:a 4:b 5:c", []int{3}},
		"over a gap":               {"0:a 1:b 5:c 6:d", "7:a 8:b 9:c 10:d", []int{2, 2}},
		"one stays":                {"0:a 1:b 3:c 4:d", "0:a 1:b 2:c 3:d", []int{2}},
		"nothing moves":            {"0:a 1:b", "0:a 1:b", nil},
		"where numbers end":        {"0:a 1:b", "9223372036854775806:a 9223372036854775807:b", []int{0, 0}},
	} {
		before, after := itemsOf(t, c.before), itemsOf(t, c.after)
		for i, it := range itemsOf(t, c.before) {
			after[i] = it.MovedTo(after[i].Ordinal)
		}
		var got []int
		for cs := change.ContextChanges(before, after); len(cs) > 0; cs = cs[max(1, got[len(got)-1]):] {
			got = append(got, change.MovedTogether(cs))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	other := change.Change{
		Table: "context_items", Before: data.Row{"conversation_id": int64(1), "ordinal": int64(0), "message_id": int64(1)},
		After: data.Row{"conversation_id": int64(1), "ordinal": int64(5), "message_id": int64(2)},
	}
	if n := change.MovedTogether([]change.Change{other}); n != 0 {
		t.Errorf("%d items of other messages only move", n)
	}
}

// randomContexts returns a context, and what may become of it: with its items in their order, or
// in any.
func randomContexts(r *rand.Rand, shuffled bool) (before, after []lcm.ContextItem) {
	ordinal, fresh := int64(r.IntN(3)), int64(1000)
	for i := range int64(r.IntN(12)) {
		before = append(before, itemAt(i, ordinal, true))
		ordinal += 1 + int64(r.IntN(3))
	}
	for _, it := range before {
		for r.IntN(4) == 0 {
			fresh++
			after = append(after, itemAt(fresh, 0, false))
		}
		if r.IntN(3) > 0 {
			after = append(after, it)
		}
	}
	if shuffled {
		r.Shuffle(len(after), func(i, j int) { after[i], after[j] = after[j], after[i] })
	}
	first := int64(r.IntN(2)) * ordinal
	for i := range after {
		after[i] = after[i].MovedTo(first + int64(i))
	}
	return before, after
}

// play makes a change of a context. It fails where the ordinal is taken, or the row another.
func play(rows map[int64]int64, c change.Change) error {
	if c.Before != nil {
		o := c.Before["ordinal"].(int64)
		if rows[o] != c.Before["message_id"] {
			return fmt.Errorf("there is no such row as %v", c.Before)
		}
		delete(rows, o)
	}
	if c.After != nil {
		o := c.After["ordinal"].(int64)
		if _, taken := rows[o]; taken {
			return fmt.Errorf("%d is taken, and %v comes there", o, c.After)
		}
		rows[o] = c.After["message_id"].(int64)
	}
	return nil
}

// TestAWriteNumbersTheContextByWhatIsTrueThen: a plan that was made while nobody had the file
// open is written beside a host above its ordinals, and the other way round from 0. The items
// keep their rows and times.
func TestAWriteNumbersTheContextByWhatIsTrueThen(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		planned, written func(*data.DB)
		want             string
	}{
		"a host came":   {testdb.WithoutHost, testdb.BesideHost, "20:sum_00000000000000a1 21:4 22:5"},
		"a host went":   {testdb.BesideHost, testdb.WithoutHost, "0:sum_00000000000000a1 1:4 2:5"},
		"a host stayed": {testdb.BesideHost, testdb.BesideHost, "20:sum_00000000000000a1 21:4 22:5"},
	} {
		h, db := beside(t, fakehost.Head)
		must(t, h.Exec("UPDATE context_items SET created_at = '2026-01-05 09:00:00'"))
		c.planned(db)
		b := replacement(t, db, "sum_00000000000000a1", 0, 3)
		c.written(db)
		_, err := change.Write(t.Context(), db, b)
		must(t, err)
		if got := firstItems(t, db, 3); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if n, err := testdb.Count(db.Path(), "SELECT count(*) FROM context_items WHERE created_at = '2026-01-05 09:00:00'"); err != nil || n != 17 {
			t.Errorf("%s: %d of 17 items have their time (%v)", name, n, err)
		}
	}
}

// TestAWriteClosesGaps that others have left, also where it only appends.
func TestAWriteClosesGaps(t *testing.T) {
	t.Parallel()
	for _, where := range []func(*data.DB){testdb.BesideHost, testdb.WithoutHost} {
		h, db := beside(t, fakehost.Head)
		must(t, h.Exec("DELETE FROM context_items WHERE ordinal IN (3, 4, 9)"))
		where(db)
		items, err := lcm.Context(t.Context(), db, 1)
		must(t, err)
		message, err := lcm.ReadMessage(t.Context(), db, 4)
		must(t, err)
		last := items[len(items)-1].Ordinal
		_, err = change.Write(t.Context(), db, change.Batch{Op: "append", Title: "append", Changes: []change.Change{
			change.Insert(db, "context_items", lcm.NewMessageItem(db, message, 1, last+1).Row()),
		}})
		must(t, err)
		items, err = lcm.Context(t.Context(), db, 1)
		must(t, err)
		if n := len(items); n != 18 || items[n-1].Ordinal-items[0].Ordinal != 17 || items[n-1].Message != 4 {
			t.Errorf("%d items from %d to %d, the last is message %d", n, items[0].Ordinal, items[n-1].Ordinal, items[n-1].Message)
		}
	}
}

// TestAppendedItemsMoveNothing: what comes behind a context without gaps leaves all others
// where they are, as a host does it.
func TestAppendedItemsMoveNothing(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	must(t, h.Exec("DELETE FROM context_items WHERE ordinal = 0"))
	message, err := lcm.ReadMessage(t.Context(), db, 1)
	must(t, err)
	_, err = change.Write(t.Context(), db, change.Batch{Op: "append", Title: "append", Changes: []change.Change{
		change.Insert(db, "context_items", lcm.NewMessageItem(db, message, 1, 20).Row()),
	}})
	must(t, err)
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	if items[0].Ordinal != 1 || items[len(items)-1].Ordinal != 20 {
		t.Errorf("the context reaches from %d to %d", items[0].Ordinal, items[len(items)-1].Ordinal)
	}
}

// TestABulkBatchNumbersItsItemsAsAnyOther: whatever stands in the context, and whatever is added where,
// a bulk batch leaves the ordinals that the same batch leaves otherwise, or fails as it does.
func TestABulkBatchNumbersItsItemsAsAnyOther(t *testing.T) {
	t.Parallel()
	number := 0
	for name, edit := range map[string]string{
		"dense from 0":        "DELETE FROM context_items WHERE 0",
		"dense from 4":        "DELETE FROM context_items WHERE ordinal < 4",
		"one gap":             "DELETE FROM context_items WHERE ordinal = 7",
		"empty":               "DELETE FROM context_items",
		"below 0":             "UPDATE context_items SET ordinal = ordinal - 30",
		"one between numbers": "UPDATE context_items SET ordinal = 6.5 WHERE ordinal = 7",
		"from 0.5 on":         "UPDATE context_items SET ordinal = 0.5 WHERE ordinal = 0",
		"the last isn't one":  "UPDATE context_items SET ordinal = 'x' WHERE ordinal = 19",
		"far apart":           "UPDATE context_items SET ordinal = 9223372036854775000 WHERE ordinal = 19; UPDATE context_items SET ordinal = -9223372036854775000 WHERE ordinal = 0",
	} {
		for _, ordinals := range [][]int64{{20, 21}, {0, 1}, {20, 22}, {9223372036854775001}} {
			for _, upTo := range []int64{-1, 18} {
				if number++; !testlength.Runs(number) {
					continue
				}
				var got [2]string
				for i, bulk := range []bool{false, true} {
					h, db := beside(t, fakehost.Head)
					must(t, h.Script(edit))
					b := change.Batch{Op: "append", Title: "append", Bulk: bulk}
					if upTo >= 0 {
						b.Guards = []change.Guard{{Table: "context_items", Where: data.Row{"conversation_id": int64(1)}, UpTo: data.Row{"ordinal": upTo}, Count: seen(t, db, upTo)}}
					}
					for k, o := range ordinals {
						message, err := lcm.ReadMessage(t.Context(), db, int64(k)+1)
						must(t, err)
						b.Changes = append(b.Changes, change.Insert(db, "context_items", lcm.NewMessageItem(db, message, 1, o).Row()))
					}
					out, err := change.WriteBatch(t.Context(), db, b)
					items, readErr := lcm.Context(t.Context(), db, 1)
					must(t, readErr)
					got[i] = fmt.Sprintf("%v, %d came: ", err, out.Appended) + firstItems(t, db, len(items))
				}
				if diff := cmp.Diff(got[0], got[1]); diff != "" {
					t.Errorf("%s, items added at %v, seen up to %d (-any +bulk):\n%s", name, ordinals, upTo, diff)
				}
			}
		}
	}
}

// seen counts the items of the context up to an ordinal.
func seen(t *testing.T, db *data.DB, upTo int64) int64 {
	t.Helper()
	n, err := testdb.Count(db.Path(), fmt.Sprintf("SELECT count(*) FROM context_items WHERE conversation_id = 1 AND ordinal <= %d", upTo))
	must(t, err)
	return int64(n)
}

// firstItems returns the first items of the context as "ordinal:message" and "ordinal:summary".
func firstItems(t *testing.T, db *data.DB, n int) string {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	var out []string
	for _, it := range items[:n] {
		out = append(out, fmt.Sprintf("%d:%s", it.Ordinal, it.Ref()))
	}
	return strings.Join(out, " ")
}

// replacement returns a batch that writes a leaf over the items from:to of the context.
func replacement(t *testing.T, db *data.DB, id string, from, to int) change.Batch {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	return change.Batch{
		Op: "compact", Title: id, Guards: []change.Guard{change.GuardContext(1, items)},
		Changes: replacing(db, items, map[string][2]int{id: {from, to}}),
	}
}

// replacing returns the changes that write leaves over runs of items of a context.
func replacing(db *data.DB, items []lcm.ContextItem, runs map[string][2]int) (changes []change.Change) {
	after := slices.Clone(items)
	for id, run := range runs {
		sum := lcm.Summary{ID: id, Conversation: 1, Kind: lcm.KindLeaf, Content: "text of " + id, FileIDs: "[]", Model: "test", CreatedAt: data.Time{Raw: db.FormatNow()}}
		changes = append(changes, change.Insert(db, "summaries", lcm.SummaryRow(db, sum)))
		for i, it := range items[run[0]:run[1]] {
			link := change.Insert(db, "summary_messages", data.Row{"summary_id": id, "message_id": it.Message, "ordinal": int64(i)})
			if it.IsSummary() {
				link = change.Insert(db, "summary_parents", data.Row{"summary_id": id, "parent_summary_id": it.Summary, "ordinal": int64(i)})
			}
			changes = append(changes, link)
			at := slices.IndexFunc(after, func(o lcm.ContextItem) bool { return o.Ref() == it.Ref() })
			if after = slices.Delete(after, at, at+1); i == 0 {
				after = slices.Insert(after, at, lcm.NewSummaryItem(db, sum, 1, 0))
			}
		}
	}
	return append(changes, change.ContextChanges(items, change.NewOrdinals(db, items, after))...)
}

// itemAt returns a context item of a message, one that was read from the file or a new one.
func itemAt(message, ordinal int64, stored bool) lcm.ContextItem {
	return lcm.ItemOfRow(data.Row{"conversation_id": int64(1), "ordinal": ordinal, "item_type": "message", "message_id": message}, stored)
}
