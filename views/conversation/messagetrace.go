package conversation

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/provenance"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// MessageTrace is where a message went: a ladder from the message through the summaries that
// were made of it into the context.
type MessageTrace struct {
	views.ListScreen[*traceStep, *fullText]
	env    *views.Env
	conv   lcm.Conversation
	budget int64
	id     int64 // Of the message.
	found  *provenance.MessageTrace
}

// traceStep is a row of the ladder: the message, a summary, or a node that a host prepares.
type traceStep struct {
	provenance.Step
	message bool
	pending *lcm.PendingNode
}

var _ ui.Screen = (*MessageTrace)(nil)

var keyTraceMessage = ui.Act("w", "w", "where it went")

// traceMessage opens the screen of where a message went, as a model of a budget sees it.
func traceMessage(e *views.Env, conv lcm.Conversation, budget, id int64) tea.Cmd {
	return ui.Say(ui.PushMsg{Screen: NewMessageTrace(e, conv, budget, id)})
}

// NewMessageTrace returns the screen of where a message of a conversation went.
func NewMessageTrace(env *views.Env, conv lcm.Conversation, budget, id int64) *MessageTrace {
	v := &MessageTrace{env: env, conv: conv, budget: budget, id: id}
	text := func(r *traceStep) string { return r.ID }
	list := ui.NewList(env.Styles, stepKey, v.row, text)
	v.ListScreen = views.NewListScreen(v, env, 0.6, list, stepKey, v.describe)
	v.HeaderLines, v.ReadDetailOf = v.reason, v.fullTextOf
	return v
}

// stepKey identifies a row: a summary may stand below several others.
func stepKey(r *traceStep) string {
	if r.Repeated || r.Cycle {
		return r.Branch + r.ID
	}
	return r.ID
}

// Title implements ui.Screen.
func (v *MessageTrace) Title() string {
	return "where message " + views.Itoa(v.id) + " went"
}

// Purpose implements ui.Screen.
func (v *MessageTrace) Purpose() string {
	return "The summaries that were made of a message, one made of the other, and where it or they stand in the context; or why a model doesn't see it."
}

// Copy implements ui.Copier.
func (v *MessageTrace) Copy() string {
	if r, ok := v.List.Selected(); ok && !r.message {
		return r.ID
	}
	return "msg:" + views.Itoa(v.id)
}

var (
	keyTraceOpen    = ui.Act("enter", "⏎", "go to it")
	keyTraceSummary = ui.Act("s", "s", "the summary in its tree")
)

// OwnActions implements views.ListOwner.
func (v *MessageTrace) OwnActions() []views.Action {
	r, some := v.List.Selected()
	if !some {
		r = &traceStep{}
	}
	open, reason := v.openAction(r)
	exists := r.Summary != nil
	return []views.Action{
		{Action: open.In("Look").InFooter().Off(some && reason == "", views.FirstNonEmpty(reason, "nothing is traced yet")), Run: func() tea.Cmd { return v.open(r) }},
		{Action: keyTraceSummary.In("Look").InFooter().Off(exists, "this is no summary of the file"), Run: func() tea.Cmd { return v.visit(r.Summary.Conversation, views.TabSummaries, r.ID) }},
		{Action: keyTraceSummaryText.In("Look").InFooter().Off(exists, "this is no summary of the file"), Run: func() tea.Cmd { return traceSummary(v.env, v.conv, v.budget, r.ID) }},
	}
}

// openAction returns enter with where it leads from a row, and why it is off.
func (v *MessageTrace) openAction(r *traceStep) (open ui.Action, reason string) {
	switch {
	case len(r.Places) > 0:
		return ui.Act("enter", "⏎", "its place in the context"), ""
	case r.message:
		return ui.Act("enter", "⏎", "the message"), ""
	case r.pending != nil:
		return ui.Act("enter", "⏎", "the pending summaries"), ""
	case r.Summary == nil:
		return keyTraceOpen, "the file doesn't have it"
	}
	return ui.Act("enter", "⏎", "the summary in its tree"), ""
}

func (v *MessageTrace) open(r *traceStep) tea.Cmd {
	switch {
	case len(r.Places) > 0:
		return v.visit(r.Places[0].Conversation, views.TabContext, views.Itoa(r.Places[0].Ordinal))
	case r.message:
		return v.visit(v.conv.ID, views.TabMessages, views.Itoa(v.id))
	case r.pending != nil:
		return v.visit(v.conv.ID, views.TabPending, r.ID)
	}
	return v.visit(r.Summary.Conversation, views.TabSummaries, r.ID)
}

// visit opens a row of a tab over this screen.
func (v *MessageTrace) visit(conv int64, tab int, row string) tea.Cmd {
	return v.env.Visit(v, conv, views.Target{Tab: tab, ID: row})
}

type messageTraceMsg struct{ *provenance.MessageTrace }

// Load implements views.ListOwner.
func (v *MessageTrace) Load() tea.Cmd {
	env, id, o := v.env, v.id, provenance.Options{Budget: v.budget}
	return env.Jobs.Start(v, "load", views.Read(func(ctx context.Context) (messageTraceMsg, error) {
		o.Tail = new(env.FreshTail())
		t, err := provenance.TraceMessage(ctx, env.DB, id, o)
		return messageTraceMsg{t}, err
	}))
}

// Receive implements views.ListOwner.
func (v *MessageTrace) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case messageTraceMsg:
		v.found = m.MessageTrace
		v.List.SetItems(v.rows())
	case views.TargetMsg:
		return v.env.Arrive(m)
	}
	return nil
}

// rows returns the message, the summaries above it, and what a host prepares of it.
func (v *MessageTrace) rows() []*traceStep {
	first := &traceStep{message: true}
	first.ID, first.Places = "msg:"+views.Itoa(v.id), v.found.PlacesOf("")
	out := []*traceStep{first}
	for _, s := range v.found.Steps() {
		out = append(out, &traceStep{Step: s})
	}
	for i := range v.found.Pending {
		r := &traceStep{pending: &v.found.Pending[i]}
		r.ID, r.Branch = r.pending.ID, "┈┈ "
		out = append(out, r)
	}
	return out
}

// reason returns the answer in a sentence, above the ladder.
func (v *MessageTrace) reason(width, _ int) (lines []string) {
	if v.found == nil {
		return nil
	}
	s, r := v.env.Styles, v.found.Reason
	style, sign := s.Good, "● "
	switch {
	case r.IsFault():
		style, sign = s.Bad, "! "
	case r.Kind != provenance.InContext && r.Kind != provenance.ThroughSummaries:
		style, sign = s.Warn, "~ "
	}
	for i, l := range views.WrapAtMost(r.Text(), width-3, 4) {
		if i > 0 {
			sign = "  "
		}
		lines = append(lines, " "+style.Render(sign+l))
	}
	return append(lines, "")
}

func (v *MessageTrace) row(r *traceStep, width int, _ bool) string {
	s := v.env.Styles
	var fields []string
	switch {
	case r.message:
		m := &v.found.Message
		fields = append(fields, "● "+r.ID+" "+s.Role(m.Role).Render(ui.LineN(m.Role, 10)))
		if m.Forgotten {
			fields = append(fields, s.Warn.Render("forgotten"))
		}
	case r.pending != nil:
		fields = append(fields, s.Faint.Render(r.Branch)+views.ShortID(r.ID, views.IDWidth), s.Muted.Render("being prepared: "+ui.LineN(r.pending.Status, 12)))
	case r.Summary == nil:
		fields = append(fields, s.Faint.Render(r.Branch)+views.ShortID(r.ID, views.IDWidth), s.Bad.Render("! missing"))
	default:
		fields = append(fields, s.Faint.Render(r.Branch)+depthLabel(s, r.Summary.Depth)+" "+views.ShortID(r.ID, views.IDWidth))
	}
	if len(r.Places) > 0 {
		fields = append(fields, s.Good.Render("◀ in context at "+v.places(r.Places)))
	}
	switch {
	case r.Cycle:
		fields = append(fields, s.Bad.Render("! a cycle"))
	case r.Repeated:
		fields = append(fields, s.Muted.Render("as above"))
	case r.Foreign:
		fields = append(fields, s.Bad.Render("! of "+v.env.Label(r.Summary.Conversation)))
	}
	if text := v.previewOf(r); text != "" {
		fields = append(fields, s.Muted.Render(ui.LineN(text, max(1, width))))
	} else if r.message {
		fields = append(fields, s.Faint.Render("(no text)"))
	}
	return ui.Cut(strings.Join(fields, "  "), width)
}

// previewOf returns the start of the text of a row.
func (v *MessageTrace) previewOf(r *traceStep) string {
	switch {
	case r.message:
		return ui.LineN(provenance.SourceText(v.found.Message), 200)
	case r.Summary != nil && !r.Repeated && !r.Cycle:
		return r.Summary.Content
	}
	return ""
}

// places returns ordinals, with the conversation of those in another context.
func (v *MessageTrace) places(all []lcm.ContextPosition) string {
	out := make([]string, len(all))
	for i, p := range all {
		out[i] = views.Itoa(p.Ordinal)
		if p.Conversation != v.conv.ID {
			out[i] += " of " + v.env.Label(p.Conversation)
		}
	}
	return strings.Join(out, ", ")
}

// fullTextOf reads the text of a row.
func (v *MessageTrace) fullTextOf(r *traceStep) views.DetailReader[*fullText] {
	switch {
	case r.message:
		return messageFullText(v.env.DB, v.id)
	case r.Summary != nil:
		return summaryFullText(v.env, r.ID, false, 0)
	}
	return nil
}

func (v *MessageTrace) describe(r *traceStep, p *fullText, width int) string {
	s := v.env.Styles
	lines := []string{s.Title.Render(ui.Line(r.ID))}
	switch {
	case r.message:
		m := &v.found.Message
		lines = append(lines, s.Role(m.Role).Render(ui.Line(m.Role))+s.Muted.Render(" · seq "+ui.Num(m.Seq)+" · "+v.env.Stamp(m.CreatedAt)+" · "+ui.Tokens(m.Tokens)))
	case r.pending != nil:
		lines = append(lines, s.Muted.Render("The host prepares this summary in the background. Until it is published, the context holds what it will replace."))
	case r.Summary == nil:
		lines = append(lines, s.Bad.Render("! missing"), "", "A link says that this summary was made of what stands before it, but the file doesn't have it.")
	default:
		sum := r.Summary
		lines = append(lines, depthLabel(s, sum.Depth)+" "+ui.Line(sum.Kind)+s.Muted.Render(" · "+ui.Tokens(sum.Tokens)+" · "+plural.Count(r.Level, "summary", "summaries")+" between it and the message"))
		if r.Cycle {
			lines = append(lines, s.Bad.Render("! a cycle: it was made of what was made of it; the links between these summaries are damaged"))
		}
	}
	if p != nil {
		lines = append(lines, "", p.layOut(width, s.DarkBackground))
	}
	return strings.Join(lines, "\n")
}
