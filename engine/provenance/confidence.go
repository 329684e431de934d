package provenance

// Confidence says in a word how sure the sources of a sentence are.
type Confidence string

// The words, from the surest on.
const (
	Copied Confidence = "copied"          // A source holds nearly the whole sentence, word by word.
	Strong Confidence = "strong"          // The sources hold most of what the sentence states.
	Weak   Confidence = "weak"            // The sources hold some of it.
	None   Confidence = "no source found" // No source shares enough words with the sentence.
)

// Limits of the words.
const (
	copiedRun      = 0.8  // The share of a sentence's tokens that one run of a source repeats.
	strongCoverage = 0.6  // The share of a sentence that the sources cover.
	weakCoverage   = 0.35 // As above.
)

// confidenceOf is the word for a sentence of which the sources repeat a run of tokens and cover
// a share.
func confidenceOf(run, tokens int, coverage float64) Confidence {
	switch {
	case tokens > 0 && float64(run) >= copiedRun*float64(tokens) && coverage >= weakCoverage:
		return Copied
	case coverage >= strongCoverage:
		return Strong
	case coverage >= weakCoverage:
		return Weak
	}
	return None
}
