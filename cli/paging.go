package cli

import (
	"github.com/spf13/cobra"

	"lcm-tui/ui"
)

// Paging is which part of a list is printed.
type Paging struct {
	Limit  *IntegerFlag
	Cursor TextFlag
}

// Bind adds the flags to a command.
func (p *Paging) Bind(cmd *cobra.Command) {
	p.Limit, p.Cursor = AtLeast(1, "N"), TextFlag{Noun: "CURSOR"}
	cmd.Flags().Var(p.Limit, "limit", "the greatest number of entries")
	p.BindCursor(cmd)
}

// BindCursor adds only the flag by which a list goes on.
func (p *Paging) BindCursor(cmd *cobra.Command) {
	p.Cursor.Noun = "CURSOR"
	cmd.Flags().Var(&p.Cursor, "cursor", "continue a list: the next_cursor that it printed")
}

// PageOf returns the part of a list behind the cursor, and the cursor behind that part, or
// nil at the end. An item's name is what stays the same when others come and go.
func PageOf[T any](p *Paging, all []T, name func(T) string) (page []T, next *string, err error) {
	from, to, next, err := p.bounds(len(all), func(i int) string { return name(all[i]) })
	return all[from:to], next, err
}

// bounds returns the first item of the page of a list of n items and the one behind its last,
// and the cursor behind the page, or nil at the end.
func (p *Paging) bounds(n int, name func(i int) string) (from, to int, next *string, err error) {
	if p.Cursor.Value != "" {
		for i := range n {
			if name(i) == p.Cursor.Value {
				from = i + 1
			}
		}
		if from == 0 {
			return 0, 0, nil, UsageErrorf("--cursor: nothing in the list is called %q; without it the list starts at its beginning", p.Cursor.Value)
		}
	}
	if limit := p.Limit.Value; limit > 0 && int64(n-from) > limit {
		to = from + int(limit)
		return from, to, new(name(to - 1)), nil
	}
	return from, n, nil, nil
}

// NextPage is the part of a result that says how a list goes on.
type NextPage struct {
	Next *string `json:"next_cursor,omitempty"`
}

// More says how to go on.
func (l NextPage) More(p *Printer) {
	if l.Next != nil {
		p.Muted("more: --cursor " + ui.Line(*l.Next))
	}
}

// WindowSize returns how many messages are listed where nobody says: the variable of the
// reference program, or 200.
func (c *Invocation) WindowSize() (int64, error) {
	const name = "LCM_TUI_CONVERSATION_WINDOW_SIZE"
	v := c.Sys.Env(name)
	if v == "" {
		return 200, nil
	}
	n := AtLeast(1, "N")
	if err := n.Set(v); err != nil {
		return 0, UsageErrorf("%s: %v", name, err)
	}
	return n.Value, nil
}
