package data_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/data"
)

// itemsOf reads items as "ordinal:message"; one without an ordinal is new.
func itemsOf(t *testing.T, s string) (items []data.ContextItem) {
	t.Helper()
	for _, f := range strings.Fields(s) {
		at, name, stored := strings.Cut(f, ":")
		if !stored {
			name, at = at, "0"
		}
		ordinal, err := strconv.ParseInt(at, 10, 64)
		must(t, err)
		items = append(items, data.ItemAt(int64(name[0]), ordinal, stored))
	}
	return items
}

// written is a layout as itemsOf reads it, with what it does to others.
func written(l data.Layout) string {
	var out []string
	for _, it := range l.Items {
		out = append(out, fmt.Sprintf("%d:%c", it.Ordinal, rune(it.Message)))
		if it.Row()["ordinal"] != it.Ordinal {
			out = append(out, "whose row has another ordinal")
		}
	}
	for word, is := range map[string]bool{"moves": l.Moves, "inserts": l.Inserts, "precedes": l.Precedes} {
		if is {
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}

// TestLayOut: what was there keeps its ordinal, what replaces items stands at the last of
// theirs, and what a host doesn't expect is said.
func TestLayOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after, want string }{
		"nothing changes":                             {"0:a 1:b", "0:a 1:b", "0:a 1:b"},
		"an empty context stays empty":                {"", "", ""},
		"everything goes":                             {"0:a 1:b", "", ""},
		"what goes leaves a gap":                      {"0:a 1:b 2:c", "0:a 2:c", "0:a 2:c"},
		"one replaces two":                            {"0:a 1:b 2:c 3:d", "0:a S 3:d", "0:a 2:S 3:d"},
		"two replace three":                           {"0:a 1:b 2:c 3:d 4:e", "0:a S T 4:e", "0:a 2:S 3:T 4:e"},
		"one replaces the first two":                  {"0:a 1:b 2:c", "S 2:c", "1:S 2:c"},
		"one replaces all":                            {"0:a 1:b 2:c", "S", "2:S"},
		"gaps that were there stay":                   {"0:a 5:b 9:c", "0:a S 9:c", "0:a 5:S 9:c"},
		"what is appended comes behind the last":      {"0:a 4:b", "0:a 4:b S T", "0:a 4:b 5:S 6:T"},
		"the first items of a context begin at 0":     {"", "S T", "0:S 1:T"},
		"one comes into a gap that nothing left":      {"0:a 5:b", "0:a S 5:b", "0:a 4:S 5:b inserts"},
		"one comes before the first":                  {"3:a", "S 3:a", "2:S 3:a precedes"},
		"without room others move up":                 {"0:a 1:b 2:c", "0:a S 1:b 2:c", "0:a 1:S 2:b 3:c moves inserts"},
		"three in the place of one":                   {"0:a 1:b 2:c 3:d", "0:a 1:b S T U 3:d", "0:a 1:b 2:S 3:T 4:U 5:d moves"},
		"another order has no gaps":                   {"0:a 4:b 9:c", "4:b 0:a 9:c", "0:b 1:a 2:c moves"},
		"two replacements keep apart":                 {"0:a 1:b 2:c 3:d 4:e", "S 2:c T", "1:S 2:c 4:T"},
		"behind the last number the count begins new": {"0:a " + max64 + ":b", "0:a " + max64 + ":b S", "0:a 1:b 2:S moves"},
	} {
		got := written(data.LayOut(itemsOf(t, c.before), itemsOf(t, c.after)))
		if !sameWords(got, c.want) {
			t.Errorf("%s: %q becomes %q, want %q", name, c.before, got, c.want)
		}
	}
}

var max64 = strconv.FormatInt(math.MaxInt64, 10)

func sameWords(a, b string) bool {
	count := map[string]int{}
	for _, w := range strings.Fields(a) {
		count[w]++
	}
	for _, w := range strings.Fields(b) {
		count[w]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// TestLayOutHoldsForAnyContext: ordinals rise, nothing is lost or doubled, and what Layout
// calls safe has every item that was there in its place.
func TestLayOutHoldsForAnyContext(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 5)) //nolint:gosec // The same every time.
	for range 3000 {
		var before, after []data.ContextItem
		ordinal, fresh := int64(r.IntN(3)), int64(1000)
		for i := range int64(r.IntN(12)) {
			before = append(before, data.ItemAt(i, ordinal, true))
			ordinal += 1 + int64(r.IntN(3))
		}
		for _, it := range before {
			for r.IntN(4) == 0 {
				fresh++
				after = append(after, data.ItemAt(fresh, 0, false))
			}
			if r.IntN(3) > 0 {
				after = append(after, it)
			}
		}
		l := data.LayOut(before, after)
		if len(l.Items) != len(after) {
			t.Fatalf("%d items of %d", len(l.Items), len(after))
		}
		last, moved := int64(-1), false
		for i, it := range l.Items {
			if it.Message != after[i].Message || it.Ordinal <= last {
				t.Fatalf("%v becomes %s", after, written(l))
			}
			last = it.Ordinal
			moved = moved || it.Message < 1000 && it.Ordinal != after[i].Ordinal
		}
		if moved != l.Moves {
			t.Fatalf("items moved: %v, and the layout says %v: %s", moved, l.Moves, written(l))
		}
	}
}

// TestDenseCountsFromZero and says whether anything moves for it.
func TestDenseCountsFromZero(t *testing.T) {
	t.Parallel()
	for items, want := range map[string]string{"": "", "0:a 1:b": "0:a 1:b", "0:a 2:b": "0:a 1:b moves", "S T": "0:S 1:T"} {
		if got := written(data.Dense(itemsOf(t, items))); !sameWords(got, want) {
			t.Errorf("%q becomes %q, want %q", items, got, want)
		}
	}
}
