package summarize

import (
	"context"
	"errors"

	"lcm-tui/engine/thinking"
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
	a := asking{model: m, job: job, result: Result{Model: m.Name()}}
	var none *NoSummaryError
	for _, mode := range []Mode{Normal, Aggressive} {
		text, quotes, err := a.ask(ctx, mode)
		if err != nil && !errors.Is(err, ErrIncomplete) {
			return a.result, err
		}
		if err != nil {
			none = &NoSummaryError{Model: a.result.Model, Why: err.Error(), Err: err}
			break
		}
		if text == "" {
			none = &NoSummaryError{Model: a.result.Model, Why: "its answer was empty"}
			break
		}
		why := job.fault(text, quotes)
		if why == "" {
			job.finish(&a.result, text, Level(mode))
			return a.result, nil
		}
		none = &NoSummaryError{Model: a.result.Model, Why: why}
	}
	a.forget()
	if !job.Fallback {
		return a.result, none
	}
	job.finish(&a.result, job.fallback(), LevelFallback)
	return a.result, nil
}

// asking is a summary while it is asked for.
type asking struct {
	model  Model
	job    Job
	asked  []Request
	result Result
}

// ask calls the model, and once more with twice the room if its answer wasn't
// complete. The text is without what the model thought before it.
func (a *asking) ask(ctx context.Context, mode Mode) (text string, quotes bool, err error) {
	request, err := a.job.Request(mode)
	if err != nil {
		return "", false, err
	}
	reply, err := a.call(ctx, request)
	if errors.Is(err, ErrIncomplete) && !errors.Is(err, ErrRoomGiven) && ctx.Err() == nil {
		request.MaxTokens *= 2
		reply, err = a.call(ctx, request)
	}
	return trim(thinking.TrimStored(reply.Text)), reply.Quotes, err
}

func (a *asking) call(ctx context.Context, request Request) (Reply, error) {
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

// forget lets go of the answers that were no summary, where answers are kept: the next
// run asks again.
func (a *asking) forget() {
	r, ok := a.model.(*remembering)
	if !ok {
		return
	}
	for _, request := range a.asked {
		r.forget(request)
	}
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
