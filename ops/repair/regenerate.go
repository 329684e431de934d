package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/thinking"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/repair/draft"
)

// needsText are the faults that a new text of the summary repairs.
var needsText = integrity.Select(func(f integrity.Fault) bool { return f.NeedsText })

// withText are the faults whose repair changes or deletes the text of a summary.
var withText = append([]integrity.FaultID{integrity.SummaryUnreferenced, integrity.CompactionLeftover, integrity.SummaryDuplicate}, needsText...)

// regenerateTexts regenerates broken summaries from their sources, the bottom first.
func regenerateTexts(ctx context.Context, s *state) error {
	recordSkipped(s)
	if err := removeThinking(ctx, s); err != nil {
		return err
	}
	ids, err := addRecounted(ctx, s, brokenSummaries(s, needsText...))
	if err != nil || len(ids) == 0 {
		return err
	}
	b, err := newBatch(ctx, s, ids)
	if err != nil {
		return err
	}
	if err := b.RefuseForgotten(ctx); err != nil {
		return err
	}
	why, err := generateTexts(ctx, s, b)
	if err != nil {
		return err
	}
	return adoptTexts(ctx, s, b, why)
}

// recordSkipped records the summaries that keep their text in the progress of the operation.
func recordSkipped(s *state) {
	for _, f := range s.found.listed {
		if s.op.skips(f) && slices.Contains(needsText, f.Fault) {
			s.op.Regenerate.Items.Set(regenerate.Item{ID: f.Row, State: regenerate.StateSkipped})
		}
	}
}

// Why no model is asked for the texts that a repair needs.
const (
	modelNotAllowed = "a model has to regenerate it, and none may be asked"
	modelNotNamed   = "a model has to regenerate it, and none is named: choose a provider and a model, or the provider extractive, which is built in"
)

// generateTexts asks the model for the texts that no person wrote, or says why it asks for none:
// what needs no text is repaired all the same.
func generateTexts(ctx context.Context, s *state, b *regenerate.Batch) (why string, err error) {
	switch {
	case len(b.Pending()) == 0 && len(b.Texts) == 0:
		return "", nil
	case len(b.Pending()) == 0:
	case s.op.Regenerate.Model == nil:
		return modelNotAllowed, nil
	case summarize.CheckNamed(s.op.Regenerate.Model) != nil:
		return modelNotNamed, nil
	case !s.op.Regenerate.Ask:
		return "", estimateTexts(ctx, s, b)
	}
	reading, reads, done, err := ops.Read(ctx, s.db, s.op.Conversation)
	if err != nil {
		return "", err
	}
	defer done()
	if err := b.Generate(reading, s.report); err != nil {
		var stopped *regenerate.StoppedError
		if ctx.Err() != nil || !errors.As(err, &stopped) {
			return "", err
		}
		failPending(b, err)
	}
	s.plan.GuardSources(reads, reads.All())
	return "", nil
}

// failPending says of every summary that has no text why: no call can succeed.
func failPending(b *regenerate.Batch, why error) {
	reported := map[string]bool{}
	for _, f := range b.Failures {
		reported[f.ID] = true
	}
	for _, n := range b.Pending() {
		if !reported[n.ID] {
			b.Failures = append(b.Failures, regenerate.Failure{ID: n.ID, Err: why})
		}
	}
}

// addRecounted adds the summaries that turn out to be no smaller than their source once their
// tokens are counted right.
func addRecounted(ctx context.Context, s *state, ids []string) ([]string, error) {
	const fault = integrity.SummaryLargerThanSource
	if s.op.Faults != nil && !slices.Contains(s.op.Faults, fault) {
		return ids, nil
	}
	known := setOf(ids)
	for _, id := range brokenSummaries(s, integrity.SummaryTokensWrong) {
		n := s.graph.Summary(id)
		if n.Kind != lcm.KindLeaf || n.SourceTokens == 0 || known[id] || s.op.Skip[id] {
			continue
		}
		row, err := lcm.ReadSummary(ctx, s.db, id)
		if err != nil {
			return nil, err
		}
		if tokens := s.estimator().Count(row.Content); tokens >= n.SourceTokens {
			ids = append(ids, id)
			s.found.add(fault, "summaries", id, fmt.Sprintf("%d tokens of a source of %d, once they are counted right", tokens, n.SourceTokens))
		}
	}
	return ids, nil
}

// setOf returns a set of ids.
func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// brokenSummaries returns the summaries of the findings of some faults, without those that have a
// new text.
func brokenSummaries(s *state, faults ...integrity.FaultID) (ids []string) {
	seen := map[string]bool{}
	for _, fault := range faults {
		for _, f := range s.found.of(fault) {
			if s.graph.Has(f.Row) && !seen[f.Row] && s.texts[f.Row] == "" {
				ids = append(ids, f.Row)
			}
			seen[f.Row] = true
		}
	}
	return ids
}

// newBatch returns a run over broken summaries and those below them that are broken too. No model
// sees the text of any of them.
func newBatch(ctx context.Context, s *state, ids []string) (*regenerate.Batch, error) {
	g, err := lineage.Load(ctx, s.db, s.op.Conversation, 0)
	if err != nil {
		return nil, err
	}
	marked, err := summarize.FindMarkers(ctx, s.db, s.op.Conversation)
	if err != nil {
		return nil, err
	}
	broken := map[string]bool{}
	for _, id := range ids {
		broken[id] = true
	}
	for id := range marked {
		broken[id] = true
	}
	want := map[string]bool{}
	for _, n := range s.graph.Below(ids...) {
		if broken[n.ID] {
			want[n.ID] = true
		}
	}
	for _, n := range g.Nodes() { // Links and kinds as they will be.
		if mine := s.graph.Summary(n.ID); mine != nil {
			n.Sources, n.Kind, n.Depth = mine.Sources(), mine.Kind, mine.Depth
		}
	}
	b := &regenerate.Batch{
		Options: s.op.Regenerate, DB: s.db, Graph: g, Nodes: g.BottomUp(sortedKeys(want)...), Broken: broken, Texts: map[string]regenerate.Text{},
		Skip: s.op.Skip, Attempts: s.op.Attempts,
	}
	for _, n := range b.Nodes {
		if text, ok := s.op.Texts[n.ID]; ok {
			b.Texts[n.ID] = regenerate.Text{Text: text, Model: cmp.Or(s.op.Models[n.ID], regenerate.ByHand)}
		}
	}
	return b, nil
}

// estimateTexts says what regenerating the texts would take.
func estimateTexts(ctx context.Context, s *state, b *regenerate.Batch) error {
	f, err := b.Estimate(ctx)
	if err != nil {
		return err
	}
	leaveSourceless(s, f.Sourceless)
	if f.Texts() == 0 {
		return nil
	}
	i := &s.plan.Impact
	i.ModelCalls, i.InputTokens, i.OutputTokens = f.Calls, f.InputTokens, f.OutputTokens
	s.plan.More, s.plan.Price, s.plan.Model = true, f.Price(), b.Model.Name()
	s.plan.Note(fmt.Sprintf("%s would be regenerated by %s; estimated cost: %s. No model was called yet",
		plural.Count(f.Texts(), "summary", "summaries"), b.Model.Name(), f.Price()))
	if saved := f.Saved(); saved != "" {
		s.plan.Note(saved)
	}
	return nil
}

// leaveSourceless leaves the findings of summaries that have no source text.
func leaveSourceless(s *state, ids []string) {
	sourceless := setOf(ids)
	for _, fault := range needsText {
		for _, f := range s.found.of(fault) {
			if sourceless[f.Row] {
				s.found.leave(f, "it has no source text left; dissolve the summary that was made of it, or leave both")
			}
		}
	}
}

// adoptTexts gives summaries their new texts, and says why the others have none. A new text with the
// mark of a fallback is refused.
func adoptTexts(ctx context.Context, s *state, b *regenerate.Batch, why string) error {
	if b.Cost.Calls > 0 {
		i := &s.plan.Impact
		i.ModelCalls, i.InputTokens, i.OutputTokens = b.Cost.Calls, b.Cost.InputTokens, b.Cost.OutputTokens
		s.plan.Note("cost: " + b.Cost.Price())
		if withheld := b.Cost.Withheld(); withheld != "" {
			s.plan.Note(withheld)
		}
	}
	failed := map[string]string{}
	for _, f := range b.Failures {
		failed[f.ID] = f.Err.Error()
		var forgotten *lineage.ForgottenError
		if !errors.As(f.Err, &forgotten) { // For that no model was asked.
			s.failed = f.Err
		}
	}
	for _, n := range b.Nodes {
		t, ok := b.Texts[n.ID]
		if !ok {
			continue
		}
		if mark := summarize.Detect(t.Text, t.Model); mark != summarize.None {
			failed[n.ID] = "the new text still carries a marker (" + string(mark) + ") and is refused"
			continue
		}
		if err := setText(ctx, s, n.ID, t.Text, t.Model); err != nil {
			return err
		}
	}
	for _, fault := range needsText {
		for _, f := range s.found.of(fault) {
			switch {
			case s.texts[f.Row] != "":
				s.found.markRepaired(f)
			case s.op.Regenerate.Ask || why != "" || failed[f.Row] != "":
				s.found.leave(f, cmp.Or(failed[f.Row], why, "no new text was made"))
			}
		}
	}
	if len(s.texts) == 0 && b.Cost.Calls > 0 {
		s.found.note(plural.Count(b.Cost.Calls, "call was", "calls were") + " made without result; cost: " + b.Cost.Price())
	}
	return nil
}

// setText gives a summary another text.
func setText(ctx context.Context, s *state, id, text, model string) error {
	n := s.graph.Summary(id)
	rows, err := data.ImagesIn(ctx, s.db, "summaries", "summary_id", []any{id}, append(slices.Clone(draft.SummaryColumns), "content")...)
	if err != nil || len(rows) != 1 {
		return err
	}
	old := draft.Text(rows[0]["content"])
	n.Tokens = s.estimator().Count(text)
	columns := data.Row{"content": text, "token_count": n.Tokens}
	if model != "" {
		columns["model"] = model
	}
	s.rows.Set("summaries", rows[0], columns)
	s.plan.Texts = append(s.plan.Texts, ops.Text{ID: id, Before: old, After: text})
	s.texts[id] = text
	s.context.SetText(id, text, n.Tokens)
	return nil
}

// removeThinking removes a block of thinking from the start of summaries. Summaries whose
// block has no end are regenerated.
func removeThinking(ctx context.Context, s *state) error {
	var rest []integrity.Finding
	for _, f := range s.found.of(integrity.SummaryHoldsThinking) {
		if s.graph.Summary(f.Row) == nil {
			continue
		}
		row, err := lcm.ReadSummary(ctx, s.db, f.Row)
		if err != nil {
			return err
		}
		text := strings.TrimSpace(thinking.TrimStart(row.Content))
		if text == "" || text == strings.TrimSpace(row.Content) || thinking.HasTag(text) {
			rest = append(rest, f)
			continue
		}
		if err := setText(ctx, s, f.Row, text, ""); err != nil {
			return err
		}
		s.found.markRepaired(f)
	}
	s.found.open[integrity.SummaryHoldsThinking] = rest
	return nil
}
