package change

import (
	"cmp"
	"context"
	"strconv"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/sorting"
	"lcm-tui/ui"
)

// findingCounts is the result of doctor --summary: what was found, counted by
// conversation.
type findingCounts struct {
	Conversations []conversationCounts `json:"conversations"`
	Counts        integrity.Counts     `json:"counts"`
	cli.NextPage
	cli.WarningList
}

// conversationCounts is what was found in a conversation, of which id 0 is the file.
type conversationCounts struct {
	Conversation int64            `json:"conversation_id"`
	SessionKey   *string          `json:"session_key"`
	Title        *string          `json:"title"`
	Counts       integrity.Counts `json:"counts"`
	Broken       int              `json:"broken_summaries"` // That no model wrote.
}

// countFindings counts findings by conversation, the most damaged first; 0 is all of them.
func countFindings(ctx context.Context, c *cli.Invocation, d integrity.Diagnosis, only int64) (*findingCounts, error) {
	var all []lcm.Conversation
	if c.DB != nil { // Else the file is too damaged to be opened, which is what was found.
		var err error
		if all, err = lcm.Conversations(ctx, c.DB); err != nil {
			return nil, err
		}
	}
	by := map[int64][]integrity.Finding{}
	for _, f := range d.Findings {
		by[f.Conversation] = append(by[f.Conversation], f)
	}
	out := &findingCounts{Conversations: []conversationCounts{}, Counts: d.Counts}
	for id, list := range by {
		if only != 0 && id != only {
			continue
		}
		row := conversationCounts{Conversation: id}
		for _, conv := range all {
			if conv.ID == id {
				row.SessionKey, row.Title = cli.OrNull(conv.SessionKey), cli.OrNull(conv.Title)
			}
		}
		for _, f := range list {
			row.Counts.Add(f.Severity)
			if f.Fault == defaultFault {
				row.Broken++
			}
		}
		out.Conversations = append(out.Conversations, row)
	}
	sorting.Stable(out.Conversations, func(a, b *conversationCounts) int {
		for _, s := range integrity.Severities() {
			if d := cmp.Compare(b.Counts.Of(s), a.Counts.Of(s)); d != 0 {
				return d
			}
		}
		return cmp.Compare(a.Conversation, b.Conversation)
	})
	return out, nil
}

func (f *findingCounts) Print(p *cli.Printer) {
	if len(f.Conversations) == 0 {
		p.Line(cli.Styled(p.Styles.Good, "✓") + " nothing found")
		return
	}
	rows := make([][]string, len(f.Conversations))
	for i, r := range f.Conversations {
		id, name := "file", ""
		if r.Conversation != 0 {
			id = strconv.FormatInt(r.Conversation, 10)
		}
		for _, s := range []*string{r.SessionKey, r.Title} {
			if s != nil {
				name = *s
			}
		}
		rows[i] = []string{id}
		for _, s := range integrity.Severities() {
			rows[i] = append(rows[i], ui.Num(int64(r.Counts.Of(s))))
		}
		rows[i] = append(rows[i], ui.Num(int64(r.Broken)), ui.LineN(name, 60))
	}
	columns := []cli.Column{{Title: "conversation", Right: true}}
	for _, s := range integrity.Severities() {
		columns = append(columns, cli.Column{Title: string(s), Right: true})
	}
	p.Table(append(columns, cli.Column{Title: "broken summaries", Right: true}, cli.Column{Title: "name", Grows: true}), rows)
	f.More(p)
	p.Muted("broken summaries are those that no model wrote; lcm-tui doctor CONV says more, --apply repairs them")
}
