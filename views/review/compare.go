package review

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ops"
	"lcm-tui/views"
)

// comparedMsg is the difference of two long texts.
type comparedMsg struct {
	before, after string
	pieces        []ops.Piece
}

// comparedAtOnce is how many bytes two texts may have together to be compared while they
// are drawn; longer ones would keep the keys waiting.
const comparedAtOnce = 32 << 10

func isLong(t ops.Text) bool { return len(t.Before)+len(t.After) > comparedAtOnce }

// pieces returns what differs in a text; ok is false while that isn't known yet.
func (r *Review) pieces(t ops.Text) (pieces []ops.Piece, ok bool) {
	if !isLong(t) {
		return ops.Words(t.Before, t.After), true
	}
	c := r.compared
	return c.pieces, c.pieces != nil && c.before == t.Before && c.after == t.After
}

// compare compares the text on the screen beside the loop, where it's long and isn't
// compared yet.
func (r *Review) compare() tea.Cmd {
	e, ok := r.current()
	if r.page != pageText || !ok || e.text == nil || e.text.Made || !isLong(*e.text) {
		return nil
	}
	t := *e.text
	if _, known := r.pieces(t); known || r.comparing == t {
		return nil
	}
	r.comparing = t
	return r.env.Jobs.Quiet(r, "compare", views.Read(func(context.Context) (comparedMsg, error) {
		return comparedMsg{t.Before, t.After, ops.Words(t.Before, t.After)}, nil
	}))
}
