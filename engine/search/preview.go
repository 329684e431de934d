package search

import (
	"context"

	"lcm-tui/data"
	sqlsearch "lcm-tui/data/search"
)

// Preview is a hit in its place: the messages around it, or its whole text.
type Preview struct {
	// Messages are those around a message or part, in their order, each with at most
	// MaxPreviewBytes of its texts.
	Messages []data.Message
	// Text is the text of a summary, a large file's description or a focus brief.
	Text string
	// Above are the summaries over a message or summary, from the leaf upwards, each once.
	Above []AboveSummary
}

// AboveSummary is a summary that was made of a text, at any depth.
type AboveSummary struct {
	ID    string
	Depth int64
}

// MaxPreviewBytes is how much of a text a preview has.
const MaxPreviewBytes = sqlsearch.MaxTextBytes

// ReadPreview reads a hit with so many messages before and after it.
func ReadPreview(ctx context.Context, db *data.DB, h Hit, around int) (p Preview, err error) {
	switch h.Kind {
	case MessageKind, PartKind:
		if p.Messages, err = messagesAround(ctx, db, h, around); err != nil {
			return p, err
		}
		var leaves []string
		for _, m := range p.Messages {
			if m.ID == h.Message {
				leaves = m.SummaryIDs
			}
		}
		p.Above, err = above(ctx, db, leaves)
	case SummaryKind:
		s, e := db.Summary(ctx, h.Summary)
		if e != nil {
			return p, e
		}
		p.Text = data.StartOfText(s.Content, MaxPreviewBytes)
		p.Above, err = above(ctx, db, []string{h.Summary})
	case FileKind:
		files, e := sqlsearch.Files(ctx, db, []sqlsearch.Condition{{Files: []string{h.File}}})
		if err = e; len(files) > 0 {
			p.Text = data.StartOfText(files[0].Name+"\n"+files[0].Exploration, MaxPreviewBytes)
		}
	case FocusKind:
		briefs, e := sqlsearch.FocusBriefs(ctx, db, []sqlsearch.Condition{{Conversations: []int64{h.Conversation}}})
		err = e
		for _, b := range briefs {
			if b.ID == h.Focus {
				p.Text = data.StartOfText(b.Text, MaxPreviewBytes)
			}
		}
	}
	return p, err
}

func messagesAround(ctx context.Context, db *data.DB, h Hit, around int) ([]data.Message, error) {
	before, err := db.MessagesFrom(ctx, h.Conversation, data.SeqPage{From: h.Seq, Back: true, Limit: around + 1, Clip: MaxPreviewBytes})
	if err != nil || around == 0 {
		return before, err
	}
	after, err := db.MessagesFrom(ctx, h.Conversation, data.SeqPage{From: h.Seq + 1, Limit: around, Clip: MaxPreviewBytes})
	return append(before, after...), err
}

// above are the summaries that were made of these, and these themselves, level by level.
func above(ctx context.Context, db *data.DB, ids []string) (out []AboveSummary, err error) {
	chain, err := sqlsearch.Derivatives(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	rows, err := sqlsearch.Summaries(ctx, db, chain, 1)
	depths := map[string]int64{}
	for _, s := range rows {
		depths[s.ID] = s.Depth
	}
	for _, id := range chain {
		out = append(out, AboveSummary{id, depths[id]})
	}
	return out, err
}
