package transplant

import (
	"context"
	"os"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
)

// source is the conversation that is copied from. It is only read.
type source struct {
	lcm.Conversation
	db      *data.DB
	graph   *lineage.Graph
	context []lcm.ContextItem
	links   map[string][]lcm.MessageLink // From its leaves to messages, by summary.
}

// openSource opens the source's database, if it is another one than db, and reads which
// conversation it is.
func (o *Op) openSource(ctx context.Context, db *data.DB) (*source, error) {
	s := &source{db: db}
	if o.From != "" && !samePath(o.From, db.Path()) {
		from, err := data.Open(ctx, o.From)
		if err != nil {
			return nil, err
		}
		s.db = from
	}
	if s.db == db && o.Source == o.Target {
		return nil, o.refuse("source and target are the same conversation", "give the source conversation first, then the target", "choose another conversation to copy from")
	}
	var err error
	if s.Conversation, err = lcm.ReadConversation(ctx, s.db, o.Source); err != nil {
		s.closeBeside(db)
		return nil, err
	}
	return s, nil
}

// closeBeside closes the source's database, if it is another one than db.
func (s *source) closeBeside(db *data.DB) {
	if s.db != db {
		_ = s.db.Close() // It was only read.
	}
}

// samePath reports whether two paths lead to the same file. It opens neither.
func samePath(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// previewBytes is how much of a summary's text a list shows of it.
const previewBytes = 240

// load reads the source's summaries, context and links.
func (s *source) load(ctx context.Context) (err error) {
	if s.graph, err = lineage.Load(ctx, s.db, s.ID, previewBytes); err != nil {
		return err
	}
	if s.context, err = lcm.Context(ctx, s.db, s.ID); err != nil {
		return err
	}
	links, err := lcm.MessageLinks(ctx, s.db, s.ID)
	s.links = map[string][]lcm.MessageLink{}
	for _, l := range links {
		s.links[l.Summary] = append(s.links[l.Summary], l)
	}
	return err
}

// orphans counts the summaries that are not copied and to which the context doesn't lead.
func (s *source) orphans(copied map[string]string) (n int) {
	for _, node := range s.graph.Nodes() {
		if _, ok := copied[node.ID]; !ok && !node.InContext() && len(node.Derived) == 0 {
			n++
		}
	}
	return n
}
