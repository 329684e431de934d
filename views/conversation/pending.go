package conversation

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Pending is what a host of the 1.0 generation prepares for a conversation in the background: its
// batches, newest first, and below each its nodes as a tree.
type Pending struct {
	views.Tab
	views.ListScreen[*pendingRow, *pendingText]
	batches  []*pendingBatch
	picture  contextPicture
	text     batchText
	loaded   bool
	toggled  map[string]bool // The rows that the user folded or unfolded, by key.
	filtered bool            // All rows are listed, because a filter is on.
	target   string          // The id of the batch or node to go to once it is read.
}

// pendingBatch is a batch, and what the host would do with it.
type pendingBatch struct {
	*pending.Batch
	verdict pending.Verdict
	nodes   map[string]*pending.Node // By id.
	ready   int                      // How many nodes have a text, or became summaries.
}

var _ ui.Screen = (*Pending)(nil)

// NewPending returns the tab of what the host prepares.
func NewPending(t views.Tab) ui.Screen {
	v := &Pending{Tab: t, toggled: map[string]bool{}}
	v.text.env = v.Env()
	list := ui.NewList(v.Env().Styles, (*pendingRow).id, v.render, (*pendingRow).text)
	list.Empty = "reading what the host prepares"
	v.ListScreen = views.NewListScreen(v, v.Env(), 0.56, list, (*pendingRow).ref, v.describe)
	v.Tabs, v.HeaderLines, v.ReadDetailOf, v.AfterUpdate = &v.Tab, v.header, v.readText, v.followFilter
	return v
}

// Purpose implements ui.Screen.
func (v *Pending) Purpose() string {
	return "Which summaries the host prepares in the background, how far it is, and whether it would publish them into the context now. They are the host's: nothing of them is written from here."
}

// pendingClip is how many bytes of a node's text are read for its row.
const pendingClip = 160

type pendingMsg struct {
	batches []*pendingBatch
	picture contextPicture
}

// Load implements views.ListOwner.
func (v *Pending) Load() tea.Cmd {
	env, db, conv := v.Env(), v.Env().DB, v.Hub.Row.ID
	return tea.Batch(v.Label(v), env.Jobs.Read(v, "load", views.Read(func(ctx context.Context) (m pendingMsg, err error) {
		batches, err := pending.Read(ctx, db, conv, pendingClip)
		if err != nil {
			return m, err
		}
		for _, b := range batches {
			m.batches = append(m.batches, judge(env, b))
		}
		m.picture, err = readPicture(ctx, env, conv, m.batches)
		return m, err
	})))
}

// judge finds what the host would do with a batch. It reads no file.
func judge(e *views.Env, b *pending.Batch) *pendingBatch {
	out := &pendingBatch{Batch: b, verdict: b.Judge(judgement(e)), nodes: map[string]*pending.Node{}}
	for _, n := range b.Nodes {
		out.nodes[n.ID] = n
		if isPrepared(n) {
			out.ready++
		}
	}
	return out
}

// judgement returns what the judgement of batches depends on.
func judgement(e *views.Env) pending.Options {
	set, _ := e.KnownSettings() // Unknown ones are assumed.
	return pending.Options{Now: e.Now(), TailStart: e.FreshTail().Start, TailAssumed: set.AssumesFreshTail()}
}

// Receive implements views.ListOwner.
func (v *Pending) Receive(msg tea.Msg) tea.Cmd {
	m, ok := msg.(pendingMsg)
	if !ok {
		return nil
	}
	v.batches, v.picture, v.loaded = m.batches, m.picture, true
	v.List.Empty = "the host prepares nothing for this conversation: it does so after a turn, once enough messages are older than the fresh tail"
	if !v.Hub.Row.Active {
		v.List.Empty = "the host prepares nothing for this conversation: it is archived"
	}
	v.buildRows()
	v.goToTarget()
	return nil
}

// show goes to a batch or a node, as soon as it is read.
func (v *Pending) show(id string) {
	v.target = id
	v.goToTarget()
}

func (v *Pending) goToTarget() {
	if v.target == "" || !v.loaded {
		return
	}
	v.List.Escape()
	v.filtered = false
	for _, r := range v.rows(func(*pendingRow) bool { return true }) {
		if r.ref() == v.target {
			for _, above := range r.path {
				v.toggled[above.key] = !above.opensAtFirst()
			}
			v.buildRows()
			v.List.Select(r.key)
			break
		}
	}
	v.target = ""
}

// active returns the batch that the host works on, or nil.
func (v *Pending) active() *pendingBatch { return activeOf(v.batches) }

func activeOf(batches []*pendingBatch) *pendingBatch {
	if i := slices.IndexFunc(batches, func(b *pendingBatch) bool { return b.Active() && !b.Superseded }); i >= 0 {
		return batches[i]
	}
	return nil
}

// header returns the state of the newest batch in words, and the picture of the context.
func (v *Pending) header(width, height int) []string {
	if !v.loaded || v.TextIsPage() {
		return nil
	}
	room := 1
	if height >= pictureFrom-4 {
		room = views.StateLines
	}
	var lines []string
	for _, l := range views.WrapAtMost(v.stateLine(), width-1, room) {
		lines = append(lines, " "+l)
	}
	if height >= pictureFrom-4 {
		lines = append(lines, v.picture.view(v.Env().Styles, width)...)
	}
	return lines
}

// stateLine says in one line what the host has prepared.
func (v *Pending) stateLine() string {
	s := v.Env().Styles
	b := v.active()
	if b == nil {
		text := "the host prepares nothing now"
		if n := len(v.batches); n > 0 {
			text += "; " + plural.Count(n, "batch is", "batches are") + " finished"
		}
		return s.Muted.Render(text)
	}
	text := verdictText(s, b)
	if why := reasonText(v.Env(), b); why != "" {
		text += s.Muted.Render(": " + why)
	}
	return text
}

// readyText returns how many of a batch's nodes are ready.
func (b *pendingBatch) readyText() string {
	all := plural.Count(len(b.Nodes), "node", "nodes")
	switch {
	case len(b.Nodes) == 0:
		return "no nodes"
	case b.Active():
		return ui.Num(int64(b.ready)) + " of " + all + " ready"
	case b.Status == lcm.BatchPublished:
		return all
	}
	return all + ", " + plural.Count(b.ready, "text", "texts")
}

// isPrepared reports whether a node has a text, or became a summary.
func isPrepared(n *pending.Node) bool {
	return n.Status == lcm.NodeReady || n.Status == lcm.NodePromoted || n.HasText()
}

// contextStates returns what the places of a context are that belongs to no batch. tail is where its fresh tail begins.
func contextStates(items []lcm.ContextItem, tail int) (out []pending.Stretch) {
	for i := range items {
		s := pending.Stretch{First: items[i].Ordinal, Last: items[i].Ordinal, State: pending.StretchRaw, Items: 1, Tokens: items[i].Tokens}
		switch {
		case items[i].IsSummary():
			s.State = pending.StretchPublished
		case i >= tail:
			s.State = pending.StretchFreshTail
		}
		out = append(out, s)
	}
	return out
}

// GoTo puts the cursor on a batch or a node.
func (v *Pending) GoTo(to views.Target) tea.Cmd {
	v.show(to.ID)
	return nil
}
