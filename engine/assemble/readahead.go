package assemble

import (
	"context"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/parallel"
)

// readAhead reads the items that will be needed next, while others are rebuilt.
type readAhead struct {
	from, to int
	stop     context.CancelFunc
	done     chan struct{}
	q        *lcm.ContextSequence
	err      error
}

// readItems reads the rows of the items from one index to another.
func (c *contents) readItems(ctx context.Context, from, to int) (*lcm.ContextSequence, error) {
	places := make([]lcm.ContextPlace, to-from)
	for i := range places {
		places[i] = c.items[from+i].ContextPlace
	}
	return lcm.ReadContextSequence(ctx, c.db, c.conv, places)
}

// itemsRead returns the rows of some items, which may have been read ahead.
func (c *contents) itemsRead(ctx context.Context, from, to int) (*lcm.ContextSequence, error) {
	a := c.ahead
	if a == nil || a.from != from || a.to != to {
		return c.readItems(ctx, from, to)
	}
	<-a.done
	a.stop()
	c.ahead = nil
	return a.q, a.err
}

// startReadAhead begins to read the items before index to, if they are likely to fit into the
// budget.
func (c *contents) startReadAhead(ctx context.Context, to int) {
	from, read := max(0, to-c.step), len(c.items)-c.read
	sum := int64(0)
	for i := c.read; i < len(c.items); i++ {
		sum += c.items[i].tokens
	}
	if read == 0 || from == to || sum/int64(read)*int64(len(c.items)-from) > c.o.Budget {
		return
	}
	c.stopReadAhead()
	ctx, stop := context.WithCancel(ctx)
	a := &readAhead{from: from, to: to, stop: stop, done: make(chan struct{})}
	c.ahead = a
	go func() {
		defer close(a.done)
		a.err = parallel.Call(func() (err error) {
			a.q, err = c.readItems(ctx, from, to)
			return err
		})
	}()
}

// stopReadAhead ends a read-ahead that isn't needed.
func (c *contents) stopReadAhead() {
	if c.ahead != nil {
		c.ahead.stop()
		<-c.ahead.done
		c.ahead = nil
	}
}
