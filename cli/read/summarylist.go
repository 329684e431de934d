package read

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// summaryList is the result of summaries.
type summaryList struct {
	Conversation int64        `json:"conversation_id"`
	Summaries    []summaryRow `json:"summaries"`
	cli.NextPage
	cli.WarningList
	whole bool
}

// summaryResult is the result of summaries show.
type summaryResult struct {
	Conversation int64      `json:"conversation_id"`
	Summary      summaryRow `json:"summary"`
	cli.WarningList
}

func (s *summaryResult) Print(p *cli.Printer) {
	p.Fact("conversation", strconv.FormatInt(s.Conversation, 10))
	s.Summary.Print(p)
}

// text writes a summary whole.
func (r summaryRow) Print(p *cli.Printer) {
	p.Title(ui.LineN(r.ID, 60))
	about := fmt.Sprintf("d%d %s, %s, %s to %s, of %s", r.Depth, ui.LineN(r.Kind, 12), ui.Tokens(r.Tokens), cli.When(r.EarliestAt), cli.When(r.LatestAt),
		plural.Count(len(r.SourceSums)+len(r.SourceMessages), "source", "sources"))
	if r.InContext {
		about += ", in the context"
	}
	if r.Marker != nil {
		about += ", marker " + *r.Marker
	}
	p.Muted(about)
	p.Block(ui.Sanitize(r.Content))
}

// summaryRow is a summary with its sources and its place.
type summaryRow struct {
	ID             string    `json:"summary_id"`
	Kind           string    `json:"kind"`
	Depth          int64     `json:"depth"`
	Tokens         int64     `json:"token_count"`
	Content        string    `json:"content"`
	EarliestAt     data.Time `json:"earliest_at"`
	LatestAt       data.Time `json:"latest_at"`
	Descendants    int64     `json:"descendant_count"`
	SourceSums     []string  `json:"source_summary_ids"`
	SourceMessages []int64   `json:"source_message_ids"`
	InContext      bool      `json:"in_context"`
	Marker         *string   `json:"marker"`
	CreatedAt      data.Time `json:"created_at"`
	Model          *string   `json:"model"`
	FileIDs        []string  `json:"file_ids"`
}

// origin is what the summaries of a conversation were made of, and which of them
// stand in its context.
type origin struct {
	summaries map[string][]string
	messages  map[string][]int64
	shown     map[string]int64
}

func readOrigin(ctx context.Context, db *data.DB, conv int64) (*origin, error) {
	o := &origin{summaries: map[string][]string{}, messages: map[string][]int64{}}
	links, err := lcm.Links(ctx, db, conv)
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		o.summaries[l.Summary] = append(o.summaries[l.Summary], l.Source)
	}
	covers, err := lcm.MessageLinks(ctx, db, conv)
	if err != nil {
		return nil, err
	}
	for _, l := range covers {
		o.messages[l.Summary] = append(o.messages[l.Summary], l.Message)
	}
	o.shown, err = lcm.ContextSummaries(ctx, db, conv)
	return o, err
}

func (o *origin) row(s lcm.Summary) summaryRow {
	_, shown := o.shown[s.ID]
	return summaryRow{
		ID: s.ID, Kind: s.Kind, Depth: s.Depth, Tokens: s.Tokens, Content: s.Content,
		EarliestAt: s.EarliestAt, LatestAt: s.LatestAt, Descendants: s.Descendants,
		SourceSums: append([]string{}, o.summaries[s.ID]...), SourceMessages: append([]int64{}, o.messages[s.ID]...),
		InContext: shown, Marker: cli.OrNull(string(summarize.Detect(s.Content, s.Model))),
		CreatedAt: s.CreatedAt, Model: cli.OrNull(s.Model), FileIDs: fileIDs(s.FileIDs),
	}
}

// fileIDs reads the stored array of ids; what isn't one is none.
func fileIDs(stored string) []string {
	ids := []string{}
	if json.Unmarshal([]byte(stored), &ids) != nil || ids == nil {
		return []string{}
	}
	return ids
}

func (l *summaryList) Print(p *cli.Printer) {
	if len(l.Summaries) == 0 {
		p.None("summaries", "")
		return
	}
	if l.whole {
		for _, s := range l.Summaries {
			s.Print(p)
			p.Write("\n")
		}
		l.More(p)
		return
	}
	rows := make([][]string, len(l.Summaries))
	for i, s := range l.Summaries {
		where, marker := "", ""
		if s.InContext {
			where = "context"
		}
		if s.Marker != nil {
			marker = *s.Marker
		}
		rows[i] = []string{
			ui.LineN(s.ID, 40), cli.Styled(p.Styles.Depth(int(s.Depth)), "d"+strconv.FormatInt(s.Depth, 10)), ui.LineN(s.Kind, 12),
			ui.Num(s.Tokens), ui.Num(int64(len(s.SourceSums) + len(s.SourceMessages))), cli.When(s.EarliestAt), cli.When(s.LatestAt), where, marker, cli.Preview(s.Content),
		}
	}
	p.Table([]cli.Column{
		{Title: "id"},
		{Title: "depth"},
		{Title: "kind", Spare: true},
		{Title: "tokens", Right: true},
		{Title: "sources", Right: true, Spare: true},
		{Title: "from", Style: p.Styles.Muted, Spare: true},
		{Title: "to", Style: p.Styles.Muted, Spare: true},
		{Title: "where", Spare: true},
		{Title: "marker", Style: p.Styles.Warn},
		{Title: "text", Grows: true},
	}, rows)
	l.More(p)
}
