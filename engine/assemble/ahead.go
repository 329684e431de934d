package assemble

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/internal/parallel"
)

// ahead is the reading of items that will be asked for next, while others are rebuilt.
type ahead struct {
	from, to int
	stop     context.CancelFunc
	done     chan struct{}
	q        *data.ContextSequence
	err      error
}

// between reads what stands at the items from one index to another.
func (c *contents) between(ctx context.Context, from, to int) (*data.ContextSequence, error) {
	places := make([]data.ContextPlace, to-from)
	for i := range places {
		places[i] = c.items[from+i].ContextPlace
	}
	return c.db.ContextSequence(ctx, c.conv, places)
}

// take is what stands at some items, which may have been read ahead.
func (c *contents) take(ctx context.Context, from, to int) (*data.ContextSequence, error) {
	a := c.ahead
	if a == nil || a.from != from || a.to != to {
		return c.between(ctx, from, to)
	}
	<-a.done
	a.stop()
	c.ahead = nil
	return a.q, a.err
}

// goAhead begins to read the items before index to, if by what was read so far they fit
// into the budget too.
func (c *contents) goAhead(ctx context.Context, to int) {
	from, read := max(0, to-c.step), len(c.items)-c.read
	sum := int64(0)
	for i := c.read; i < len(c.items); i++ {
		sum += c.items[i].tokens
	}
	if read == 0 || from == to || sum/int64(read)*int64(len(c.items)-from) > c.o.Budget {
		return
	}
	c.leave()
	ctx, stop := context.WithCancel(ctx)
	a := &ahead{from: from, to: to, stop: stop, done: make(chan struct{})}
	c.ahead = a
	go func() {
		defer close(a.done)
		a.err = parallel.Call(func() (err error) {
			a.q, err = c.between(ctx, from, to)
			return err
		})
	}()
}

// leave ends what is read ahead in vain.
func (c *contents) leave() {
	if c.ahead != nil {
		c.ahead.stop()
		<-c.ahead.done
		c.ahead = nil
	}
}
