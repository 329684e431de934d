package compact

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
)

// item is one place of the working context. Its place is its index: ordinals are
// given at the end.
type item struct {
	lcm.ContextItem
	// weight is what the reference engine counts it as when it chooses and subtracts:
	// the stored tokens, or an estimate where there are none, and for a user's message
	// those of the sender's name. Sums of stored tokens leave both out.
	weight int64
}

// state is the working copy of a conversation's context.
type state struct {
	db               *data.DB
	conv             int64
	items            []item
	form             summarize.Form
	summaries        map[string]lcm.Summary // Read or made so far, with whole texts.
	texts            map[string]string      // Of summaries, as a model may see them.
	sources          map[int64]lcm.Message  // Read ahead and not used yet.
	tail             assemble.Tail
	edge             int // Where the fresh tail begins, or unknown.
	settled          bool
	skippedUnsettled bool // Whether a summary wasn't condensed because it hasn't settled.
}

// load reads the context. Texts are read when a pass comes to them.
func load(ctx context.Context, db *data.DB, conv int64, c Config) (*state, []lcm.ContextItem, error) {
	context, err := lcm.Context(ctx, db, conv)
	if err != nil {
		return nil, nil, err
	}
	s := &state{
		db: db, conv: conv, form: summarize.Form{Zone: summarize.Zone(c.Timezone), StripTags: c.StripTags},
		summaries: map[string]lcm.Summary{}, texts: map[string]string{}, sources: map[int64]lcm.Message{},
		tail: assemble.Tail{Count: c.FreshTailCount, MaxTokens: c.FreshTailMaxTokens}, edge: unknown,
	}
	counted, err := assemble.Counted(ctx, db, conv, context)
	if err != nil {
		return nil, nil, err
	}
	s.items = make([]item, len(context))
	for i, it := range context {
		s.items[i] = item{it, counted[i].Tokens}
		if it.IsSummary() && it.Tokens <= 0 && !it.Missing {
			sum, err := s.summary(ctx, it.Summary)
			if err != nil {
				return nil, nil, err
			}
			s.items[i].weight = token.Of(db.Kind().Level).Count(sum.Content)
		}
	}
	return s, context, nil
}

// stored returns the sum of the stored tokens, which is what hosts take for the size of
// a context.
func (s *state) stored() (n int64) {
	for _, it := range s.items {
		n = lcm.AddTokens(n, it.Tokens)
	}
	return n
}

// weight returns the sum of the weights of a stretch.
func weight(items []item) (n int64) {
	for _, it := range items {
		n = lcm.AddTokens(n, it.weight)
	}
	return n
}

// summary returns a summary with its whole text.
func (s *state) summary(ctx context.Context, id string) (lcm.Summary, error) {
	if sum, ok := s.summaries[id]; ok {
		return sum, nil
	}
	sum, err := lcm.ReadSummary(ctx, s.db, id)
	if err == nil {
		s.summaries[id] = sum
	}
	return sum, err
}

// readAhead is how many messages are read at once.
const readAhead = 900

// messages returns the messages of a stretch that exist, once each. More than these are
// read, since the next pass is likely to want them.
func (s *state) messages(ctx context.Context, first, end int) ([]lcm.Message, error) {
	var out []lcm.Message
	seen := map[int64]bool{}
	for i := first; i < end; i++ {
		it := s.items[i]
		if it.Missing || it.Message == 0 || seen[it.Message] {
			continue
		}
		seen[it.Message] = true
		if _, ok := s.sources[it.Message]; !ok {
			if err := s.read(ctx, i); err != nil {
				return nil, err
			}
		}
		m, ok := s.sources[it.Message]
		if !ok {
			return nil, fmt.Errorf("read message %d: it was in the context and is gone", it.Message)
		}
		out = append(out, m)
	}
	return out, nil
}

// read reads the messages from a place on, up to the fresh tail.
func (s *state) read(ctx context.Context, from int) error {
	clear(s.sources)
	var ids []int64
	for _, it := range s.items[from:s.boundary()] {
		if it.Message != 0 && !it.Missing {
			ids = append(ids, it.Message)
		}
		if len(ids) == readAhead {
			break
		}
	}
	found, err := lcm.WholeMessages(ctx, s.db, ids)
	for _, m := range found {
		if !s.db.Schema().ReadsSenders() {
			m.Sender = ""
		}
		s.sources[m.ID] = m
	}
	return err
}

// replace puts a summary in the place of an item range, with the ordinal of its last item
// at most.
func (s *state) replace(first, end int, sum lcm.Summary) {
	s.summaries[sum.ID] = sum
	last := s.items[end-1].Ordinal
	it := item{lcm.NewSummaryItem(s.db, sum, s.conv, last), sum.Tokens}
	s.items, s.edge = slices.Replace(s.items, first, end, it), unknown
}

// context returns the working context in order. What was there has its ordinals.
func (s *state) context() []lcm.ContextItem {
	out := make([]lcm.ContextItem, len(s.items))
	for i, it := range s.items {
		out[i] = it.ContextItem
	}
	return out
}
