package conversation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/provenance"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// SummaryTrace is a summary sentence by sentence, beside the messages from which each came.
type SummaryTrace struct {
	views.ListScreen[*provenance.SentenceTrace, *sentenceSources]
	env    *views.Env
	conv   lcm.Conversation
	budget int64
	id     string // Of the summary.
	found  *provenance.SummaryTrace
}

var _ ui.Screen = (*SummaryTrace)(nil)

var keyTraceSummaryText = ui.Act("w", "w", "sentence sources")

// traceSummary opens the screen of where the sentences of a summary came from.
func traceSummary(e *views.Env, conv lcm.Conversation, budget int64, id string) tea.Cmd {
	return ui.Say(ui.PushMsg{Screen: NewSummaryTrace(e, conv, budget, id)})
}

// NewSummaryTrace returns the screen of where the sentences of a summary came from.
func NewSummaryTrace(env *views.Env, conv lcm.Conversation, budget int64, id string) *SummaryTrace {
	v := &SummaryTrace{env: env, conv: conv, budget: budget, id: id}
	text := func(r *provenance.SentenceTrace) string { return string(r.Confidence) + " " + r.Text }
	list := ui.NewList(env.Styles, sentenceKey, v.row, text)
	v.ListScreen = views.NewListScreen(v, env, 0.5, list, sentenceKey, v.describe)
	v.LayoutColumns, v.HeaderLines, v.ReadDetailOf = v.columns, v.counts, v.readSources
	return v
}

// sentenceKey identifies a sentence by its place in the text.
func sentenceKey(r *provenance.SentenceTrace) string { return views.Itoa(int64(r.Start)) }

// Title implements ui.Screen.
func (v *SummaryTrace) Title() string {
	return "sources of " + views.ShortID(v.id, views.IDWidth)
}

// Purpose implements ui.Screen.
func (v *SummaryTrace) Purpose() string {
	return "Each sentence of a summary beside the messages from which it came, and the numbers, paths and ids that no message has. It compares words: the same in other words has no source here."
}

// Copy implements ui.Copier.
func (v *SummaryTrace) Copy() string {
	if r, ok := v.List.Selected(); ok {
		return r.Text
	}
	return v.id
}

var (
	keySource  = ui.Act("enter", "⏎", "the message")
	keySource2 = ui.Act("2", "2", "the second message")
	keySource3 = ui.Act("3", "3", "the third message")
	keyDoubt   = ui.Act("!", "!", "next doubtful sentence")
)

// OwnActions implements views.ListOwner.
func (v *SummaryTrace) OwnActions() []views.Action {
	r, some := v.List.Selected()
	if !some {
		r = &provenance.SentenceTrace{}
	}
	const none = "the sentence has no such source"
	at := func(i int) func() tea.Cmd { return func() tea.Cmd { return v.visit(r, i) } }
	second := keySource2.In("Look").Off(len(r.Sources) > 1, none)
	second.Footer = len(r.Sources) > 1
	return []views.Action{
		{Action: keySource.In("Look").InFooter().Off(len(r.Sources) > 0, "no source was found for this sentence"), Run: at(0)},
		{Action: second, Run: at(1)},
		{Action: keySource3.In("Look").Off(len(r.Sources) > 2, none), Run: at(2)},
		{Action: keyDoubt.In("Look").InFooter().Off(v.doubt() != nil, "every sentence has a source, with all its numbers, paths and ids"), Run: v.nextDoubt},
	}
}

// isDoubtful reports whether a sentence has no source, or words that no source has.
func isDoubtful(r *provenance.SentenceTrace) bool {
	return r.Confidence == provenance.None || len(r.Unsupported) > 0
}

// doubt returns the next doubtful sentence after the cursor, or nil.
func (v *SummaryTrace) doubt() *provenance.SentenceTrace {
	rows, from := v.List.Items(), 0
	if r, ok := v.List.Selected(); ok {
		from = slices.Index(rows, r) + 1
	}
	for i := range rows {
		if r := rows[(from+i)%len(rows)]; isDoubtful(r) {
			return r
		}
	}
	return nil
}

func (v *SummaryTrace) nextDoubt() tea.Cmd {
	if r := v.doubt(); r != nil {
		v.List.Escape()
		v.List.Select(sentenceKey(r))
	}
	return nil
}

// visit opens a source of a sentence among the messages, with the span marked.
func (v *SummaryTrace) visit(r *provenance.SentenceTrace, i int) tea.Cmd {
	source := r.Sources[i]
	needle, conv := "", v.found.Summary.Conversation
	if p := v.Details[sentenceKey(r)].Detail; p != nil {
		if m, ok := p.messages[source.Message]; ok {
			needle, conv = needleOf(provenance.SourceText(m), source.Spans), m.Conversation
		}
	}
	return v.env.Visit(v, conv, views.Target{Tab: views.TabMessages, ID: views.Itoa(source.Message), Needle: needle})
}

// needleOf returns what a search finds of a text's best span: a part of one line.
func needleOf(text string, spans []provenance.Span) string {
	if len(spans) == 0 || spans[0].End > len(text) {
		return ""
	}
	longest := ""
	for line := range strings.Lines(text[spans[0].Start:spans[0].End]) {
		if line = strings.TrimSpace(line); len(line) > len(longest) {
			longest = line
		}
	}
	return longest
}

type summaryTraceMsg struct{ *provenance.SummaryTrace }

// Load implements views.ListOwner.
func (v *SummaryTrace) Load() tea.Cmd {
	db, id := v.env.DB, v.id
	return v.env.Jobs.Start(v, "load", views.Read(func(ctx context.Context) (summaryTraceMsg, error) {
		t, err := provenance.TraceSummary(ctx, db, id, "")
		return summaryTraceMsg{t}, err
	}))
}

// Receive implements views.ListOwner.
func (v *SummaryTrace) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case summaryTraceMsg:
		v.found = m.SummaryTrace
		v.List.Empty = "the summary has no sentences"
		v.List.SetItems(views.PointersTo(m.Sentences))
	case views.TargetMsg:
		return v.env.Arrive(m)
	}
	return nil
}

// counts says how many sentences have which confidence, and whether sources are gone.
func (v *SummaryTrace) counts(width, _ int) (lines []string) {
	if v.found == nil {
		return nil
	}
	s := v.env.Styles
	count, alarms := map[provenance.Confidence]int{}, 0
	for i := range v.found.Sentences {
		r := &v.found.Sentences[i]
		count[r.Confidence]++
		if len(r.Unsupported) > 0 {
			alarms++
		}
	}
	var parts []string
	for _, word := range []provenance.Confidence{provenance.Copied, provenance.Strong, provenance.Weak, provenance.None} {
		if count[word] > 0 {
			parts = append(parts, confidenceStyle(s, word).Render(fmt.Sprintf("%d %s", count[word], word)))
		}
	}
	head := " " + s.Muted.Render(plural.Count(len(v.found.Sentences), "sentence", "sentences")+" from "+plural.Count(v.found.Messages, "message", "messages")+":") + " " + strings.Join(parts, s.Muted.Render(" · "))
	lines = append(lines, ui.Cut(head, width))
	if alarms > 0 {
		lines = append(lines, ui.Cut(" "+s.Bad.Render("! "+plural.Count(alarms, "sentence has a number, path or id", "sentences have numbers, paths or ids")+" that no source has"), width))
	}
	if n := v.found.ForgottenMessages; n > 0 {
		lines = append(lines, ui.Cut(" "+s.Warn.Render("~ "+plural.Count(n, "source message was", "source messages were")+" forgotten: no sentence is traced to them"), width))
	}
	switch gone := v.found.MissingMessages; {
	case v.found.SourcesGone():
		lines = append(lines, ui.Cut(" "+s.Bad.Render("! its sources are gone: no message is left that it was made of"), width))
	case gone > 0 || len(v.found.MissingSummaries) > 0:
		lines = append(lines, ui.Cut(" "+s.Warn.Render("~ some sources are gone: "+plural.Count(gone, "message", "messages")+" and "+plural.Count(len(v.found.MissingSummaries), "summary", "summaries")), width))
	}
	return append(lines, "")
}

// confidenceStyle returns the colour of a confidence, which stands with its word.
func confidenceStyle(s *ui.Styles, word provenance.Confidence) lipgloss.Style {
	switch word {
	case provenance.Copied, provenance.Strong:
		return s.Good
	case provenance.Weak:
		return s.Warn
	}
	return s.Bad
}

func (v *SummaryTrace) columns(width int) views.Columns {
	return views.Lay([]views.Column{{Title: "source", Width: 9}, {Title: "", Width: 1}, {Title: "sentence"}}, width)
}

func (v *SummaryTrace) row(r *provenance.SentenceTrace, width int, _ bool) string {
	s := v.env.Styles
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "source":
			word := r.Confidence
			style := confidenceStyle(s, word)
			if word == provenance.None {
				word = "none"
			}
			return style.Render(string(word))
		case "":
			if len(r.Unsupported) > 0 {
				return s.Bad.Render("!")
			}
			return ""
		}
		return ui.LineN(r.Text, max(1, width))
	})
}
