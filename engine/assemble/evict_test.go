package assemble_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
)

func TestSelect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		tokens []int64
		budget int64
		tail   int
		want   string
	}{
		{"all fit", []int64{10, 10, 10}, 30, 2, "+++"},
		{"the oldest falls out", []int64{10, 10, 10}, 29, 2, "-++"},
		{"it stops at the first that does not fit", []int64{1, 50, 5, 10}, 20, 3, "--++"},
		{"the tail stays, whatever it takes", []int64{5, 0, 100}, 50, 2, "-++"},
		{"a tail of everything", []int64{5, 5}, 1, 0, "++"},
		{"no tail", []int64{5, 5}, 5, 2, "-+"},
		{"a tail beyond the end", []int64{5}, 5, 9, "+"},
		{"nothing", nil, 5, 0, ""},
		{"no budget", []int64{5, 5}, 0, 1, "-+"},
		{"a budget below nothing", []int64{0, 5}, -7, 1, "++"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			items := make([]lcm.ContextItem, len(c.tokens))
			for i, n := range c.tokens {
				items[i].Tokens = n
			}
			got := ""
			for _, k := range assemble.Select(items, c.budget, c.tail) {
				got += map[bool]string{true: "+", false: "-"}[k]
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
