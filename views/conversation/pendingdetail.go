package conversation

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// pendingText is what is read of the row under the cursor: the whole text of a node or of a
// summary, laid out, and the messages that a leaf covers.
type pendingText struct {
	fullText
	messages []lcm.Message
}

// readText reads the text of a node and the messages that it covers.
func (v *Pending) readText(r *pendingRow) views.DetailReader[*pendingText] {
	env, n, width := v.Env(), r.node, v.Rendered.Width
	if r.summary != "" && !r.missing {
		whole := summaryFullText(env, r.summary, false, width)
		return func(ctx context.Context) (*pendingText, error) {
			p, err := whole(ctx)
			if err != nil {
				return nil, err
			}
			return &pendingText{fullText: *p}, nil
		}
	}
	if n == nil || n.Content.Null && len(n.Messages) == 0 {
		return nil
	}
	db, dark := env.DB, env.Styles.DarkBackground
	return func(ctx context.Context) (*pendingText, error) {
		p := &pendingText{fullText: fullText{markdown: true, text: n.Content.Text}}
		if int64(len(n.Content.Text)) < n.Bytes {
			text, err := wholeNodeText(ctx, db, n)
			if err != nil {
				return nil, err
			}
			p.text = text
		}
		p.layOut(width, dark)
		var err error
		p.messages, err = lcm.Previews(ctx, db, firstMessages(n))
		return p, err
	}
}

// wholeNodeText reads the text of a node as it is now.
func wholeNodeText(ctx context.Context, db *data.DB, n *pending.Node) (string, error) {
	nodes, err := lcm.PendingNodes(ctx, db, lcm.PendingSelection{Batch: n.Batch}, data.WholeText)
	for i := range nodes {
		if nodes[i].ID == n.ID {
			return nodes[i].Content.Text, err
		}
	}
	return "", errors.Join(err, data.ErrNotFound)
}

// firstMessages returns the messages that a node covers, as many as a detail lists.
func firstMessages(n *pending.Node) (ids []int64) {
	for _, m := range n.Messages[:min(len(n.Messages), mostSources)] {
		ids = append(ids, m.Message)
	}
	return ids
}

// describe returns everything about a row.
func (v *Pending) describe(r *pendingRow, p *pendingText, width int) string {
	switch {
	case r.node != nil:
		return v.text.describeNode(r, p, width)
	case r.missing:
		s := v.Env().Styles
		return s.Title.Render(ui.Line(r.ref())) + "\n" + s.Bad.Render("! missing") + "\n\nA node was planned from it, but there is no such row. The host can't publish the batch.\n"
	case r.summary != "":
		s := v.Env().Styles
		out := s.Title.Render(ui.Line(r.summary)) + "\n" + s.Muted.Render("a summary of the context, from which the node above is made") + "\n\n"
		if p != nil {
			out += p.layOut(width, s.DarkBackground) + "\n"
		}
		return out
	}
	return v.text.describeBatch(r.batch)
}

// batchText writes batches and their nodes as text: in full beside the list, and in the rows of it.
type batchText struct{ env *views.Env }

// facts returns lines of a name and a text, those without a text left out.
func (w *batchText) facts(lines [][2]string) string {
	s := w.env.Styles
	var out strings.Builder
	for _, l := range lines {
		if l[1] != "" {
			out.WriteString(s.Muted.Render(ui.Pad(l[0], 13)) + l[1] + "\n")
		}
	}
	return out.String()
}

// timeText returns a stored time in full, or empty where there is none.
func (w *batchText) timeText(t data.Time) string {
	if t.Null || !t.Valid() && t.Raw == "" {
		return ""
	}
	return w.env.Stamp(t)
}

// failureText returns a stored failure, or empty where there is none.
func (w *batchText) failureText(failure data.Stored) string {
	if text := ui.Line(failure.Text); text != "" {
		return w.env.Styles.Bad.Render(text)
	}
	return ""
}

func (w *batchText) describeBatch(b *pendingBatch) string {
	s, e := w.env.Styles, w.env
	var out strings.Builder
	out.WriteString(s.Title.Render(ui.Line(b.ID)) + "\n")
	out.WriteString(verdictText(s, b) + s.Muted.Render(" · status "+ui.LineN(b.Status, 20)) + "\n")
	if why := reasonText(e, b); why != "" {
		out.WriteString(why + "\n")
	}
	out.WriteString("\n" + w.facts([][2]string{
		{"publish now", w.publishText(b)},
		{"host says", views.TextWhen(b.verdict.Outcome == pending.GivesUp, ui.Line(b.verdict.Reason))},
		{"failure", w.failureText(b.Failure)},
		{"range", "ordinals " + rangeText(b.First, b.Last) + b.rangeSize()},
		{"fresh tail", views.TextWhen(b.FreshTailStart.Valid, "began at ordinal "+views.Itoa(b.FreshTailStart.Value)+" when planned")},
		{"nodes", b.nodeCounts()},
		{"prepared", b.preparedText()},
		{"texts", views.TextWhen(b.Status == lcm.BatchStale && b.ready > 0, "kept for 7 days, and never used")},
		{"next pass", b.claimText()},
		{"next", views.TextWhen(b.verdict.NextClaim == "", w.attemptText(b))},
		{"model", ui.LineN(b.Model, 60)},
		{"prompts", ui.LineN(b.PromptVersion, 60)},
		{"planned", w.timeText(b.CreatedAt)},
		{"changed", w.timeText(b.UpdatedAt)},
		{"published", w.timeText(b.PublishedAt)},
	}))
	return out.String()
}

// publishText says whether the host would publish a batch now.
func (w *batchText) publishText(b *pendingBatch) string {
	s := w.env.Styles
	switch b.verdict.Outcome {
	case pending.Publishes:
		return s.Good.Render("yes")
	case pending.Finished:
		return ""
	case pending.Fails, pending.Never:
		return s.Bad.Render("no, and never by itself")
	}
	return s.Warn.Render("no")
}

// rangeSize returns how many items of the context stand in the range of an active batch.
func (b *pendingBatch) rangeSize() string {
	var items int
	var tokens int64
	for _, i := range b.Items {
		if i.Ordinal <= b.Last {
			items, tokens = items+1, tokens+i.Tokens
		}
	}
	if items == 0 {
		return ""
	}
	return ": " + plural.Count(items, "item", "items") + ", " + ui.Tokens(tokens)
}

// nodeCounts returns the numbers of nodes by status, in the order in which a node goes through them.
func (b *pendingBatch) nodeCounts() string {
	counts := map[string]int{}
	for _, n := range b.Nodes {
		counts[n.Status]++
	}
	var out []string
	for _, status := range []string{lcm.NodePromoted, lcm.NodeReady, lcm.NodeRunning, lcm.NodeFailed, lcm.NodePlanned, lcm.NodeStale} {
		if k := counts[status]; k > 0 {
			out = append(out, ui.Num(int64(k))+" "+status)
			delete(counts, status)
		}
	}
	other := 0
	for _, k := range counts {
		other += k
	}
	if other > 0 {
		out = append(out, ui.Num(int64(other))+" of another status")
	}
	return strings.Join(out, ", ")
}

// preparedText returns how many summaries would replace the range of a batch so far, and their size.
func (b *pendingBatch) preparedText() string {
	var tokens int64
	for _, id := range b.verdict.Frontier {
		if n := b.nodes[id]; n != nil {
			tokens = lcm.AddTokens(tokens, n.Tokens.Value)
		}
	}
	if len(b.verdict.Frontier) == 0 || !b.Active() {
		return ""
	}
	return plural.Count(len(b.verdict.Frontier), "summary", "summaries") + ", " + ui.Tokens(tokens)
}

// claimText returns what the host asks a model for at its next pass.
func (b *pendingBatch) claimText() string {
	n := b.nodes[b.verdict.NextClaim]
	if n == nil {
		return ""
	}
	return "asks a model for ordinals " + rangeText(n.First, n.Last)
}

// attemptText returns until when the host waits before it goes on with a batch.
func (w *batchText) attemptText(b *pendingBatch) string {
	if !b.verdict.NextAt.Valid() {
		return ""
	}
	return "waits until " + w.env.Stamp(b.verdict.NextAt)
}

func (w *batchText) describeNode(r *pendingRow, p *pendingText, width int) string {
	s, n, b := w.env.Styles, r.node, r.batch
	var out strings.Builder
	out.WriteString(s.Title.Render(ui.Line(n.ID)) + "\n")
	out.WriteString(depthLabel(s, n.Depth) + " " + ui.LineN(n.Kind, 20) + " · " + nodeStatusText(s, n, b))
	if b.verdict.NextClaim == n.ID {
		out.WriteString(s.Muted.Render(": the host asks a model for it at its next pass"))
	}
	out.WriteString("\n")
	if b.Active() && n.Status != lcm.NodeReady && n.Status != lcm.NodePromoted && n.Status != lcm.NodeStale {
		out.WriteString(waitingText(w.env, n) + "\n")
	}
	out.WriteString("\n" + w.facts([][2]string{
		{"covers", coversText(n)},
		{"size", views.TextWhen(n.Tokens.Valid, ui.Tokens(n.Tokens.Value))},
		{"became", ui.Line(n.CanonicalSummary)},
		{"lease", w.leaseText(n)},
		{"attempts", views.TextWhen(n.RetryCount > 0, fmt.Sprintf("failed %d of %d times", n.RetryCount, pending.MaxRetries))},
		{"next", w.timeText(n.NextAttemptAfter)},
		{"failure", w.failureText(n.Failure)},
		{"model", ui.LineN(n.Model, 60)},
		{"planned", w.timeText(n.CreatedAt)},
		{"ready", w.timeText(n.ReadyAt)},
		{"promoted", w.timeText(n.PromotedAt)},
	}))
	out.WriteString("\n" + w.nodeText(n, p, width) + "\n")
	if p != nil && len(p.messages) > 0 {
		out.WriteString("\n" + s.Title.Render("Made of") + "\n")
		for _, m := range p.messages {
			out.WriteString(ui.Cut(messageLine(s, m, width), width) + "\n")
		}
		if more := len(n.Messages) - len(p.messages); more > 0 {
			out.WriteString(s.Muted.Render("and "+ui.Num(int64(more))+" more") + "\n")
		}
	}
	return out.String()
}

// nodeText returns the text of a node, or why there is none.
func (w *batchText) nodeText(n *pending.Node, p *pendingText, width int) string {
	s := w.env.Styles
	switch {
	case n.Status == lcm.NodePromoted && n.Content.Null:
		return s.Muted.Render("its text is that of the summary that it became")
	case n.Content.Null:
		return s.Muted.Render("there is no text yet")
	case strings.TrimSpace(n.Content.Text) == "":
		return s.Warn.Render("~ the text is empty")
	case p == nil:
		return ui.Sanitize(n.Content.Text) + s.Faint.Render(" …")
	}
	return p.layOut(width, s.DarkBackground)
}

// coversText returns what a node is made of.
func coversText(n *pending.Node) string {
	out := "ordinals " + rangeText(n.First, n.Last)
	if k := len(n.Messages); k > 0 {
		out += ": " + plural.Count(k, "message", "messages")
	}
	if k := len(n.Children); k > 0 {
		out += ": " + plural.Count(k, "summary", "summaries")
	}
	return out
}

// leaseText returns who has a lease on a node, and until when.
func (w *batchText) leaseText(n *pending.Node) string {
	if n.LeaseOwner.Null && n.LeaseExpiresAt.Null {
		return ""
	}
	return views.FirstNonEmpty(ui.LineN(n.LeaseOwner.Text, 60), "nobody") + ", until " + views.FirstNonEmpty(w.timeText(n.LeaseExpiresAt), "no time")
}
