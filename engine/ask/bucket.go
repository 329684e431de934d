package ask

import (
	"cmp"
	"slices"
	"time"

	"lcm-tui/internal/sorting"
)

// candidate is a summary from which an answer may start.
type candidate struct {
	id           string
	conversation int64
	// named says that the caller named it, messageBacked that it holds a message that was found.
	named, messageBacked bool
	matched              time.Time // Of the newest match; zero is not known.
	content              string
}

// bucket is the candidates of one conversation, and how many tokens may be read of it.
type bucket struct {
	conversation int64
	candidates   []candidate
	tokens       int64
	skipped      string // Why it isn't asked, or empty.
}

// maxBuckets is how many conversations one question asks.
const maxBuckets = 3

// bucketsOf groups candidates by conversation, in the order in which each comes first.
func bucketsOf(candidates []candidate) []bucket {
	var out []bucket
	for _, c := range candidates {
		i := slices.IndexFunc(out, func(b bucket) bool { return b.conversation == c.conversation })
		if i < 0 {
			i, out = len(out), append(out, bucket{conversation: c.conversation})
		}
		out[i].candidates = append(out[i].candidates, c)
	}
	return out
}

// rank orders buckets: by named candidates, by candidates, by the newest match, by candidates
// that hold a found message, then by conversation.
func rank(buckets []bucket) {
	count := func(b *bucket, of func(candidate) bool) (n int) {
		for _, c := range b.candidates {
			if of(c) {
				n++
			}
		}
		return n
	}
	named := func(c candidate) bool { return c.named }
	backed := func(c candidate) bool { return c.messageBacked }
	sorting.Stable(buckets, func(a, b *bucket) int {
		return cmp.Or(
			count(b, named)-count(a, named), len(b.candidates)-len(a.candidates), b.newest().Compare(a.newest()),
			count(b, backed)-count(a, backed), cmp.Compare(a.conversation, b.conversation),
		)
	})
}

func (b *bucket) newest() (at time.Time) {
	for _, c := range b.candidates {
		if c.matched.After(at) {
			at = c.matched
		}
	}
	return at
}

// split gives each of the first maxBuckets its part of the tokens, the first ones one more where
// it doesn't come out even. The others, and those without a token, are skipped.
func split(buckets []bucket, tokens int64) {
	n := int64(min(len(buckets), maxBuckets))
	for i := range buckets {
		b := &buckets[i]
		if i >= maxBuckets {
			b.skipped = "skipped after the limit of 3 conversations"
			continue
		}
		if b.tokens = tokens / n; int64(i) < tokens%n {
			b.tokens++
		}
		if b.tokens == 0 {
			b.skipped = "skipped: no tokens are left of the token cap"
		}
	}
}

// ids returns the ids of the candidates that fn takes.
func (b bucket) ids(fn func(candidate) bool) (out []string) {
	for _, c := range b.candidates {
		if fn(c) {
			out = append(out, c.id)
		}
	}
	return out
}

func (b bucket) allIDs() []string { return b.ids(func(candidate) bool { return true }) }
