package assemble

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// item is one place of the context.
type item struct {
	lcm.ContextPlace
	brief   *lcm.FocusBrief // It stands for summaries.
	loaded  bool
	gone    bool // It couldn't be read.
	message Message
	tokens  int64
	text    string // The text whose relevance is scored.
	large   string // The file that holds the payload.
}

func (it *item) isMessage() bool { return it.Summary == "" && it.brief == nil }

// contents are the items of a context. Their texts are read newest first and only
// as far back as they are asked for, since most of a long context is never shown.
type contents struct {
	db   *data.DB
	conv int64
	o    Options
	old  bool // Older than the host's backfill of tool columns.
	// senderless is whether the host sends nothing about who sent a message.
	senderless bool
	first      *firstVersion // Of a file of the first versions.

	items    []item
	tail     int // Where the fresh tail begins; 0 until that is known.
	pinned   int // The item that is the focus brief, or -1.
	read     int // The first item that was read.
	ahead    *readAhead
	step     int // How many to read next.
	files    map[string]lcm.LargeFile
	warnings warnings
}

// newContents gives the items of a conversation's context, whose texts aren't read yet.
func newContents(ctx context.Context, db *data.DB, conv int64, o Options) (*contents, error) {
	if o.Location == nil {
		o.Location = time.UTC
	}
	s := db.Schema()
	c := &contents{db: db, conv: conv, o: o, old: !s.Has("lcm_migration_state"), senderless: !s.ReadsSenders()}
	err := c.open(ctx)
	if err == nil {
		c.first, err = loadFirstVersion(ctx, db, conv)
	}
	return c, err
}

// open reads which items there are, and leaves out those that can't be resolved
// and an assistant's messages that say nothing.
func (c *contents) open(ctx context.Context) error {
	places, err := lcm.ContextPlaces(ctx, c.db, c.conv)
	if err != nil {
		return err
	}
	c.items = make([]item, 0, len(places))
	for _, p := range places {
		if !p.Missing && !p.Blank {
			c.items = append(c.items, item{ContextPlace: p})
		}
	}
	c.pinned, c.step = -1, 256
	if err := c.focus(ctx); err != nil {
		return err
	}
	c.read = len(c.items)
	if !c.o.StubLargePayloads {
		return nil
	}
	files, err := lcm.PayloadFiles(ctx, c.db, c.conv)
	c.files = make(map[string]lcm.LargeFile, len(files))
	for _, f := range files {
		c.files[f.ID] = f
	}
	return err
}

func (c *contents) stats() (s Stats) {
	for i := range c.items {
		switch it := &c.items[i]; {
		case it.isMessage():
			s.RawMessages++
		case it.brief == nil:
			s.Summaries++
		}
	}
	s.TotalItems = len(c.items)
	return s
}

// tokens returns what an item takes.
func (c *contents) tokens(ctx context.Context, i int) (int64, error) {
	if i < c.read {
		from := max(0, min(i, c.read-c.step))
		c.step = min(2*c.step, 4096)
		q, err := c.itemsRead(ctx, from, c.read)
		if err != nil {
			return 0, err
		}
		c.startReadAhead(ctx, from)
		c.resolveAll(from, q)
	}
	if i < c.tail {
		c.showReference(&c.items[i])
	}
	return c.items[i].tokens, nil
}

// load reads the items from index i to the first that was read.
func (c *contents) load(ctx context.Context, i int) error {
	if i >= c.read {
		return nil
	}
	q, err := c.readItems(ctx, i, c.read)
	if err != nil {
		return err
	}
	c.resolveAll(i, q)
	return nil
}

// atOnce is how many items one goroutine is given at least.
const atOnce = 256

// resolveAll rebuilds the items from an index to the first that was read, many of them
// at the same time. Warnings are in the order of the items.
func (c *contents) resolveAll(from int, q *lcm.ContextSequence) {
	span := c.items[from:c.read]
	c.read = from
	n := max(1, min(runtime.GOMAXPROCS(0), len(span)/atOnce))
	wrong := make([]warnings, n)
	var work sync.WaitGroup
	for k := range n {
		part := span[k*len(span)/n : (k+1)*len(span)/n]
		work.Go(func() {
			for i := range part {
				if it := &part[i]; !it.loaded {
					c.resolve(it, q, &wrong[k])
				}
			}
		})
	}
	work.Wait()
	for k := range wrong {
		c.warnings.join(wrong[k])
	}
}

// resolve rebuilds an item.
func (c *contents) resolve(it *item, q *lcm.ContextSequence, w *warnings) {
	it.loaded = true
	if it.isMessage() {
		t := q.Messages[it.Message]
		if t == nil {
			w.omit(it, fmt.Sprintf("message %d", it.Message))
			return
		}
		c.turn(it, t, w)
		it.large = t.LargeContent.Text
		return
	}
	s := q.Summaries[it.Summary]
	if s == nil {
		w.omit(it, "summary "+it.Summary)
		return
	}
	if c.first != nil {
		c.first.summary(it, s, q.Sources[s.ID], c.o.Location)
	} else {
		xml := summaryText(s, q.Sources[s.ID], c.o.Location)
		it.message, it.tokens, it.text = textMessage(xml), count(xml), s.Content
	}
	w.summary(s)
}
