package search

import (
	"cmp"
	"context"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
)

// Place is the text of a hit and what stands around it.
type Place struct {
	Text string // The whole text of the hit.
	// Message is the message of a hit in a message or a part, with those Before and After it, of
	// which the start of each text is read.
	Message       *lcm.Message
	Before, After []lcm.Message
	// Cover are the summary that covers the hit, or is it, and those that were made of it, up to the
	// first one in the context.
	Cover []*lineage.Node
}

// How many messages are read before a hit and after it, and how many bytes of each text.
const (
	neighbours    = 3
	neighbourClip = 600
)

// ReadPlace reads the place of a hit. What is gone since it was found is data.ErrNotFound.
func ReadPlace(ctx context.Context, db *data.DB, h Hit) (*Place, error) {
	switch h.Kind {
	case SummaryKind:
		return readSummaryPlace(ctx, db, h)
	case FileKind:
		return readFilePlace(ctx, db, h)
	case FocusKind:
		return readBriefPlace(ctx, db, h)
	}
	return readMessagePlace(ctx, db, h)
}

func readMessagePlace(ctx context.Context, db *data.DB, h Hit) (*Place, error) {
	m, err := lcm.ReadMessage(ctx, db, h.Message)
	if err != nil {
		return nil, err
	}
	p := &Place{Message: &m, Text: m.Content}
	if h.Kind == PartKind {
		p.Text = h.Part.textIn(m.Parts)
	}
	page := lcm.SeqPage{From: m.Seq - 1, Back: true, Limit: neighbours, Clip: neighbourClip}
	if p.Before, err = lcm.MessagesFrom(ctx, db, m.Conversation, page); err != nil {
		return nil, err
	}
	page.From, page.Back = m.Seq+1, false
	if p.After, err = lcm.MessagesFrom(ctx, db, m.Conversation, page); err != nil || len(m.SummaryIDs) == 0 {
		return p, err
	}
	p.Cover, err = coverOf(ctx, db, m.Conversation, m.SummaryIDs[0])
	return p, err
}

// textIn returns the field of a part that a hit is in.
func (at PartPlace) textIn(parts []lcm.Part) string {
	for i := range parts {
		p := &parts[i]
		if p.Ordinal != at.Ordinal {
			continue
		}
		switch at.Field {
		case "tool_input":
			return p.ToolInput
		case "tool_output":
			return p.ToolOutput
		case "text_content":
			return p.Text
		case "file_name":
			return p.FileName
		case "metadata":
			return p.Metadata
		}
		return cmp.Or(p.Text, p.ToolOutput, p.ToolInput, p.FileName)
	}
	return ""
}

func readSummaryPlace(ctx context.Context, db *data.DB, h Hit) (*Place, error) {
	s, err := lcm.ReadSummary(ctx, db, h.Summary)
	if err != nil {
		return nil, err
	}
	p := &Place{Text: s.Content}
	p.Cover, err = coverOf(ctx, db, s.Conversation, s.ID)
	return p, err
}

func readFilePlace(ctx context.Context, db *data.DB, h Hit) (*Place, error) {
	files, err := lcm.LargeFiles(ctx, db, h.Conversation)
	for i := range files {
		if files[i].ID == h.File {
			return &Place{Text: files[i].Exploration}, nil
		}
	}
	return nil, cmp.Or(err, data.ErrNotFound)
}

func readBriefPlace(ctx context.Context, db *data.DB, h Hit) (*Place, error) {
	briefs, err := lcm.FocusBriefs(ctx, db, h.Conversation)
	for i := range briefs {
		if briefs[i].ID == h.Focus {
			return &Place{Text: briefs[i].Prompt + "\n\n" + briefs[i].Content}, nil
		}
	}
	return nil, cmp.Or(err, data.ErrNotFound)
}

// coverOf returns a summary and those that were made of it, up to the first one in the context or
// one of which nothing was made.
func coverOf(ctx context.Context, db *data.DB, conv int64, id string) (out []*lineage.Node, err error) {
	g, err := lineage.Load(ctx, db, conv, 1)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for n, ok := g.Node(id); ok && !seen[n.ID]; {
		out, seen[n.ID] = append(out, n), true
		if n.InContext() || len(n.Derived) == 0 {
			break
		}
		n, ok = g.Node(n.Derived[0])
	}
	return out, nil
}
