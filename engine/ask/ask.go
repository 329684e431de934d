package ask

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/parallel"
)

// Asker answers questions. One serves a whole process, so that a session asks one question at a
// time. Its methods may be called from several goroutines.
type Asker struct {
	// Navigator answers; nil is one that uses no model.
	Navigator Navigator
	// Fallback is asked where the model of Navigator is refused; nil is nobody.
	Fallback Navigator
	Limits   Limits
	// Log gets the counters; nil is nowhere.
	Log *slog.Logger

	guard guard
	once  sync.Once
}

// nothingFound is the answer where no summary matches.
const nothingFound = "No matching summaries found for this scope."

// Ask answers a question from the conversations of a scope. Its errors are *InputError,
// *BlockedError, *FailureError, those of the database, and retrieve.ErrNoScope. progress may be
// nil; it is called from several goroutines. Text writes reply and error as JSON.
func (a *Asker) Ask(ctx context.Context, db *data.DB, p Params, scope retrieve.Scope, c Caller, progress func(Progress)) (Reply, error) {
	a.prepare()
	if c.RequestID == "" {
		c.RequestID = db.NewID()
	}
	if err := a.guard.checkDepth(ctx, c); err != nil {
		return Reply{}, err
	}
	p, err := p.complete(a.Limits)
	if err != nil {
		return Reply{}, err
	}
	if scope.Empty() {
		return Reply{}, retrieve.ErrNoScope
	}
	until := deadlinesOf(time.Now(), p.Timeout, a.Limits)
	ctx, cancel := context.WithDeadline(ctx, until.total)
	defer cancel()
	found, words, err := candidates(ctx, db, p, scope)
	if errors.Is(err, context.DeadlineExceeded) {
		return Reply{}, &FailureError{Code: CodeTimeout, Message: "no answer in time (looking for summaries)", Breakdown: []Breakdown{}}
	}
	if err != nil {
		return Reply{}, err
	}
	multiple := p.AllConversations || scope.All()
	if len(found) == 0 {
		return nothing(multiple)
	}
	release, err := a.guard.acquire(ctx, c)
	if err != nil {
		return Reply{}, err
	}
	defer release()
	buckets := bucketsOf(found)
	switch {
	case multiple && !p.FromPrompt: // The words of a prompt have found the best conversation first.
		rank(buckets)
	case !multiple:
		buckets = buckets[:1] // Of a session's family the conversation that comes first.
	}
	split(buckets, p.TokenCap)
	work, stop := context.WithDeadline(ctx, until.work)
	defer stop()
	q := &question{a, db, p, c, words, multiple, progress}
	r, err := q.ask(work, buckets)
	a.record(ctx, c, err)
	return r, err
}

// prepare fills in what the caller left out.
func (a *Asker) prepare() {
	a.once.Do(func() {
		if a.Navigator == nil {
			a.Navigator = Evidence{}
		}
		if a.Log == nil {
			a.Log = discard
		}
		a.guard.log = a.Log
	})
}

// nothing returns the reply where no summary matches: of a scope that is known a normal one.
func nothing(multiple bool) (Reply, error) {
	if multiple {
		return Reply{}, &hint.Error{
			Err:      &InputError{"no summary of any conversation matches", "try other words, or name summaries with summaryIds"},
			OnScreen: "ask with other words, or search the messages too: F finds words",
		}
	}
	return Reply{Answer: nothingFound, CitedIDs: []string{}, SourceConversationIDs: []int64{}}, nil
}

// record counts what became of a question that was begun.
func (a *Asker) record(ctx context.Context, c Caller, err error) {
	var failed *FailureError
	switch {
	case err == nil:
		a.guard.record(ctx, &a.guard.counters.Success, "a question was answered", c)
	case errors.As(err, &failed) && failed.Code == CodeTimeout:
		a.guard.record(ctx, &a.guard.counters.Timeout, "a question was not answered in time", c)
	}
}

// question is one question that is being answered.
type question struct {
	a        *Asker
	db       *data.DB
	p        Params
	c        Caller
	words    []promptWord
	multiple bool
	progress func(Progress)
}

// ask has all buckets answered at once, and merges the answers.
func (q *question) ask(ctx context.Context, buckets []bucket) (Reply, error) {
	results := make([]result, len(buckets))
	var group parallel.Group
	for i, b := range buckets {
		if b.skipped != "" {
			results[i] = result{Breakdown: b.breakdown(StatusSkipped)}
			results[i].Error = b.skipped
			continue
		}
		group.Go(func() { results[i] = q.askBucket(ctx, b) })
	}
	group.Wait()
	all := make([]Breakdown, len(buckets))
	r := Reply{}
	for i, one := range results {
		all[i] = one.Breakdown
	}
	if err := context.Cause(ctx); errors.Is(err, context.Canceled) {
		return r, err
	}
	r, err := merge(all, q.multiple)
	for _, one := range results {
		if one.Status == StatusSuccess && err == nil {
			r.Model = one.model
			r.DroppedIDs = uniqueTrimmed(append(r.DroppedIDs, one.dropped...))
		}
	}
	return r, err
}

// result is what became of a bucket.
type result struct {
	Breakdown
	model   string
	dropped []string
}

func (b bucket) breakdown(s Status) Breakdown {
	return Breakdown{ConversationID: b.conversation, Status: s, SummaryIDs: b.allIDs(), CitedIDs: []string{}}
}

// askBucket has a navigator answer about one conversation, under a grant of its own that ends
// with it.
func (q *question) askBucket(ctx context.Context, b bucket) result {
	grant := NewGrant(q.db.NewID(), q.c.Session, time.Now, b.conversation)
	grant.TokenCap = b.tokens
	if until, ok := ctx.Deadline(); ok && until.After(grant.Expires) { // The caller allowed more time.
		grant.Expires = until
	}
	defer grant.Revoke()
	tools := &Tools{DB: q.db, Grant: grant, Progress: q.progress}
	t := Task{
		Prompt: q.p.Prompt, Query: q.p.Query, Conversation: b.conversation, MaxTokens: q.p.MaxTokens,
		Seeds: b.allIDs(), MessageBacked: b.ids(func(c candidate) bool { return c.messageBacked }),
		Tools: tools, RequestID: q.c.RequestID, Origin: q.c.Session, Depth: q.c.Depth + 1, SeedDigest: b.digest(), words: q.words,
		Route: RouteOf(Question{Text: q.p.Prompt, IsQuery: len(q.p.SummaryIDs) == 0, Candidates: len(b.candidates), TokenCap: b.tokens}),
	}
	answer, name, err := q.a.navigate(ctx, t)
	if err != nil {
		return failed(b, err)
	}
	r := result{Breakdown: b.breakdown(StatusSuccess), model: name, dropped: answer.Dropped}
	r.answer, r.ExpandedSummaryCount, r.TotalSourceTokens, r.Truncated = answer.Text, answer.Expanded, answer.SourceTokens, answer.Truncated
	if len(answer.Cited) > 0 {
		r.CitedIDs = answer.Cited
	}
	return r
}

// failed returns what became of a bucket without an answer.
func failed(b bucket, err error) result {
	r := result{Breakdown: b.breakdown(StatusFailed)}
	r.Truncated = true
	var phase *PhaseError
	if errors.As(err, &phase) {
		elapsed := phase.Elapsed.Milliseconds()
		r.Error, r.Phase, r.ElapsedMs, r.ErrorCode = phase.message(), phase.Phase, &elapsed, phase.Code()
	}
	return r
}

// digest returns a hash of the candidates' ids and texts.
func (b bucket) digest() string {
	h := sha256.New()
	for _, c := range b.candidates {
		_, _ = h.Write([]byte(c.id + "\x00" + c.content + "\x00")) // A hash takes everything.
	}
	return hex.EncodeToString(h.Sum(nil))
}
