package summarize

import (
	"context"
	"errors"

	"lcm-tui/engine/thinking"
)

// Summarize makes one summary. It calls the model, and again in the aggressive mode if the
// answer isn't smaller than its source or ends in a marker of a fallback. If the job allows it, the
// start of the source stands in for an answer that stays incomplete, and for a summary where both
// modes fail or there is no text at all. Otherwise the error is a *NoSummaryError. Errors of the model are returned
// unchanged. The result has the cost in any case.
//
// The caller skips blank sources.
func Summarize(ctx context.Context, m Model, job Job) (Result, error) {
	a := attempt{model: m, job: job, result: Result{Model: m.Name()}}
	var none *NoSummaryError
	for _, mode := range []Mode{Normal, Aggressive} {
		text, err := a.ask(ctx, mode)
		if err != nil && !errors.Is(err, ErrIncomplete) {
			return a.result, err
		}
		why := job.rejection(text)
		if err == nil && why == "" {
			job.finish(&a.result, text, Level(mode))
			return a.result, nil
		}
		if none = (&NoSummaryError{Model: a.result.Model, Why: why}); err != nil {
			none.Why, none.Err = err.Error(), err
		}
		if text == "" && (err == nil || !job.Fallback) {
			break // The other mode would give no text either.
		}
		if text := job.standIn(); err != nil && job.isShort(text) {
			return a.standFor(text, Level(mode)), nil
		}
	}
	if job.Fallback {
		return a.standFor(job.fallback(), LevelFallback), nil
	}
	a.dropCached()
	return a.result, none
}

// standFor finishes with a text that no model made.
func (a *attempt) standFor(text string, level Level) Result {
	a.dropCached()
	a.result.Fallback = true
	a.job.finish(&a.result, text, level)
	return a.result
}

// isShort reports whether a text has fewer tokens than the source.
func (j Job) isShort(text string) bool { return j.Estimator.Count(text) < j.Estimator.Count(j.Source) }

// attempt is one summary in progress.
type attempt struct {
	model  Model
	job    Job
	asked  []Request
	result Result
}

// ask calls the model, and once more with twice as many tokens if its answer wasn't
// complete. The text is without reasoning.
func (a *attempt) ask(ctx context.Context, mode Mode) (text string, err error) {
	request, err := a.job.Request(mode)
	if err != nil {
		return "", err
	}
	request, a.result.Masked = a.job.mask(request)
	reply, err := a.call(ctx, request)
	if errors.Is(err, ErrIncomplete) && !errors.Is(err, ErrTokenLimitRaised) && ctx.Err() == nil {
		request.MaxTokens *= 2
		reply, err = a.call(ctx, request)
	}
	text, _ = thinking.TrimAnswer(reply.Text)
	return text, err
}

func (a *attempt) call(ctx context.Context, request Request) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	a.asked = append(a.asked, request)
	reply, err := a.model.Summarize(ctx, request)
	a.result.add(reply, err)
	if reply.Model != "" {
		a.result.Model = reply.Model
	}
	return reply, err
}

// dropCached removes the answers that were no summary from the cache, so that the next run
// asks again.
func (a *attempt) dropCached() {
	r, ok := a.model.(*cachedModel)
	if !ok {
		return
	}
	for _, request := range a.asked {
		r.drop(request)
	}
}

// finish fills in the result. A model's text that is far too long is cut; the start
// of the source has a size of its own.
func (j Job) finish(r *Result, text string, level Level) {
	r.Text, r.Level = text, level
	if short, cut := j.capText(text); cut && level != LevelFallback {
		r.Text, r.Level = short, LevelCapped
	}
	r.Tokens = j.Estimator.Count(r.Text)
}
