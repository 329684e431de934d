package data

import "context"

// WordTerm is a text as an index of words takes it: words in a row, of which the last one may be the beginning of a word only.
type WordTerm struct {
	Text   string
	Prefix bool
}

// WordQuery asks for texts with one term of each group, and with none of the excluded ones.
type WordQuery struct {
	Groups   [][]WordTerm
	Excluded []WordTerm
}

// IsEmpty reports whether the query asks for nothing that an index of words has.
func (q WordQuery) IsEmpty() bool { return len(q.Groups) == 0 }

// WordRange says which messages are wanted: those with ids from From to To, both included, the newest first, or the oldest if
// Oldest, and of them at most Limit after the first Skip ones. Those without a time come last.
type WordRange struct {
	From, To    int64
	Oldest      bool
	Skip, Limit int
}

// WordIndex finds texts of a replica by their words, as the search tables of a file do.
type WordIndex interface {
	// Missing returns how many messages and summaries the index lacks, which are rows that were sent lately: 0 is none. Above
	// most it returns most + 1.
	Missing(ctx context.Context, most int) (int, error)
	// IsExact reports whether a query finds only texts that have what it asks for. Of another, each text has to be looked at.
	IsExact(q WordQuery) bool
	// Messages returns the messages that a query finds; with missing also those that the index lacks.
	Messages(ctx context.Context, q WordQuery, in WordRange, missing bool) ([]int64, error)
	// Summaries works as Messages for all summaries, in no order.
	Summaries(ctx context.Context, q WordQuery, missing bool) ([]string, error)
}
