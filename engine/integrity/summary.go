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
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/thinking"
	"lcm-tui/internal/plural"
)

// readSummaries reads the conversation's summaries, and checks what needs one summary
// alone.
func (s *conversationScan) readSummaries(ctx context.Context) error {
	texts := map[uint64]string{}
	return lcm.EachRawSummary(ctx, s.db, s.row.ID, func(raw *lcm.RawSummary) error {
		n := &node{RawSummary: *raw}
		n.Content = data.Stored{}
		s.nodes[raw.ID] = n
		s.summaries = append(s.summaries, n)
		s.checkText(summaryAt(raw.ID), "content", raw.Content)
		s.checkTime(summaryAt(raw.ID), raw.CreatedAt)
		s.checkSummaryText(n, raw)
		s.checkSummaryFiles(raw)
		s.checkSummaryIndexes(raw)
		s.noteMentions(raw.Content.Text)
		s.noteMentions(raw.FileIDs.Text)
		if k := hash(raw.Content.Text); utf8.RuneCountInString(raw.Content.Text) > 40 {
			if kept, again := texts[k]; again {
				s.equalTexts = append(s.equalTexts, [2]string{kept, raw.ID})
			} else {
				texts[k] = raw.ID
			}
		}
		return nil
	})
}

// checkSummaryText checks the text of a summary, its size and its id.
func (s *conversationScan) checkSummaryText(n *node, raw *lcm.RawSummary) {
	content := raw.Content.Text
	where := summaryAt(raw.ID)
	marker := summarize.Detect(content, raw.Model)
	trimmed := jstext.Trim(content)
	switch {
	case trimmed == "", trimmed == "[Truncated from 0 tokens]":
		n.hasNoModelText = true
		s.add(SummaryEmpty, where, "its text is empty")
	case marker != summarize.None:
		n.hasNoModelText = true
		s.add(SummaryFallback, where, markerWords[marker])
	}
	if last := trimmed[strings.LastIndexByte(trimmed, '\n')+1:]; strings.Contains(last, "[Capped") && strings.HasSuffix(last, "]") {
		s.add(SummaryCapped, where, clip(last[strings.LastIndex(last, "[Capped"):]))
	}
	s.checkReasoning(where, content)
	s.checkSummarySize(n, raw)
	if raw.Model == "unknown" {
		s.unknownModel = append(s.unknownModel, raw.ID)
	}
	if !strings.HasPrefix(raw.ID, "sum_") {
		s.add(SummaryIDUnusual, where, "the id "+clip(raw.ID)+" doesn't begin with sum_")
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
func (s *conversationScan) checkReasoning(where location, content string) {
	start := strings.TrimLeft(content, jstext.Space)
	for _, tag := range thinking.Openings {
		if strings.HasPrefix(start, tag) {
			s.add(SummaryHoldsThinking, where, "begins with "+tag+">")
			return
		}
	}
	for _, tag := range thinking.Closings {
		if closesTag(content, tag) {
			s.add(SummaryHoldsThinking, where, "holds "+tag)
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
func (s *conversationScan) checkSummarySize(n *node, raw *lcm.RawSummary) {
	now, before := estimateTokens(raw.Content.Text), estimateTokensBefore08(raw.Content.Text)
	lo, hi := min(now, before), max(now, before)
	where := summaryAt(raw.ID)
	switch {
	case !raw.Tokens.Valid:
		s.add(SummaryTokensWrong, where, "token_count is "+clip(raw.Tokens.Raw))
	case raw.Tokens.Value <= 0 && hi > 0, raw.Tokens.Value > 2*hi+8, raw.Tokens.Value*2 < lo-8:
		s.add(SummaryTokensWrong, where, fmt.Sprintf("counted %d tokens, the text has %d", raw.Tokens.Value, now))
	}
	most := s.Limits.LeafTokens
	if raw.Condensed() {
		most = s.Limits.CondensedTokens
	}
	if raw.Tokens.Value > most {
		s.add(SummaryOversized, where, fmt.Sprintf("%d tokens, over %d", raw.Tokens.Value, most))
	}
	if !raw.Condensed() && raw.SourceTokens > 0 && raw.Tokens.Value >= raw.SourceTokens && !n.hasNoModelText {
		s.add(SummaryLargerThanSource, where, fmt.Sprintf("%d tokens of a source of %d", raw.Tokens.Value, raw.SourceTokens))
	}
}

// checkSummaryFiles looks up the rows of the files that a summary names.
func (s *conversationScan) checkSummaryFiles(raw *lcm.RawSummary) {
	if raw.FileIDs.Null {
		return
	}
	var ids []any
	if !json.Valid([]byte(raw.FileIDs.Text)) {
		s.add(ContentMalformed, summaryAt(raw.ID), "file_ids isn't JSON: "+clip(raw.FileIDs.Text))
		return
	}
	if json.Unmarshal([]byte(raw.FileIDs.Text), &ids) != nil {
		return
	}
	for _, v := range ids {
		if id := fmt.Sprint(v); !s.hasFileRow(id) {
			s.add(SummaryFileRowMissing, summaryAt(raw.ID), "names "+clip(id)+", of which there is no row", raw.ID, id)
		}
	}
}

// checkSummaries checks the summaries as a whole.
func (s *conversationScan) checkSummaries() {
	for _, pair := range s.equalTexts {
		s.add(SummaryDuplicate, summaryAt(pair[1]), "has the same text as "+pair[0], pair[0], pair[1])
	}
	if len(s.unknownModel) > 0 {
		s.add(SummaryModelUnknown, summaryAt(s.unknownModel[0]), plural.Count(len(s.unknownModel), "summary", "summaries"), s.unknownModel...)
	}
	s.checkLeafTimes()
	for _, n := range s.summaries {
		if n.condensed() {
			s.checkCondensedTimes(n)
			s.checkCounters(n)
		} else {
			s.checkSourceTokens(n)
		}
	}
	s.checkUnreferencedSummaries()
	s.checkForgottenSources()
}
