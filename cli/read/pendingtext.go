package read

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

func (l *pendingList) Print(p *cli.Printer) {
	switch {
	case len(l.Batches) == 0:
		l.nothing(p)
	case l.Conversation == nil:
		l.table(p, l.Batches)
	default:
		var earlier []pendingBatch
		for _, b := range l.Batches {
			if !b.Active && !l.whole {
				earlier = append(earlier, b)
				continue
			}
			b.Print(p, l.now, l.whole)
			p.Line("")
		}
		if len(earlier) > 0 {
			p.Title("earlier batches")
			l.table(p, earlier)
		}
	}
	l.More(p)
}

// nothing says why there is no batch.
func (l *pendingList) nothing(p *cli.Printer) {
	where := "this database"
	if l.Conversation != nil {
		where = fmt.Sprintf("conversation %d", *l.Conversation)
	}
	switch {
	case l.kind.Relative:
		p.Linef("%s keeps no pending batches", ui.Line(l.kind.Name))
	case l.HasTables:
		p.None("pending work", " in "+where)
	case l.kind.Generation == data.GenerationOne:
		p.Line("this file is of " + ui.Line(l.kind.String()) + ", but its tables of pending batches are missing")
	default:
		p.Line("this file is of " + ui.Line(l.kind.String()) + ": hosts before 1.0 prepare no summaries in the background, so there is no pending work")
	}
}

// table lists batches, one a line.
func (l *pendingList) table(p *cli.Printer, batches []pendingBatch) {
	rows := make([][]string, len(batches))
	for i, b := range batches {
		texts := 0
		for _, n := range b.from.Nodes {
			if n.Status == lcm.NodePromoted || n.HasText() {
				texts++
			}
		}
		state := b.state()
		rows[i] = []string{
			strconv.FormatInt(b.Conversation, 10), ui.LineN(b.ID, 40), stateStyle(p, state).Render(ui.LineN(state, 12)), ordinals(b.First, b.Last),
			fmt.Sprintf("%d of %d", texts, len(b.Nodes)), ui.Ago(b.UpdatedAt.Time, l.now), ui.LineN(b.sentence(l.now), 200),
		}
	}
	p.Table([]cli.Column{
		{Title: "conversation", Right: true},
		{Title: "batch", Style: p.Styles.Muted, Spare: true},
		{Title: "state"},
		{Title: "ordinals", Spare: true},
		{Title: "texts"},
		{Title: "changed", Right: true, Style: p.Styles.Muted, Spare: true},
		{Title: "explanation", Grows: true},
	}, rows)
}

// stateStyle returns the colour of a state, which the word has as well.
func stateStyle(p *cli.Printer, state string) lipgloss.Style {
	switch pending.State(state) {
	case pending.Prepared:
		return p.Styles.Good
	case pending.Stuck:
		return p.Styles.Bad
	case pending.Waiting:
		return p.Styles.Warn
	}
	return p.Styles.Muted
}

// sentence says what the host does with the batch and why.
func (b pendingBatch) sentence(now time.Time) string {
	return b.verdict.Explain(b.from, now, cli.When)
}

// state returns the state of an active batch, else its stored status.
func (b pendingBatch) state() string {
	if b.State != nil {
		return *b.State
	}
	return b.Status
}

func ordinals(first, last int64) string {
	if first == last {
		return strconv.FormatInt(first, 10)
	}
	return fmt.Sprintf("%d–%d", first, last)
}

// text writes a batch whole: its state, a picture of the context, and its nodes.
func (b pendingBatch) Print(p *cli.Printer, now time.Time, whole bool) {
	p.Title("batch " + ui.LineN(b.ID, 60))
	p.Fact("conversation", strings.TrimSpace(strconv.FormatInt(b.Conversation, 10)+"  "+ui.LineN(b.conv.Name(), 60)))
	state := b.state()
	p.Fact("state", stateStyle(p, state).Render(ui.LineN(state, 12)))
	p.Fact("explanation", ui.Line(b.sentence(now)))
	where := "ordinals " + ordinals(b.First, b.Last)
	switch {
	case b.FreshTail != nil && b.TailNoted:
		where += "; the fresh tail began at " + strconv.FormatInt(*b.FreshTail, 10) + " when the host planned"
	case b.FreshTail != nil:
		where += "; the fresh tail begins at " + strconv.FormatInt(*b.FreshTail, 10)
	}
	p.Fact("range", where)
	p.Fact("covers", fmt.Sprintf("%s in %s", plural.Count(b.Messages, "message", "messages"), plural.Count(len(b.Nodes), "node", "nodes")))
	p.Fact("planned", cli.When(b.CreatedAt)+", changed "+cli.When(b.UpdatedAt)+", model "+ui.LineN(b.Model, 40))
	if b.NextClaim != nil {
		p.Fact("next", "a model is asked for "+ui.LineN(*b.NextClaim, 80))
	} else if b.NextAttemptAt.Valid() {
		p.Fact("next", "nothing before "+cli.When(b.NextAttemptAt))
	}
	b.picture(p)
	b.nodeTable(p)
	for _, n := range b.Nodes {
		if whole && n.Content != nil && *n.Content != "" {
			p.Line("")
			p.Title(ui.LineN(n.ID, 80))
			p.Block(ui.Sanitize(*n.Content))
		}
	}
}

// pictureWidth is the greatest width of the picture of a context, in cells.
const pictureWidth = 60

// strokes are what a stretch is drawn with, in the order of the legend.
var strokes = []struct {
	state string
	mark  string
}{
	{pending.StretchPublished, "S"},
	{pending.StretchPrepared, "="},
	{pending.StretchPlanned, "-"},
	{pending.StretchRaw, "."},
	{pending.StretchFreshTail, "|"},
}

// picture draws the context from the batch's first ordinal on, and lists its stretches.
func (b pendingBatch) picture(p *cli.Printer) {
	var cells []string
	var legend []string
	total := 0
	for _, s := range b.Stretches {
		total += s.Items
	}
	for _, s := range b.Stretches {
		at := slices.IndexFunc(strokes, func(k struct{ state, mark string }) bool { return k.state == s.State })
		width := s.Items
		if total > pictureWidth {
			width = max(1, s.Items*pictureWidth/total)
		}
		cells = append(cells, strings.Repeat(strokes[at].mark, width))
		if words := strokes[at].mark + " " + s.State; !slices.Contains(legend, words) {
			legend = append(legend, words)
		}
	}
	if len(cells) == 0 {
		return
	}
	p.Fact("context", strings.Join(cells, ""))
	p.Fact("", p.Styles.Muted.Render(strings.Join(legend, "   ")))
}

// nodeTable lists the nodes of the batch.
func (b pendingBatch) nodeTable(p *cli.Printer) {
	if len(b.Nodes) == 0 {
		return
	}
	rows := make([][]string, len(b.Nodes))
	for i, n := range b.Nodes {
		tokens, tries, about := "", "", cli.Preview(n.from.Content.Text)
		if n.Tokens != nil {
			tokens = ui.Num(*n.Tokens)
		}
		if n.RetryCount > 0 {
			tries = fmt.Sprintf("%d of %d", n.RetryCount, pending.MaxRetries)
		}
		switch {
		case n.Status == lcm.NodeRunning && !n.LeaseExpiresAt.Null:
			about = "lease of " + cli.Preview(n.from.LeaseOwner.Text) + " until " + cli.When(n.LeaseExpiresAt)
		case n.Status == lcm.NodeRunning:
			about = "no lease"
		case n.Status == lcm.NodeFailed && !n.NextAttemptAfter.Null:
			about = "again after " + cli.When(n.NextAttemptAfter) + ": " + cli.Preview(n.from.Failure.Text)
		case n.CanonicalSummary != nil:
			about = "is now " + cli.Preview(*n.CanonicalSummary)
		case about == "" && n.FailureSummary != nil:
			about = cli.Preview(*n.FailureSummary)
		}
		rows[i] = []string{
			ordinals(n.First, n.Last), ui.LineN(n.Kind, 12), cli.Styled(p.Styles.Depth(int(n.Depth)), "d"+strconv.FormatInt(n.Depth, 10)), ui.LineN(n.Status, 12),
			ui.Num(int64(len(n.Messages) + len(n.ChildNodes) + len(n.ChildSummaries))), tokens, tries, about,
		}
	}
	p.Table([]cli.Column{
		{Title: "ordinals"},
		{Title: "kind", Spare: true},
		{Title: "depth"},
		{Title: "status"},
		{Title: "sources", Right: true, Spare: true},
		{Title: "tokens", Right: true},
		{Title: "failed", Spare: true},
		{Title: "text", Grows: true},
	}, rows)
}
