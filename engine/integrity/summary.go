package integrity

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/thinking"
	"lcm-tui/internal/plural"
)

// summaryReader reads the summaries of a conversation, and checks each by itself.
type summaryReader struct {
	found    *findings
	file     *fileScan
	rows     *scan.Conversation
	mentions *scan.FileMentions

	equalTexts   [][2]string
	unknownModel []string
}

// readSummaries reads the conversation's summaries, and checks what needs one summary
// alone.
func (r *summaryReader) readSummaries(ctx context.Context) error {
	texts := map[uint64]string{}
	return lcm.EachRawSummary(ctx, r.file.db, r.rows.Row.ID, func(raw *lcm.RawSummary) error {
		n := &scan.Summary{RawSummary: *raw}
		n.Content = data.Stored{}
		r.rows.Nodes[raw.ID] = n
		r.rows.Summaries = append(r.rows.Summaries, n)
		checkText(r.found, summaryAt(raw.ID), "content", raw.Content)
		checkTime(r.found, r.file.now, summaryAt(raw.ID), raw.CreatedAt)
		r.checkSummaryText(n, raw)
		r.checkSummaryFiles(raw)
		r.checkSummaryIndexes(raw)
		r.mentions.Note(raw.Content.Text)
		r.mentions.Note(raw.FileIDs.Text)
		if k := scan.Hash(raw.Content.Text); utf8.RuneCountInString(raw.Content.Text) > 40 {
			if kept, again := texts[k]; again {
				r.equalTexts = append(r.equalTexts, [2]string{kept, raw.ID})
			} else {
				texts[k] = raw.ID
			}
		}
		return nil
	})
}

// checkSummaryText checks the text of a summary, its size and its id.
func (r *summaryReader) checkSummaryText(n *scan.Summary, raw *lcm.RawSummary) {
	content := raw.Content.Text
	where := summaryAt(raw.ID)
	marker := summarize.Detect(content, raw.Model)
	trimmed := jstext.Trim(content)
	switch {
	case trimmed == "", trimmed == "[Truncated from 0 tokens]":
		n.HasNoModelText = true
		r.found.add(SummaryEmpty, where, "its text is empty")
	case marker != summarize.None:
		n.HasNoModelText = true
		r.found.add(SummaryFallback, where, markerWords[marker])
	}
	if last := trimmed[strings.LastIndexByte(trimmed, '\n')+1:]; strings.Contains(last, "[Capped") && strings.HasSuffix(last, "]") {
		r.found.add(SummaryCapped, where, clip(last[strings.LastIndex(last, "[Capped"):]))
	}
	r.checkReasoning(where, content)
	r.checkSummarySize(n, raw)
	if raw.Model == "unknown" {
		r.unknownModel = append(r.unknownModel, raw.ID)
	}
	if !strings.HasPrefix(raw.ID, "sum_") {
		r.found.add(SummaryIDUnusual, where, "the id "+clip(raw.ID)+" doesn't begin with sum_")
	}
}

// markerWords are the markers of a fallback in words.
var markerWords = map[summarize.Marker]string{
	summarize.Old:       "the host's own fallback, marked at the start",
	summarize.Fallback:  "the host's own fallback, marked at the end",
	summarize.Truncated: "its source was cut off instead, marked at the end",
	summarize.Emergency: "made in an emergency, without a model",
}

// checkReasoning finds a model's reasoning in a summary.
func (r *summaryReader) checkReasoning(where location, content string) {
	start := strings.TrimLeft(content, jstext.Space)
	for _, tag := range thinking.Openings {
		if strings.HasPrefix(start, tag) {
			r.found.add(SummaryHoldsThinking, where, "begins with "+tag+">")
			return
		}
	}
	for _, tag := range thinking.Closings {
		if closesTag(content, tag) {
			r.found.add(SummaryHoldsThinking, where, "holds "+tag)
			return
		}
	}
}

// closesTag reports whether a closing tag ends something in a text. A tag directly after a
// word in the middle of a line is a quote.
func closesTag(text, tag string) bool {
	for {
		before, after, found := strings.Cut(text, tag)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		quoted := (unicode.IsLetter(last) || unicode.IsDigit(last)) && after != "" && after[0] != '\n' && after[0] != '\r'
		if before == "" || !quoted {
			return true
		}
		text = after
	}
}

// checkSummarySize checks a summary's token count and its size. Where the two estimators
// differ, any count between them is right.
func (r *summaryReader) checkSummarySize(n *scan.Summary, raw *lcm.RawSummary) {
	now, before := scan.EstimateTokens(raw.Content.Text), scan.EstimateTokensBefore08(raw.Content.Text)
	lo, hi := min(now, before), max(now, before)
	where := summaryAt(raw.ID)
	switch {
	case !raw.Tokens.Valid:
		r.found.add(SummaryTokensWrong, where, "token_count is "+clip(raw.Tokens.Raw))
	case raw.Tokens.Value <= 0 && hi > 0, raw.Tokens.Value > 2*hi+8, raw.Tokens.Value*2 < lo-8:
		r.found.add(SummaryTokensWrong, where, fmt.Sprintf("counted %d tokens, the text has %d", raw.Tokens.Value, now))
	}
	most := r.file.Limits.LeafTokens
	if raw.Condensed() {
		most = r.file.Limits.CondensedTokens
	}
	if raw.Tokens.Value > most {
		r.found.add(SummaryOversized, where, fmt.Sprintf("%d tokens, over %d", raw.Tokens.Value, most))
	}
	if !raw.Condensed() && raw.SourceTokens > 0 && raw.Tokens.Value >= raw.SourceTokens && !n.HasNoModelText {
		r.found.add(SummaryLargerThanSource, where, fmt.Sprintf("%d tokens of a source of %d", raw.Tokens.Value, raw.SourceTokens))
	}
}

// checkSummaryFiles looks up the rows of the files that a summary names.
func (r *summaryReader) checkSummaryFiles(raw *lcm.RawSummary) {
	if raw.FileIDs.Null {
		return
	}
	var ids []any
	if !json.Valid([]byte(raw.FileIDs.Text)) {
		r.found.add(ContentMalformed, summaryAt(raw.ID), "file_ids isn't JSON: "+clip(raw.FileIDs.Text))
		return
	}
	if json.Unmarshal([]byte(raw.FileIDs.Text), &ids) != nil {
		return
	}
	for _, v := range ids {
		if id := fmt.Sprint(v); !r.file.hasFileRow(id) {
			r.found.add(SummaryFileRowMissing, summaryAt(raw.ID), "names "+clip(id)+", of which there is no row", raw.ID, id)
		}
	}
}

// summaryCheck checks the summaries of a conversation.
type summaryCheck struct {
	found        *findings
	file         *fileScan
	rows         *scan.Conversation
	equalTexts   [][2]string
	unknownModel []string // Summaries of which the model is unknown.
}

// checkSummaries checks the summaries as a whole.
func (c *summaryCheck) checkSummaries() {
	for _, pair := range c.equalTexts {
		c.found.add(SummaryDuplicate, summaryAt(pair[1]), "has the same text as "+pair[0], pair[0], pair[1])
	}
	if len(c.unknownModel) > 0 {
		c.found.add(SummaryModelUnknown, summaryAt(c.unknownModel[0]), plural.Count(len(c.unknownModel), "summary", "summaries"), c.unknownModel...)
	}
	c.checkLeafTimes()
	for _, n := range c.rows.Summaries {
		if n.IsCondensed() {
			c.checkCondensedTimes(n)
			c.checkCounters(n)
		} else {
			c.checkSourceTokens(n)
		}
	}
	c.checkUnreferencedSummaries()
	c.checkForgottenSources()
}

// checkCounters compares the counters of a condensed summary with the sums of its sources.
func (c *summaryCheck) checkCounters(n *scan.Summary) {
	if !c.file.db.Schema().Has("summaries", "descendant_token_count", "source_message_token_count") {
		return
	}
	var count, tokens, source int64
	for _, id := range n.Sources {
		if child := c.rows.Nodes[id]; child != nil && child != n {
			count += child.Descendants + 1
			tokens += child.Tokens.Value + child.DescendantTokens
			source += child.SourceTokens
		}
	}
	if n.OddCounters {
		c.found.add(DescendantCountersWrong, summaryAt(n.ID), "one of its counters isn't a whole number")
	} else if n.Descendants != count || n.DescendantTokens != tokens || n.SourceTokens != source {
		c.found.add(DescendantCountersWrong, summaryAt(n.ID), fmt.Sprintf("its counters say %d summaries, %d tokens of summaries and %d tokens of messages below it; its sources add up to %d, %d and %d",
			n.Descendants, n.DescendantTokens, n.SourceTokens, count, tokens, source))
	}
}

// checkSourceTokens compares a leaf's source tokens with the sum of its messages. Hosts
// from 0.15.2 on add what they write about senders, and all hosts estimate messages
// without a count, so more is allowed there.
func (c *summaryCheck) checkSourceTokens(n *scan.Summary) {
	if !c.file.db.Schema().Has("summaries", "source_message_token_count") || len(n.Messages) == 0 || n.BrokenLinks > 0 {
		return
	}
	var sum int64
	more := false
	for _, id := range n.Messages {
		m := &c.rows.Messages[c.rows.MessageIndex[id]]
		sum += m.Tokens
		more = more || m.NamesSender || m.Tokens <= 0
	}
	if n.OddCounters {
		c.found.add(SourceTokensWrong, summaryAt(n.ID), "one of its counters isn't a whole number")
	} else if n.SourceTokens != sum && (n.SourceTokens < sum || !more) {
		c.found.add(SourceTokensWrong, summaryAt(n.ID), fmt.Sprintf("counts %d tokens of messages, its messages have %d", n.SourceTokens, sum))
	}
}
