package retrieve

import (
	"context"
	"errors"
	"math"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
)

// DefaultExpandDepth is how deep a request goes that says nothing about it.
const DefaultExpandDepth = 3

// Expansion is what lies below one summary. Its JSON is that of the reference engine.
type Expansion struct {
	ID        string            `json:"summaryId"` // The summary that was expanded.
	Children  []ExpandedSummary `json:"children"`  // Its sources and theirs, each before its own.
	Messages  []ExpandedMessage `json:"messages"`
	Tokens    int64             `json:"estimatedTokens"`
	Truncated bool              `json:"truncated"` // Something didn't fit, which ended it.
	// Withheld is how many sources lie in conversations outside of the scope.
	Withheld int `json:"withheld,omitempty"`
}

// ExpandedSummary is a summary in an Expansion.
type ExpandedSummary struct {
	ID      string `json:"summaryId"`
	Kind    string `json:"kind"`
	Content string `json:"content"`
	Tokens  int64  `json:"tokenCount"`
}

// ExpandedMessage is a message in an Expansion.
type ExpandedMessage struct {
	ID      int64  `json:"messageId"`
	Role    string `json:"role"`
	Content string `json:"content"`
	Tokens  int64  `json:"tokenCount"` // As stored, or an estimate where that is 0.
	body    string // With ExpandOptions.Bodies: Content, or what the parts hold where that is blank.
}

// ExpandOptions say how far an expansion goes.
type ExpandOptions struct {
	Depth    int64  // In steps towards the messages; nothing for less than 1.
	Messages bool   // With the messages of leaves.
	TokenCap *int64 // The most tokens; nil is without a limit.
	Bodies   bool   // Read the parts of messages that have no content, for texts.
}

// Expand reads what lies below a summary: of a condensed one its sources in the order of its links,
// of a leaf its messages. The first that doesn't fit under the cap ends everything. A summary that
// doesn't exist has nothing below it.
func Expand(ctx context.Context, db *data.DB, scope Scope, id string, o ExpandOptions) (*Expansion, error) {
	x := &expander{db: db, scope: scope, options: o, cap: math.MaxInt64, path: map[string]bool{}, sources: map[string]sources{}, leaves: map[string][]ExpandedMessage{}}
	if o.TokenCap != nil {
		x.cap = *o.TokenCap
	}
	x.out = &Expansion{ID: id, Children: []ExpandedSummary{}, Messages: []ExpandedMessage{}}
	if o.Depth <= 0 {
		return x.out, nil
	}
	s, err := lcm.ReadSummary(ctx, db, id)
	if errors.Is(err, data.ErrNotFound) || err == nil && !scope.Knows(s.Conversation) {
		return x.out, nil
	}
	if err == nil {
		err = x.expand(ctx, s, o.Depth)
	}
	if err == nil && o.Bodies {
		err = x.readBodies(ctx)
	}
	return x.out, err
}

// expander is one expansion.
type expander struct {
	db      *data.DB
	scope   Scope
	options ExpandOptions
	cap     int64
	path    map[string]bool              // The summaries from the root to the present one.
	sources map[string]sources           // Of the summaries that were read, because lineages share sources.
	leaves  map[string][]ExpandedMessage // Of the leaves that were read.
	out     *Expansion
}

// sources are those of a summary in the scope, and how many are outside of it.
type sources struct {
	in      []lcm.Summary
	outside int
}

// mostExpanded is how many summaries and messages an expansion has at most. A lineage in which
// summaries share sources again and again has more ways through it than could be listed.
const mostExpanded = 100_000

// expand adds what lies below a summary, so many steps deep. A summary that lies below itself is
// listed and not entered again, so a cycle ends.
func (x *expander) expand(ctx context.Context, s lcm.Summary, depth int64) error {
	switch {
	case x.path[s.ID]:
		return nil
	case s.Kind == lcm.KindLeaf && x.options.Messages:
		return x.addMessages(ctx, s.ID)
	case s.Kind != lcm.KindCondensed:
		return nil
	}
	x.path[s.ID] = true
	defer delete(x.path, s.ID)
	below, known := x.sources[s.ID]
	var err error
	if !known {
		below.in, below.outside, err = sourcesOf(ctx, x.db, x.scope, s.ID, data.WholeText)
		x.sources[s.ID] = below
		x.out.Withheld += below.outside
	}
	for i := 0; err == nil && i < len(below.in); i++ {
		c := below.in[i]
		if !x.fits(c.Tokens) {
			return nil
		}
		x.out.Children = append(x.out.Children, ExpandedSummary{c.ID, c.Kind, jstext.Decode(c.Content), c.Tokens})
		if depth > 1 {
			err = x.expand(ctx, c, depth-1)
		}
	}
	return err
}

// fits counts tokens that fit under the cap; those that don't end the expansion.
func (x *expander) fits(tokens int64) bool {
	full := len(x.out.Children)+len(x.out.Messages) >= mostExpanded
	if sum := x.out.Tokens + tokens; x.out.Truncated || full || sum > x.cap || tokens > 0 && sum < x.out.Tokens {
		x.out.Truncated = true
		return false
	}
	x.out.Tokens += tokens
	return true
}

// messagesAtOnce is how many messages are read at once: the cap often ends an expansion early.
const messagesAtOnce = 100

func (x *expander) addMessages(ctx context.Context, leaf string) error {
	if known, ok := x.leaves[leaf]; ok {
		for _, m := range known {
			if !x.fits(m.Tokens) {
				break
			}
			x.out.Messages = append(x.out.Messages, m)
		}
		return nil
	}
	before := len(x.out.Messages)
	ids, err := messageIDs(ctx, x.db, AllConversations(), leaf)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(ids, messagesAtOnce) {
		at, err := lcm.MessagesByID(ctx, x.db, chunk, data.WholeText)
		if err != nil {
			return err
		}
		for _, id := range chunk {
			m, ok := at[id]
			switch {
			case !ok:
				continue
			case !x.scope.Contains(m.Conversation):
				x.out.Withheld++
				continue
			}
			content, tokens := jstext.Decode(m.Content), m.Tokens
			if tokens == 0 {
				tokens = token.Weighted.Count(content)
			}
			if !x.fits(tokens) {
				return nil
			}
			x.out.Messages = append(x.out.Messages, ExpandedMessage{m.ID, m.Role, content, tokens, content})
		}
	}
	x.leaves[leaf] = x.out.Messages[before:]
	return nil
}

// readBodies reads what messages without content hold in their parts, such as calls of tools and
// their results.
func (x *expander) readBodies(ctx context.Context) error {
	for i := range x.out.Messages {
		m := &x.out.Messages[i]
		if jstext.Trim(m.body) != "" {
			continue
		}
		whole, err := lcm.ReadMessage(ctx, x.db, m.ID)
		if err != nil {
			return err
		}
		m.body = jstext.Decode(summarize.Form{}.Body(whole))
	}
	return nil
}
