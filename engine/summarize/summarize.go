package summarize

import (
	"context"
	"errors"
)

// Summarize makes one summary. It asks once, and a second time for less if the
// answer isn't smaller than its source, repeats it, or ends in the mark of one
// that no model made. Where that fails too, or the answer is blank, the start of
// the source is taken if the job allows it; otherwise the error is a
// *NoSummaryError. Errors of the model are returned as they are. The result holds
// the cost in any case.
//
// A blank source is the caller's to skip.
func Summarize(ctx context.Context, m Model, job Job) (Result, error) {
	r := Result{Model: m.Name()}
	var none *NoSummaryError
	for _, mode := range []Mode{Normal, Aggressive} {
		text, quotes, err := ask(ctx, m, job, mode, &r)
		if err != nil && !errors.Is(err, ErrIncomplete) {
			return r, err
		}
		if err != nil {
			none = &NoSummaryError{Model: r.Model, Why: err.Error(), Err: err}
			break
		}
		if text == "" {
			none = &NoSummaryError{Model: r.Model, Why: "its answer was empty"}
			break
		}
		why := job.fault(text, quotes)
		if why == "" {
			job.finish(&r, text, Level(mode))
			return r, nil
		}
		none = &NoSummaryError{Model: r.Model, Why: why}
	}
	if !job.Fallback {
		return r, none
	}
	job.finish(&r, job.fallback(), LevelFallback)
	return r, nil
}

// ask calls the model, and once more with twice the room if its answer wasn't
// complete. The text is without what the model thought before it.
func ask(ctx context.Context, m Model, job Job, mode Mode, r *Result) (text string, quotes bool, err error) {
	request, err := job.Request(mode)
	if err != nil {
		return "", false, err
	}
	reply, err := call(ctx, m, request, r)
	if errors.Is(err, ErrIncomplete) && ctx.Err() == nil {
		request.MaxTokens *= 2
		reply, err = call(ctx, m, request, r)
	}
	return trim(withoutThinking(reply.Text)), reply.Quotes, err
}

func call(ctx context.Context, m Model, request Request, r *Result) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	reply, err := m.Summarize(ctx, request)
	if errors.Is(err, ErrLimit) {
		return reply, err // Nobody was called.
	}
	r.Calls++
	r.add(reply)
	if reply.Model != "" {
		r.Model = reply.Model
	}
	return reply, err
}

// finish fills in the result. A model's text that is far too long is cut; the start
// of the source has a size of its own.
func (j Job) finish(r *Result, text string, level Level) {
	r.Text, r.Level = text, level
	if short, cut := j.capped(text); cut && level != LevelFallback {
		r.Text, r.Level = short, LevelCapped
	}
	r.Tokens = j.Estimator.Count(r.Text)
}
