package conversation

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// pendingRow is a row of the pending screen: a batch, a node of it, or a summary of the context
// that a node is made of.
type pendingRow struct {
	key     string
	batch   *pendingBatch
	node    *pending.Node // Nil for a batch, and for a summary.
	summary string        // Empty but for a summary.
	missing bool          // A link names it, but there is no such row.
	path    []*pendingRow // The rows above, the batch first.
	below   bool          // Rows stand below it, if it is unfolded.
	open    bool
}

func (r *pendingRow) id() string { return r.key }

// ref returns what y copies.
func (r *pendingRow) ref() string {
	switch {
	case r.node != nil:
		return r.node.ID
	case r.summary != "":
		return r.summary
	case len(r.path) > 0:
		return r.key[strings.LastIndexByte(r.key, ' ')+1:]
	}
	return r.batch.ID
}

func (r *pendingRow) text() string {
	out := []string{r.ref()}
	switch {
	case r.node != nil:
		n := r.node
		out = append(out, n.Status, n.Kind, rangeText(n.First, n.Last), n.CanonicalSummary, n.Failure.Text, n.Content.Text)
	case len(r.path) == 0:
		b := r.batch
		out = append(out, b.Status, string(b.verdict.State), b.Failure.Text, b.Model, b.verdict.Reason)
	}
	return strings.Join(out, " ")
}

// opensAtFirst reports whether a row is unfolded before the user folds it: all but finished
// batches are.
func (r *pendingRow) opensAtFirst() bool { return len(r.path) > 0 || r.batch.Active() }

// buildRows gives the list its rows. The cursor stays on its row.
func (v *Pending) buildRows() {
	v.List.SetItems(v.rows(func(r *pendingRow) bool { return v.filtered || r.opensAtFirst() != v.toggled[r.key] }))
}

// rows returns all rows; open is asked below which of them to go on.
func (v *Pending) rows(open func(*pendingRow) bool) (out []*pendingRow) {
	for _, b := range v.batches {
		head := &pendingRow{key: b.ID, batch: b, below: len(b.Nodes) > 0}
		head.open = head.below && open(head)
		out = append(out, head)
		if !head.open {
			continue
		}
		w := pendingWalk{batch: b, open: open, listed: map[string]bool{}}
		for _, n := range b.roots() {
			w.add(n, []*pendingRow{head})
		}
		out = append(out, w.out...)
	}
	return out
}

// roots returns the nodes that no other node of the batch is made of, in the host's order; of nodes
// that are made of each other the first.
func (b *pendingBatch) roots() (out []*pending.Node) {
	below := map[string]bool{}
	for _, n := range b.Nodes {
		for _, c := range n.Children {
			below[c.ChildNode] = c.ChildNode != n.ID || below[c.ChildNode]
		}
	}
	reached := map[string]bool{}
	var reach func(n *pending.Node)
	reach = func(n *pending.Node) {
		if n == nil || reached[n.ID] {
			return
		}
		reached[n.ID] = true
		for _, c := range n.Children {
			reach(b.nodes[c.ChildNode])
		}
	}
	for _, n := range b.Nodes {
		if !below[n.ID] {
			out = append(out, n)
			reach(n)
		}
	}
	for _, n := range b.Nodes {
		if !reached[n.ID] {
			out = append(out, n)
			reach(n)
		}
	}
	slices.SortStableFunc(out, func(a, b *pending.Node) int { return int(a.First - b.First) })
	return out
}

// pendingWalk makes the rows of a batch's nodes. Each node is listed once.
type pendingWalk struct {
	batch  *pendingBatch
	open   func(*pendingRow) bool
	listed map[string]bool
	out    []*pendingRow
}

func (w *pendingWalk) add(n *pending.Node, path []*pendingRow) {
	if w.listed[n.ID] {
		return
	}
	w.listed[n.ID] = true
	r := &pendingRow{key: n.ID, batch: w.batch, node: n, path: path, below: len(n.Children) > 0}
	r.open = r.below && w.open(r)
	w.out = append(w.out, r)
	if !r.open {
		return
	}
	under := append(slices.Clone(path), r)
	for i, c := range n.Children {
		if child := w.batch.nodes[c.ChildNode]; child != nil {
			w.add(child, under)
			continue
		}
		id := views.FirstNonEmpty(c.ChildSummary, c.ChildNode)
		w.out = append(w.out, &pendingRow{
			key: fmt.Sprint(n.ID, " ", i, " ", id), batch: w.batch, summary: c.ChildSummary, path: under, missing: c.Missing || c.ChildSummary == "",
		})
	}
}

// rangeText returns a range of ordinals.
func rangeText(first, last int64) string {
	if first == last {
		return views.Itoa(first)
	}
	return views.Itoa(first) + "–" + views.Itoa(last)
}

const (
	pendingStateWidth = 12
	pendingRangeWidth = 9
)

// render draws one row.
func (v *Pending) render(r *pendingRow, width int, _ bool) string {
	s := v.Env().Styles
	sign := "  "
	switch {
	case r.open:
		sign = "▾ "
	case r.below:
		sign = "▸ "
	}
	indent := strings.Repeat(" ", min(2*len(r.path), max(0, width/3)))
	switch {
	case r.missing:
		return ui.Cut(indent+"  "+s.Bad.Render("! missing ")+views.ShortID(r.ref(), views.IDWidth), width)
	case r.summary != "":
		return ui.Cut(indent+"  "+s.Muted.Render("summary of the context ")+views.ShortID(r.summary, views.IDWidth), width)
	case r.node != nil:
		return v.text.renderNode(r.node, r.batch, indent+sign, width)
	}
	return v.text.renderBatch(r.batch, sign, width)
}

func (w *batchText) renderBatch(b *pendingBatch, sign string, width int) string {
	s := w.env.Styles
	at := b.UpdatedAt
	if b.PublishedAt.Valid() {
		at = b.PublishedAt
	}
	right := " " + s.Muted.Render(views.Ago(at.Time, w.env.Now()))
	left := s.Title.Render(sign) + ui.Pad(verdictText(s, b), pendingStateWidth) + " " + s.Title.Render(ui.Pad(rangeText(b.First, b.Last), pendingRangeWidth)) + " " + b.readyText()
	if b.Failure.Text != "" {
		left += s.Muted.Render("  " + ui.LineN(pending.ReasonText(b.Failure.Text), width))
	}
	room := max(1, width-lipgloss.Width(right))
	return ui.Cut(ui.Pad(ui.Cut(left, room), room)+right, width)
}

func (w *batchText) renderNode(n *pending.Node, b *pendingBatch, stem string, width int) string {
	s := w.env.Styles
	line := stem + depthLabel(s, n.Depth) + " " + ui.Pad(rangeText(n.First, n.Last), pendingRangeWidth) + " " + ui.Pad(nodeStatusText(s, n, b), pendingStateWidth) + " "
	if n.Tokens.Valid && !n.Content.Null {
		line += ui.PadLeft(ui.Tokens(n.Tokens.Value), tokensWidth) + "  "
	}
	return ui.Cut(line+w.nodeNote(n, b, width), width)
}

// nodeStatusText returns the state of a node with its mark. A node that the host never works on again
// is bad, whatever its status.
func nodeStatusText(s *ui.Styles, n *pending.Node, b *pendingBatch) string {
	switch {
	case b.verdict.Node == n.ID && (b.verdict.Outcome == pending.Never || b.verdict.Outcome == pending.Fails):
		return s.Bad.Render("! " + ui.LineN(n.Status, 10))
	case b.verdict.NextClaim == n.ID:
		return s.Accent.Render("→ next")
	}
	return statusText(s, n.Status)
}

// nodeNote returns what matters of a node in one line: why there is no text, or its beginning.
func (w *batchText) nodeNote(n *pending.Node, b *pendingBatch, width int) string {
	s := w.env.Styles
	now := w.env.Now()
	clock := func(t data.Time) string { return w.env.Local(t.Time).Format("15:04") }
	switch {
	case n.Status == lcm.NodePromoted && n.CanonicalSummary == "":
		return s.Faint.Render("its summary is gone")
	case n.Status == lcm.NodePromoted:
		return s.Muted.Render(views.ShortID(n.CanonicalSummary, views.IDWidth))
	case n.Status == lcm.NodeRunning && !n.LeaseExpiresAt.Valid():
		return s.Bad.Render("no lease: never taken up")
	case n.Status == lcm.NodeRunning && n.LeaseExpiresAt.Before(now):
		return s.Warn.Render("its lease ran out " + views.Ago(n.LeaseExpiresAt.Time, now))
	case n.Status == lcm.NodeRunning:
		return s.Accent.Render("lease until " + clock(n.LeaseExpiresAt))
	case n.RetryCount > 0 && b.Active():
		text := fmt.Sprintf("%d of %d failed", n.RetryCount, pending.MaxRetries)
		if n.NextAttemptAfter.Valid() && n.RetryCount < pending.MaxRetries && n.NextAttemptAfter.After(now) {
			text += ", again " + clock(n.NextAttemptAfter)
		}
		return s.Warn.Render(text) + s.Muted.Render(" "+ui.LineN(n.Failure.Text, width))
	case !n.Content.Null:
		return s.Muted.Render(views.Opening(n.Content.Text, width))
	case n.Failure.Text != "":
		return s.Muted.Render(ui.LineN(n.Failure.Text, width))
	}
	return ""
}

// Legend implements ui.Legender.
func (v *Pending) Legend() []ui.Sign {
	s := v.Env().Styles
	return []ui.Sign{
		{Mark: "▸ ▾", Meaning: "folded, unfolded: the nodes of a batch, or what a node is made of, stand below it"},
		{Mark: s.Good.Render("●"), Meaning: "ready: a text is there; of a batch, every node is ready"},
		{Mark: s.Accent.Render("◐"), Meaning: "running: a model is asked for the text; of a batch, texts are being prepared"},
		{Mark: s.Accent.Render("→"), Meaning: "next: the host asks a model for it at its next pass"},
		{Mark: s.Muted.Render("○"), Meaning: "planned: there is no text yet"},
		{Mark: s.Warn.Render("~"), Meaning: "failed or waiting until it is tried again; of a batch, what it was planned from changed"},
		{Mark: s.Bad.Render("!"), Meaning: "stuck: the host never publishes it by itself"},
		{Mark: s.Good.Render("✓"), Meaning: "promoted or published: it is a summary of the context"},
		{Mark: s.Faint.Render("·"), Meaning: "stale: it was given up; ignored: the host doesn't look at it"},
		{Mark: "█ ▓ ░", Meaning: "in the picture: published, prepared, planned; below the tabs stands how much of each"},
		{Mark: "· ─", Meaning: "in the picture: raw messages of which no summary is planned, and the fresh tail"},
	}
}
