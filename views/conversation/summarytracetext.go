package conversation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/provenance"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// sentenceSources are the messages from which a sentence came.
type sentenceSources struct{ messages map[int64]lcm.Message }

// readSources reads the sources of a sentence.
func (v *SummaryTrace) readSources(r *provenance.SentenceTrace) views.DetailReader[*sentenceSources] {
	if len(r.Sources) == 0 {
		return nil
	}
	db, ids := v.env.DB, make([]int64, 0, len(r.Sources))
	for _, s := range r.Sources {
		ids = append(ids, s.Message)
	}
	return func(ctx context.Context) (*sentenceSources, error) {
		all, err := lcm.WholeMessages(ctx, db, ids)
		out := &sentenceSources{messages: map[int64]lcm.Message{}}
		for _, m := range all {
			out.messages[m.ID] = m
		}
		return out, err
	}
}

// describe returns a sentence, its alarm, and its sources with what they have of it marked.
func (v *SummaryTrace) describe(r *provenance.SentenceTrace, p *sentenceSources, _ int) string {
	s := v.env.Styles
	lines := []string{ui.Sanitize(r.Text), "", confidenceStyle(s, r.Confidence).Render(string(r.Confidence)) + s.Muted.Render(" · "+v.meaning(r))}
	if len(r.Unsupported) > 0 {
		words := make([]string, len(r.Unsupported))
		for i, w := range r.Unsupported {
			words[i] = "“" + ui.LineN(w, 80) + "”"
		}
		lines = append(lines, s.Bad.Render("! "+strings.Join(words, ", ")+plural.Noun(len(words), " is in no source message", " are in no source message")))
	}
	for _, source := range r.Sources {
		lines = append(lines, "", v.sourceHead(source, p))
		if p == nil {
			continue
		}
		if m, ok := p.messages[source.Message]; ok {
			lines = append(lines, v.marked(provenance.SourceText(m), source.Spans))
		}
	}
	return strings.Join(lines, "\n")
}

// meaning says what a confidence means for a sentence.
func (v *SummaryTrace) meaning(r *provenance.SentenceTrace) string {
	switch r.Confidence {
	case provenance.Copied:
		return "a message has it nearly word by word"
	case provenance.Strong:
		return plural.Noun(len(r.Sources), "a message has", "these messages have") + " most of it"
	case provenance.Weak:
		return plural.Noun(len(r.Sources), "a message has", "these messages have") + " some of it"
	}
	if v.found.SourcesGone() {
		return "the messages are gone that the summary was made of"
	}
	return "no message shares enough words with it: it is made up, or says the same in other words"
}

// sourceHead returns the line above the text of a source.
func (v *SummaryTrace) sourceHead(source provenance.Source, p *sentenceSources) string {
	s := v.env.Styles
	head := s.Accent.Render("msg " + views.Itoa(source.Message))
	if p != nil {
		if m, ok := p.messages[source.Message]; ok {
			head += " " + s.Role(m.Role).Render(ui.LineN(m.Role, 10)) + s.Muted.Render(" · seq "+ui.Num(m.Seq)+" · "+v.env.Stamp(m.CreatedAt))
		} else {
			head += " " + s.Bad.Render("! its row is gone")
		}
	}
	return head + s.Muted.Render(fmt.Sprintf(" · %.2f", source.Score))
}

// How much of a source is shown, in bytes.
const (
	wholeSource = 4 << 10 // A text up to this is shown whole.
	aroundSpan  = 600     // Of a longer one, what stands before and after the best span.
)

// marked returns a text with its spans marked: all of it, or what is around the best one.
func (v *SummaryTrace) marked(text string, spans []provenance.Span) string {
	s, from, to := v.env.Styles, 0, len(text)
	if len(text) > wholeSource && len(spans) > 0 {
		from, to = max(0, spans[0].Start-aroundSpan), min(len(text), max(spans[0].End, spans[0].Start+1)+aroundSpan)
	} else if len(text) > wholeSource {
		to = wholeSource
	}
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b provenance.Span) int { return a.Start - b.Start })
	var b strings.Builder
	plain := func(until int) {
		b.WriteString(ui.Sanitize(strings.ToValidUTF8(text[from:until], "")))
		from = until
	}
	if from > 0 {
		b.WriteString(s.Faint.Render("… "))
	}
	for _, span := range spans {
		if span.Start < from || span.End > to {
			continue
		}
		plain(span.Start)
		for i, line := range strings.Split(ui.Sanitize(text[span.Start:span.End]), "\n") {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(s.Match.Render(line))
		}
		from = span.End
	}
	plain(to)
	if to < len(text) {
		b.WriteString(s.Faint.Render(" …"))
	}
	return b.String()
}
