package provenance

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// SummaryTrace says from which messages the sentences of a summary came.
type SummaryTrace struct {
	Summary   lcm.Summary
	Sentences []SentenceTrace
	Messages  int // The messages below the summary that exist.
	// MissingMessages and MissingSummaries are what links below it name and the file doesn't have.
	MissingMessages  int
	MissingSummaries []string
	// ForgottenMessages is how many of Messages have a stub in the place of their text: no
	// sentence is traced to them.
	ForgottenMessages int
}

// SourcesGone reports whether no message is left that the summary was made of.
func (t *SummaryTrace) SourcesGone() bool { return t.Messages == 0 }

// SentenceTrace says from which messages a sentence came.
type SentenceTrace struct {
	Sentence
	Confidence Confidence
	Sources    []Source // The best first; none where no source is found.
	// Unsupported are numbers, paths and ids of the sentence that no message below the summary
	// holds. It is empty where messages are gone or forgotten, since they may have held it.
	Unsupported []string

	score    float64
	compared bool // With any message yet.
}

// Source is a message from which a sentence came.
type Source struct {
	Message int64
	Score   float64 // From 0 to 1: how much of the sentence the message has.
	Spans   []Span  // What it has, in its SourceText, the most telling first.
}

// TraceSummary traces each sentence of a summary or, if it isn't empty, of another text, as if it
// stood in the summary. It fails with a NotFoundError if the summary doesn't exist.
func TraceSummary(ctx context.Context, db *data.DB, id, text string) (*SummaryTrace, error) {
	s, err := lcm.ReadSummary(ctx, db, id)
	if err != nil {
		return nil, err
	}
	if text == "" {
		text = s.Content
	}
	t := &SummaryTrace{Summary: s}
	for _, sentence := range Sentences(text) {
		t.Sentences = append(t.Sentences, SentenceTrace{Sentence: sentence, Confidence: None})
	}
	b, err := loadBelow(ctx, db, id)
	if err != nil {
		return nil, err
	}
	t.MissingSummaries = b.missing
	c := comparison{db: db, trace: t, index: newIndex()}
	if err := c.run(ctx, b); err != nil {
		return nil, err
	}
	for i := range t.Sentences {
		if t.ForgottenMessages > 0 {
			t.Sentences[i].Unsupported = nil
		}
	}
	return t, nil
}

// Limits of what is compared at once. What is more is compared in further turns, from the leaf
// that has most of the sentences on.
const (
	maxCandidates = 5000
	maxIndexBytes = 32 << 20
)

// comparison compares the sentences of a summary with the messages below it.
type comparison struct {
	db    *data.DB
	trace *SummaryTrace

	index    *index
	messages []int64 // Of the texts of the index.
	bytes    int     // Of the texts of the index.
}

func (c *comparison) run(ctx context.Context, b *below) error {
	leaves := b.leaves
	if b.total() > maxCandidates {
		var err error
		if leaves, err = c.bestFirst(ctx, b); err != nil {
			return err
		}
	}
	seen := map[int64]bool{}
	for _, leaf := range leaves {
		var ids []int64
		for _, id := range b.messages[leaf] {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
		if err := c.add(ctx, ids); err != nil {
			return err
		}
	}
	return c.match(ctx)
}

// add adds messages to the index. A full one is compared first.
func (c *comparison) add(ctx context.Context, ids []int64) error {
	for chunk := range slices.Chunk(ids, 256) {
		messages, err := lcm.WholeMessages(ctx, c.db, chunk)
		if err != nil {
			return err
		}
		c.trace.Messages += len(messages)
		c.trace.MissingMessages += len(chunk) - len(messages)
		for i := range messages {
			m := &messages[i]
			if m.Forgotten {
				c.trace.ForgottenMessages++
				continue
			}
			text := SourceText(*m)
			if len(c.messages) == maxCandidates || c.bytes+len(text) > maxIndexBytes && c.bytes > 0 {
				if err := c.match(ctx); err != nil {
					return err
				}
			}
			c.index.add(text)
			c.index.addTime(m.CreatedAt)
			c.messages, c.bytes = append(c.messages, m.ID), c.bytes+len(text)
		}
	}
	return nil
}

// match compares the sentences with the index and empties it.
func (c *comparison) match(ctx context.Context) error {
	if len(c.messages) == 0 {
		return nil
	}
	for i := range c.trace.Sentences {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.take(&c.trace.Sentences[i], c.index.match(c.trace.Sentences[i].Text))
	}
	c.index, c.messages, c.bytes = newIndex(), nil, 0
	return nil
}

// take keeps for a sentence what was found now, if it is better than what was found before.
func (c *comparison) take(s *SentenceTrace, m match) {
	first := !s.compared
	s.compared = true
	if first {
		s.Unsupported = m.unsupported
	} else {
		s.Unsupported = slices.DeleteFunc(s.Unsupported, func(word string) bool { return !slices.Contains(m.unsupported, word) })
	}
	if m.best <= s.score && !first {
		return
	}
	s.score, s.Confidence, s.Sources = m.best, m.confidence(), nil
	for _, t := range m.sources {
		s.Sources = append(s.Sources, Source{c.messages[t.text], min(1, max(0, t.score)), t.spans})
	}
}

// bestFirst orders the leaves by how much of any sentence their texts cover.
func (c *comparison) bestFirst(ctx context.Context, b *below) ([]string, error) {
	texts, err := lcm.SummariesByID(ctx, c.db, b.leaves, data.WholeText)
	if err != nil {
		return nil, err
	}
	x := newIndex()
	for _, id := range b.leaves {
		x.add(texts[id].Content)
	}
	ranks := make([][]textMatch, 0, len(c.trace.Sentences))
	for i := range c.trace.Sentences {
		ranks = append(ranks, x.rankAll(x.query(c.trace.Sentences[i].Text)))
	}
	var out []string
	taken := make([]bool, len(b.leaves))
	take := func(leaf int) {
		if !taken[leaf] {
			taken[leaf] = true
			out = append(out, b.leaves[leaf])
		}
	}
	for place := range b.leaves {
		for _, r := range ranks {
			if place < len(r) {
				take(r[place].text)
			}
		}
	}
	for leaf := range b.leaves {
		take(leaf)
	}
	return out, ctx.Err()
}
