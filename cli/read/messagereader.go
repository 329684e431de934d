package read

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// messageReader goes through a conversation's messages from one seq, page by page, and
// takes those of some roles.
type messageReader struct {
	db            *data.DB
	conv          int64
	roles         []string                 // Empty for every role.
	wanted        func(m lcm.Message) bool // Nil for every message.
	clip          int
	before, after *int64 // A seq; at most one is given.
	forward       bool
	floor         *int64 // Going back, no seq before it matters.
}

// pageSize is how many messages are read at once where many may not be wanted.
const pageSize = 500

// next returns the next n messages, oldest first.
func (w messageReader) next(ctx context.Context, n int64) (out []lcm.Message, err error) {
	out = []lcm.Message{}
	for int64(len(out)) < n {
		want := n - int64(len(out))
		if w.filters() {
			want = max(want, pageSize)
		}
		ms, err := w.page(ctx, int(want))
		if err != nil || len(ms) == 0 {
			return out, err
		}
		out = w.join(out, w.filter(ms))
		if w.forward {
			w.after = &ms[len(ms)-1].Seq
		} else {
			w.before = &ms[0].Seq
		}
		if len(ms) < int(want) || w.floor != nil && !w.forward && ms[0].Seq <= *w.floor {
			break
		}
	}
	return w.trim(out, n), nil
}

func (w messageReader) page(ctx context.Context, limit int) ([]lcm.Message, error) {
	p := lcm.Page{Limit: limit, Clip: w.clip}
	switch {
	case w.before != nil && *w.before == 0: // Only damaged rows have this seq, and Page has no word for it.
		return nil, nil
	case w.before != nil:
		p.Before = *w.before
	case w.after != nil:
		p.After = *w.after
	}
	return lcm.Messages(ctx, w.db, w.conv, p)
}

// filters reports whether not every message is taken.
func (w messageReader) filters() bool { return len(w.roles) > 0 || w.wanted != nil }

func (w messageReader) filter(ms []lcm.Message) []lcm.Message {
	if !w.filters() {
		return ms
	}
	out := []lcm.Message{}
	for _, m := range ms {
		if (len(w.roles) == 0 || slices.Contains(w.roles, m.Role)) && (w.wanted == nil || w.wanted(m)) {
			out = append(out, m)
		}
	}
	return out
}

func (w messageReader) join(have, more []lcm.Message) []lcm.Message {
	if w.forward {
		return append(have, more...)
	}
	return append(more[:len(more):len(more)], have...)
}

// trim leaves the n messages that are nearest to where the reader started.
func (w messageReader) trim(ms []lcm.Message, n int64) []lcm.Message {
	over := max(0, len(ms)-int(n))
	if w.forward {
		return ms[:len(ms)-over]
	}
	return ms[over:]
}

// older reports whether there are messages before those that were taken.
func (w messageReader) older(ctx context.Context, taken []lcm.Message) (bool, error) {
	back := messageReader{db: w.db, conv: w.conv, roles: w.roles, wanted: w.wanted, before: w.before, floor: w.floor}
	if len(taken) > 0 {
		back.before = &taken[0].Seq
	} else if w.forward { // It began at a message, which may be of the role itself.
		return true, nil
	}
	ms, err := back.next(ctx, 1)
	return len(ms) > 0, err
}
