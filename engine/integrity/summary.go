package integrity

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/thinking"
)

// recall reads the conversation's summaries. What concerns one alone is told of at
// once.
func (t *talk) recall(ctx context.Context) error {
	texts := map[uint64]string{}
	return t.db.EachRawSummary(ctx, t.row.ID, func(s *data.RawSummary) error {
		n := &node{RawSummary: *s}
		n.Content = data.Stored{}
		t.nodes[s.ID] = n
		t.order = append(t.order, n)
		t.cell(summary(s.ID), "content", s.Content)
		t.timed(summary(s.ID), s.CreatedAt)
		t.text(n, s)
		t.named(s)
		t.searched(s)
		t.mention(s.Content.Text)
		t.mention(s.FileIDs.Text)
		if k := hash(s.Content.Text); utf8.RuneCountInString(s.Content.Text) > 40 {
			if kept, again := texts[k]; again {
				t.equal = append(t.equal, [2]string{kept, s.ID})
			} else {
				texts[k] = s.ID
			}
		}
		return nil
	})
}

// text: what a summary says, and how much of it there is.
func (t *talk) text(n *node, s *data.RawSummary) {
	content := s.Content.Text
	where := summary(s.ID)
	marker := summarize.Detect(content, s.Model)
	trimmed := strings.Trim(content, jsSpace)
	switch {
	case trimmed == "", trimmed == "[Truncated from 0 tokens]":
		n.broken = true
		t.add(SummaryEmpty, where, "there is nothing in it")
	case marker != summarize.None:
		n.broken = true
		t.add(SummaryFallback, where, markerWords[marker])
	}
	if last := trimmed[strings.LastIndexByte(trimmed, '\n')+1:]; strings.Contains(last, "[Capped") && strings.HasSuffix(last, "]") {
		t.add(SummaryCapped, where, clipped(last[strings.LastIndex(last, "[Capped"):]))
	}
	t.thinking(where, content)
	t.sized(n, s)
	if s.Model == "unknown" {
		t.unknown = append(t.unknown, s.ID)
	}
	if !strings.HasPrefix(s.ID, "sum_") {
		t.add(SummaryIDUnusual, where, "unusual id "+clipped(s.ID))
	}
}

// markerWords say what a marker tells.
var markerWords = map[summarize.Marker]string{
	summarize.Old:       "the host's own fallback, marked at the start",
	summarize.Fallback:  "the host's own fallback, marked at the end",
	summarize.Truncated: "its source was cut off instead, marked at the end",
	summarize.Emergency: "made in an emergency, without a model",
}

// thinking: a model's reasoning.
func (t *talk) thinking(where at, content string) {
	start := strings.TrimLeft(content, jsSpace)
	for _, tag := range thinking.Openings {
		if strings.HasPrefix(start, tag) {
			t.add(SummaryHoldsThinking, where, "begins with "+tag+">")
			return
		}
	}
	for _, tag := range thinking.Closings {
		if closes(content, tag) {
			t.add(SummaryHoldsThinking, where, "holds "+tag)
			return
		}
	}
}

// closes reports whether a closing tag ends something in a text. One that hangs on a word in
// the middle of a line is quoted from what was said.
func closes(text, tag string) bool {
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

// sized: how much of it there is. Either estimator's count is right, and where they
// differ anything between them.
func (t *talk) sized(n *node, s *data.RawSummary) {
	now, before := weigh(s.Content.Text), weighBefore(s.Content.Text)
	lo, hi := min(now, before), max(now, before)
	where := summary(s.ID)
	switch {
	case !s.Tokens.Valid:
		t.add(SummaryTokensWrong, where, "token_count is "+clipped(s.Tokens.Raw))
	case s.Tokens.Value <= 0 && hi > 0, s.Tokens.Value > 2*hi+8, s.Tokens.Value*2 < lo-8:
		t.add(SummaryTokensWrong, where, fmt.Sprintf("counted %d tokens, the text has %d", s.Tokens.Value, now))
	}
	most := t.Limits.LeafTokens
	if s.Condensed() {
		most = t.Limits.CondensedTokens
	}
	if s.Tokens.Value > most {
		t.add(SummaryOversized, where, fmt.Sprintf("%d tokens, over %d", s.Tokens.Value, most))
	}
	if !s.Condensed() && s.SourceTokens > 0 && s.Tokens.Value >= s.SourceTokens && !n.broken {
		t.add(SummaryLargerThanSource, where, fmt.Sprintf("%d tokens of a source of %d", s.Tokens.Value, s.SourceTokens))
	}
}

// named: which files it names.
func (t *talk) named(s *data.RawSummary) {
	if s.FileIDs.Null {
		return
	}
	var ids []any
	if !json.Valid([]byte(s.FileIDs.Text)) {
		t.add(ContentMalformed, summary(s.ID), "file_ids isn't JSON: "+clipped(s.FileIDs.Text))
		return
	}
	if json.Unmarshal([]byte(s.FileIDs.Text), &ids) != nil {
		return
	}
	for _, v := range ids {
		if id := fmt.Sprint(v); !t.knows(id) {
			t.add(SummaryFileRowMissing, summary(s.ID), "names "+clipped(id)+", of which there is no row", s.ID, id)
		}
	}
}

// recalled looks at the summaries as a whole.
func (t *talk) recalled() {
	for _, pair := range t.equal {
		t.add(SummaryDuplicate, summary(pair[1]), "says the same as "+pair[0], pair[0], pair[1])
	}
	if len(t.unknown) > 0 {
		t.add(SummaryModelUnknown, summary(t.unknown[0]), count(len(t.unknown), "summary", "summaries"), t.unknown...)
	}
	t.leafTimes()
	for _, n := range t.order {
		if n.condensed() {
			t.condensedTimes(n)
			t.counters(n)
		} else {
			t.sourceTokens(n)
		}
	}
	t.orphans()
}
