package read

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/provenance"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// summaryTrace is the result of trace for a summary.
type summaryTrace struct {
	ID              string          `json:"summary_id"`
	Conversation    int64           `json:"conversation_id"`
	Messages        int             `json:"source_messages"`
	MissingMessages int             `json:"missing_messages"`
	Forgotten       int             `json:"forgotten_messages"`
	Missing         []string        `json:"missing_summary_ids"`
	Counts          confidenceCount `json:"counts"`
	Sentences       []sentenceTrace `json:"sentences"`
	cli.WarningList
	from     *provenance.SummaryTrace
	messages map[int64]lcm.Message // The sources, for their texts.
}

// confidenceCount is how many sentences have each confidence, and how many have words that no
// source has.
type confidenceCount struct {
	Copied int `json:"copied"`
	Strong int `json:"strong"`
	Weak   int `json:"weak"`
	None   int `json:"no_source_found"`
	Alarms int `json:"with_unsupported"`
}

// sentenceTrace is a sentence and the messages from which it came.
type sentenceTrace struct {
	Text        string        `json:"text"`
	Confidence  string        `json:"confidence"`
	Sources     []sourceTrace `json:"sources"`
	Unsupported []string      `json:"unsupported"`
}

// sourceTrace is a message from which a sentence came. Spans are bytes of its text and of the
// texts of its parts.
type sourceTrace struct {
	Message int64             `json:"message_id"`
	Score   float64           `json:"score"`
	Spans   []provenance.Span `json:"spans"`
}

func newSummaryTrace(t *provenance.SummaryTrace) *summaryTrace {
	r := &summaryTrace{
		ID: t.Summary.ID, Conversation: t.Summary.Conversation, Messages: t.Messages, MissingMessages: t.MissingMessages, Forgotten: t.ForgottenMessages,
		Missing: append([]string{}, t.MissingSummaries...), Sentences: []sentenceTrace{}, from: t,
	}
	for i := range t.Sentences {
		s := &t.Sentences[i]
		row := sentenceTrace{s.Text, string(s.Confidence), []sourceTrace{}, append([]string{}, s.Unsupported...)}
		for _, m := range s.Sources {
			row.Sources = append(row.Sources, sourceTrace{m.Message, round(m.Score), append([]provenance.Span{}, m.Spans...)})
		}
		r.Sentences = append(r.Sentences, row)
		r.Counts.add(s)
	}
	return r
}

func (c *confidenceCount) add(s *provenance.SentenceTrace) {
	switch s.Confidence {
	case provenance.Copied:
		c.Copied++
	case provenance.Strong:
		c.Strong++
	case provenance.Weak:
		c.Weak++
	default:
		c.None++
	}
	if len(s.Unsupported) > 0 {
		c.Alarms++
	}
}

// round returns a score to three digits.
func round(score float64) float64 { return float64(int(score*1000+0.5)) / 1000 }

// readSources reads the messages from which the sentences came.
func (r *summaryTrace) readSources(ctx context.Context, db *data.DB) error {
	var ids []int64
	for i := range r.Sentences {
		for _, s := range r.Sentences[i].Sources {
			ids = append(ids, s.Message)
		}
	}
	messages, err := lcm.WholeMessages(ctx, db, ids)
	r.messages = make(map[int64]lcm.Message, len(messages))
	for _, m := range messages {
		r.messages[m.ID] = m
	}
	return err
}

func (r *summaryTrace) Print(p *cli.Printer) {
	s := &r.from.Summary
	p.Title(ui.LineN(r.ID, 60))
	p.Muted(fmt.Sprintf("d%d %s of conversation %d, %s, made of %s", s.Depth, ui.LineN(s.Kind, 12), r.Conversation, ui.Tokens(s.Tokens), plural.Count(r.Messages, "message", "messages")))
	if r.from.SourcesGone() {
		p.Write(p.Styles.Bad.Render("its sources are gone: no message is left that it was made of, so no sentence can be traced") + "\n")
	} else if r.MissingMessages > 0 || len(r.Missing) > 0 {
		p.Write(p.Styles.Warn.Render("some sources are gone: "+missingText(r.MissingMessages, len(r.Missing))) + "\n")
	}
	if r.Forgotten > 0 {
		p.Write(p.Styles.Warn.Render(plural.Count(r.Forgotten, "source message was", "source messages were")+" forgotten: no sentence is traced to them") + "\n")
	}
	p.Line(r.head(p))
	for i := range r.Sentences {
		p.Line("")
		r.sentence(p, &r.Sentences[i])
	}
}

// missingText counts sources that don't exist.
func missingText(messages, summaries int) string {
	var all []string
	if messages > 0 {
		all = append(all, plural.Count(messages, "message", "messages"))
	}
	if summaries > 0 {
		all = append(all, plural.Count(summaries, "summary", "summaries"))
	}
	return strings.Join(all, " and ")
}

// head counts the sentences.
func (r *summaryTrace) head(p *cli.Printer) string {
	if len(r.Sentences) == 0 {
		return "it has no sentences"
	}
	out := plural.Count(len(r.Sentences), "sentence", "sentences") + ":"
	for _, c := range []struct {
		number int
		word   provenance.Confidence
	}{
		{r.Counts.Copied, provenance.Copied}, {r.Counts.Strong, provenance.Strong}, {r.Counts.Weak, provenance.Weak}, {r.Counts.None, provenance.None},
	} {
		if c.number > 0 {
			out += "  " + confidenceStyle(p, string(c.word)).Render(fmt.Sprintf("%d %s", c.number, c.word))
		}
	}
	if r.Counts.Alarms > 0 {
		out += "  " + p.Styles.Bad.Render(fmt.Sprintf("! %d with words that no source has", r.Counts.Alarms))
	}
	return out
}

// confidenceStyle returns the colour of a confidence, which stands beside its word.
func confidenceStyle(p *cli.Printer, word string) lipgloss.Style {
	switch provenance.Confidence(word) {
	case provenance.Copied, provenance.Strong:
		return p.Styles.Good
	case provenance.Weak:
		return p.Styles.Warn
	}
	return p.Styles.Bad
}

// sentence writes a sentence, its sources and its alarm.
func (r *summaryTrace) sentence(p *cli.Printer, s *sentenceTrace) {
	margin := strings.Repeat(" ", len(provenance.None)+2)
	p.Write(confidenceStyle(p, s.Confidence).Render(ui.Pad(s.Confidence, len(margin))) + ui.Line(s.Text) + "\n")
	for i, source := range s.Sources {
		sign := "├ "
		if i == len(s.Sources)-1 {
			sign = "└ "
		}
		m, ok := r.messages[source.Message]
		text := "(it can't be read)"
		if ok {
			text = excerptAround(provenance.SourceText(m), source.Spans)
		}
		p.Line(margin + p.Styles.Muted.Render(sign) + p.Styles.Accent.Render("msg:"+strconv.FormatInt(source.Message, 10)) + " " + ui.LineN(m.Role, 12) +
			p.Styles.Muted.Render(fmt.Sprintf("  %.2f  ", source.Score)) + text)
	}
	if len(s.Unsupported) > 0 {
		p.Write(margin + p.Styles.Bad.Render("! "+quoted(s.Unsupported)+plural.Noun(len(s.Unsupported), " is in no source message", " are in no source message")) + "\n")
	}
}

// quoted lists words, each in quotation marks.
func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = "“" + ui.LineN(w, 60) + "”"
	}
	return strings.Join(out, ", ")
}

// excerptAround returns a text in one line, from a little before its first span on.
func excerptAround(text string, spans []provenance.Span) string {
	const before = 24
	if len(spans) == 0 || spans[0].Start <= before || spans[0].Start > len(text) {
		return cli.Preview(text)
	}
	return "…" + cli.Preview(strings.ToValidUTF8(text[spans[0].Start-before:], ""))
}
