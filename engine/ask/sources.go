package ask

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
)

// Source is a summary that an answer names, with the messages below it that say most of what was asked, each message once.
type Source struct {
	lcm.Summary // With the start of its text.
	Messages    []lcm.Message
}

const (
	sourceBytes    = 2000 // Of a message, in which the words of a question are looked for.
	sourceLeaves   = 24   // Below a summary, of which messages are read.
	sourceMessages = 3    // Of a summary.
)

// Sources returns the summaries that an answer names, in its order. One that is gone is left out.
func Sources(ctx context.Context, db *data.DB, prompt string, cited []string) (out []Source, err error) {
	words, shown := tellingWords(prompt), map[int64]bool{}
	found, err := lcm.SummariesByID(ctx, db, cited, data.PreviewBytes)
	if err != nil {
		return nil, err
	}
	for _, id := range cited {
		s, ok := found[id]
		if !ok {
			continue
		}
		leaves, err := leavesBelow(ctx, db, id)
		if err != nil {
			return nil, err
		}
		var messages []lcm.Message
		for _, leaf := range leaves {
			of, err := lcm.SourceMessages(ctx, db, leaf, sourceBytes)
			if err != nil {
				return nil, err
			}
			messages = append(messages, slices.DeleteFunc(of, func(m lcm.Message) bool { return shown[m.ID] })...)
		}
		messages = tellingMessages(words, messages)
		for _, m := range messages {
			shown[m.ID] = true
		}
		out = append(out, Source{s, messages})
	}
	return out, nil
}

// leavesBelow returns the first leaves of which a summary is made, or the summary itself if it is one.
func leavesBelow(ctx context.Context, db *data.DB, id string) (leaves []string, err error) {
	seen, row := map[string]bool{id: true}, []string{id}
	for len(row) > 0 && len(leaves) < sourceLeaves {
		links, err := lcm.SourceLinks(ctx, db, row)
		if err != nil {
			return nil, err
		}
		sources := map[string][]string{} // Of each summary that is made of others.
		for _, l := range links {
			sources[l.Summary] = append(sources[l.Summary], l.Source)
		}
		var next []string
		for _, summary := range row {
			if sources[summary] == nil {
				leaves = append(leaves, summary)
			}
			for _, source := range sources[summary] {
				if !seen[source] {
					seen[source] = true
					next = append(next, source)
				}
			}
		}
		row = next
	}
	return leaves[:min(len(leaves), sourceLeaves)], nil
}

// tellingMessages returns the few messages that hold most of some words, in their order.
func tellingMessages(words []promptWord, messages []lcm.Message) []lcm.Message {
	texts := make([]string, len(messages))
	for i := range messages {
		texts[i] = messages[i].Content
	}
	weigh(words, texts)
	shares, scores := matchesOf(words, texts)
	var order []int
	for i := range messages {
		if shares[i] > 0 {
			order = append(order, i)
		}
	}
	sorting.Stable(order, func(a, b *int) int { return cmp.Compare(scores[*b], scores[*a]) })
	order = order[:min(len(order), sourceMessages)]
	slices.Sort(order)
	var out []lcm.Message
	for _, i := range order {
		out = append(out, messages[i])
	}
	return out
}
