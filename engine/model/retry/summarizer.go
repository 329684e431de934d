package retry

import (
	"context"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/thinking"
	"lcm-tui/engine/token"
	"lcm-tui/internal/lazyregexp"
)

// Summarizer makes one call for a summary. The reply may leave out the model and, where it is not
// Priced, the cost. With an error it still has what the call cost.
type Summarizer interface {
	Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error)
}

// summarizer is a model of summaries.
type summarizer struct {
	Options
	one Summarizer
}

// Summaries makes a model of one that makes single calls.
func Summaries(one Summarizer, o Options) summarize.Model { return &summarizer{o, one} }

// Name implements summarize.Model.
func (m *summarizer) Name() string { return m.Options.Name }

// Identity implements summarize.Identified.
func (m *summarizer) Identity() string { return m.Options.Identity() }

// Price implements summarize.Pricer.
func (m *summarizer) Price(in, out int64) (dollars float64, known bool) {
	return m.Options.Price(in, out)
}

// Summarize implements summarize.Model. Where the answer needs more tokens the error wraps
// summarize.ErrIncomplete, and the caller repeats the call.
func (m *summarizer) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	r.MaxTokens = maxTokens(r)
	calls := 0
	got, err := repeat(ctx, m.Options, func() (summarize.Reply, error) {
		calls++
		return m.call(ctx, r)
	}, addCost)
	got.Model = m.Name()
	if calls > 1 {
		got.Calls = calls
	}
	if !got.Priced && got.InputTokens+got.OutputTokens > 0 {
		if cost, known := m.Price(got.InputTokens, got.OutputTokens); known {
			got.Cost, got.Priced = cost, true
		}
	}
	return got, err
}

// maxTokens returns how many tokens the answer may have.
func maxTokens(r summarize.Request) int {
	const least = 256
	return max(r.MaxTokens, r.Target, least)
}

// addCost adds what another call took.
func addCost(sum *summarize.Reply, r summarize.Reply) {
	sum.InputTokens, sum.OutputTokens, sum.Cost = sum.InputTokens+r.InputTokens, sum.OutputTokens+r.OutputTokens, sum.Cost+r.Cost
}

// call makes one call within the time limit, and checks its answer.
func (m *summarizer) call(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	got, err := limit(ctx, m.Options, func(ctx context.Context) (summarize.Reply, error) { return m.one.Summarize(ctx, r) })
	if err == nil {
		got.Text, err = m.accept(m.Key.Scrub(got.Text), r.Source)
	}
	return got, err
}

// accept gives the summary in an answer: without reasoning, not empty, and without a mark. The
// reference engine takes an answer with a mark. Here another is asked for on purpose: this one
// would be taken for a summary that no model made. An answer that isn't smaller than its source is
// no summary, with a mark or without: the caller asks in another way. A NUL, behind which a host on Node 22 reads nothing of
// a stored text, becomes the sign of a broken character.
func (m *summarizer) accept(text, source string) (string, error) {
	text, thought := thinking.TrimAnswer(strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd"))
	switch {
	case text == "" && thought:
		return "", &model.Error{Kind: model.KindEmpty, Provider: m.Provider, Message: "there is only reasoning in it"}
	case text == "":
		return "", &model.Error{Kind: model.KindEmpty, Provider: m.Provider}
	case hasMarker(text) && token.Weighted.Count(text) < token.Weighted.Count(source):
		return "", &model.Error{Kind: model.KindMarked, Provider: m.Provider, Message: "it carries the mark of a summary that no model made"}
	}
	return text, nil
}

var capped = lazyregexp.New(`(?:^|\n)\[Capped(?: from \d+ tokens)?(?: to ~?\d+)?\]\s*$`)

// hasMarker reports whether a text would be taken for one that no model made.
func hasMarker(text string) bool {
	return summarize.Detect(text, "") != summarize.None || capped.MatchString(text)
}
