package cli

import (
	"github.com/spf13/cobra"

	"lcm-tui/ui"
)

// paging is which part of a list is printed.
type paging struct {
	limit  *integerFlag
	cursor textFlag
}

func (p *paging) bind(cmd *cobra.Command) {
	p.limit, p.cursor = atLeast(1, "N"), textFlag{noun: "CURSOR"}
	cmd.Flags().Var(p.limit, "limit", "the greatest number of entries")
	p.bindCursor(cmd)
}

func (p *paging) bindCursor(cmd *cobra.Command) {
	p.cursor.noun = "CURSOR"
	cmd.Flags().Var(&p.cursor, "cursor", "continue a list: the next_cursor that it printed")
}

// pageOf is the part of a list behind the cursor, and the cursor behind that part, or
// nil at the end. An item's name is what stays the same when others come and go.
func pageOf[T any](p *paging, all []T, name func(T) string) (page []T, next *string, err error) {
	from, to, next, err := p.bounds(len(all), func(i int) string { return name(all[i]) })
	return all[from:to], next, err
}

// bounds are the first item of the page of a list of n items and the one behind its last,
// and the cursor behind the page, or nil at the end.
func (p *paging) bounds(n int, name func(i int) string) (from, to int, next *string, err error) {
	if p.cursor.value != "" {
		for i := range n {
			if name(i) == p.cursor.value {
				from = i + 1
			}
		}
		if from == 0 {
			return 0, 0, nil, usageErrorf("--cursor: nothing in the list is called %q; without it the list starts at its beginning", p.cursor.value)
		}
	}
	if limit := p.limit.value; limit > 0 && int64(n-from) > limit {
		to = from + int(limit)
		return from, to, new(name(to - 1)), nil
	}
	return from, n, nil, nil
}

// nextPage is the part of a result that says how a list goes on.
type nextPage struct {
	Next *string `json:"next_cursor,omitempty"`
}

// more says how to go on.
func (l nextPage) more(p *printer) {
	if l.Next != nil {
		p.muted("more: --cursor " + ui.Line(*l.Next))
	}
}

// windowSize is how many messages are listed where nobody says: the variable of the
// reference program, or 200.
func (c *invocation) windowSize() (int64, error) {
	const name = "LCM_TUI_CONVERSATION_WINDOW_SIZE"
	v := c.sys.Env(name)
	if v == "" {
		return 200, nil
	}
	n := atLeast(1, "N")
	if err := n.Set(v); err != nil {
		return 0, usageErrorf("%s: %v", name, err)
	}
	return n.value, nil
}
