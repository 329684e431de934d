package search

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
)

// planReplica decides what the index of a replica is asked.
func (r *run) planReplica(ctx context.Context) error {
	if r.replica == nil || r.expression == "" {
		return nil
	}
	n, problem, err := textsearch.ReplicaMissing(ctx, r.replica)
	if err != nil {
		return err
	}
	r.replicaProblem = problem
	r.words.Missing = n > 0
	r.recheck = r.recheck || n > 0 || !r.replica.Words.IsExact(r.words.WordQuery)
	return nil
}

// replicaMessages finds messages by the index of a replica, which knows their times: the first ones are shown before all are
// counted.
func (r *run) replicaMessages(ctx context.Context) error {
	limits, err := r.conditions.readMessageRange(ctx)
	if err != nil || limits.From > limits.To {
		return err
	}
	in := data.WordRange{From: limits.From, To: limits.To, Conversations: r.conditions.givenConversations(), Oldest: r.oldest(), Limit: MaxHits + 1}
	for {
		ids, err := textsearch.ReplicaMessages(ctx, r.replica, r.words, in)
		if err != nil {
			return err
		}
		if goOn, err := r.showReplicaMessages(ctx, ids, in.Skip == 0); err != nil || !goOn || len(ids) < in.Limit {
			return err
		}
		in.Skip += len(ids)
		in.Limit *= 4 // The server finds and sorts all of them each time.
	}
}

// showReplicaMessages reports those of some messages that the query finds, in their order. isStart says that these are the first
// ones: if they are certain, it says how many there are.
func (r *run) showReplicaMessages(ctx context.Context, ids []int64, isStart bool) (goOn bool, err error) {
	goOn = true
	count := 0
	for next, page := ids, firstPage; len(next) > 0 && goOn; page = min(page*2, lastPage) {
		n := min(page, len(next))
		if count > 0 && r.isCertain() { // Counting reads the times of all.
			n = len(next)
		}
		times, err := textsearch.MessageTimes(ctx, r.db, next[:n], r.conditions.of(MessageKind))
		if err != nil {
			return false, err
		}
		sortTimes(times, r.oldest())
		if count += len(times); isStart && n == len(next) && r.isCertain() && (len(ids) <= MaxHits || count > MaxHits) {
			r.out.knows(MessageKind, Counted{min(count, MaxHits), count > MaxHits})
		}
		if goOn, err = r.showPages(ctx, times); err != nil {
			return false, err
		}
		next = next[n:]
	}
	return goOn, nil
}

// replicaSummaries returns the summaries that the index of a replica finds, or all of them where it can't help.
func (r *run) replicaSummaries(ctx context.Context, conditions []textsearch.Condition) ([]textsearch.SummaryTime, error) {
	if r.expression == "" || r.Whole {
		return textsearch.AllSummaries(ctx, r.db, conditions)
	}
	if r.replicaProblem == "" {
		found, err := textsearch.ReplicaSummaries(ctx, r.db, r.replica, r.words, conditions)
		if err == nil || ctx.Err() != nil {
			return found, err
		}
	}
	r.scannedSummaries = true
	return textsearch.AllSummaries(ctx, r.db, conditions)
}
