package demo

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// textPool is a body of text, made once, out of which messages are cut: sentences of a
// working day with words of a long-tailed vocabulary among them.
type textPool string

const poolBytes = 8 << 20

// newPool makes a textPool.
func newPool(rng *rand.Rand) textPool {
	words := vocabulary(rng, 30_000)
	zipf := rand.NewZipf(rng, 1.1, 4, uint64(len(words)-1))
	word := func() string { return words[zipf.Uint64()] }
	var b strings.Builder
	for b.Len() < poolBytes {
		switch rng.IntN(40) {
		case 0:
			b.WriteString("台帳の移行は木曜日に終わりました。差分は見つかっていません。 ")
		case 1:
			fmt.Fprintf(&b, "\n```\n$ %s --%s=%d\n%s: %d ok\n```\n", word(), word(), rng.IntN(900), word(), rng.IntN(90))
		case 2:
			fmt.Fprintf(&b, "internal/%s/%s.go:%d: %s. ", word(), word(), rng.IntN(900), word())
		default:
			fmt.Fprintf(&b, patterns[rng.IntN(len(patterns))], word(), word(), word())
		}
	}
	return textPool(b.String())
}

// patterns are sentences with room for three words.
var patterns = []string{
	"The %s of the %s waits for a %s that never comes. ",
	"I moved %s behind a flag, because %s still reads %s. ",
	"We should roll %s back before %s fills its %s again.\n",
	"Please check whether %s and %s agree about the %s. ",
	"After the release %s took twice as long; %s and %s did not change.\n\n",
	"- %s: done, %s is next, then %s\n",
	"No %s was lost, but %s had to be read from the %s twice. ",
	"Decision: %s owns the %s, and %s only asks for it. ",
}

// vocabulary makes words out of syllables, the plain ones first.
func vocabulary(rng *rand.Rand, n int) []string {
	words := strings.Fields(`queue deploy index tenant migration backup webhook ledger invoice session token cache replica
		schema worker gateway report alert budget timeout retry batch cursor payload secret cluster node image canary release
		incident runbook dashboard latency error config branch commit review ticket owner region bucket disk vacuum lock lease`)
	parts := strings.Fields("ka lo mi ter sa ven dor qui ran bel tos ner fi gra pul hex om ar ist und zy cor vel")
	for len(words) < n {
		var w strings.Builder
		for range 2 + rng.IntN(3) {
			w.WriteString(parts[rng.IntN(len(parts))])
		}
		words = append(words, w.String())
	}
	return words
}

// cut takes a stretch of about mean bytes, from a third to three times as long, that
// begins and ends between words.
func (p textPool) cut(rng *rand.Rand, mean int) string {
	n := mean/3 + rng.IntN(mean+1)
	if rng.IntN(10) == 0 {
		n += mean * 2
	}
	at := rng.IntN(max(1, len(p)-n-200))
	s := string(p[at : at+n+100])
	if i := strings.IndexByte(s, ' '); i >= 0 {
		s = s[i+1:]
	}
	if i := strings.LastIndexByte(s[:min(len(s), n+20)], ' '); i >= 0 {
		s = s[:i]
	}
	return strings.ToValidUTF8(s, "") // Some languages have no spaces.
}

// summary makes the text of a summary of about size bytes, at most what fits a model's target.
func (p textPool) summary(rng *rand.Rand, size, number int) string {
	return fmt.Sprintf("## Work %d\n\n%s\n\nExpand for details about: %s", number, p.cut(rng, min(size, 4_000)*3/4), p.cut(rng, 60))
}
