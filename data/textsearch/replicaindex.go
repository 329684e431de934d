package textsearch

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// MostMissing is how many texts that the index of a replica lacks are read one by one beside it.
const MostMissing = 2000

// ReplicaMissing returns how many texts the index of a replica or home lacks. problem says why it can't be asked, and what completes it, or is
// empty. The error is that of the context.
func ReplicaMissing(ctx context.Context, r *data.Replica) (missing int, problem string, err error) {
	index, completes := "the search index of the replica", "lcm-tui sync on "+r.Host
	if r.Home != nil {
		index, completes = "the search index of the home", "lcm-tui init"
	}
	missing, err = r.Words.Missing(ctx, MostMissing)
	switch {
	case ctx.Err() != nil:
		return 0, "", ctx.Err()
	case err != nil:
		return 0, index + " can't be read (" + err.Error() + ")", nil
	case missing > MostMissing:
		return missing, index + " isn't whole (" + completes + " completes it)", nil
	}
	return missing, "", nil
}

// ReplicaWords is what the index of words of a replica is asked for.
type ReplicaWords struct {
	data.WordQuery
	// Missing adds the texts that the index lacks.
	Missing bool
}

// ReplicaMessages returns the messages of a replica that its index finds, in the order of their times.
func ReplicaMessages(ctx context.Context, r *data.Replica, words ReplicaWords, in data.WordRange) ([]int64, error) {
	return r.Words.Messages(ctx, words.WordQuery, in, words.Missing)
}

// ReplicaSummaries returns the summaries of a replica that its index finds, and for which the conditions hold.
func ReplicaSummaries(ctx context.Context, db *data.DB, r *data.Replica, words ReplicaWords, conditions []Condition) (out []SummaryTime, err error) {
	ids, err := r.Words.Summaries(ctx, words.WordQuery, words.Missing)
	if err != nil {
		return nil, err
	}
	for chunk := range slices.Chunk(ids, maxMarks) {
		found, err := AllSummaries(ctx, db, append(slices.Clip(conditions), Condition{Summaries: chunk}))
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}
