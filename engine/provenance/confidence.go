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

// Limits of the words. Several messages cover many words of any sentence by chance, so that
// together they count only if the best of them covers enough alone.
const (
	copiedRun      = 0.8  // The share of a sentence's tokens that one run of a source repeats.
	strongCoverage = 0.6  // The share of a sentence that one message covers.
	strongTogether = 0.75 // The share that several cover together, of which the best covers strongShare.
	strongShare    = 0.45
	weakCoverage   = 0.35 // The share that all sources cover, of which the best covers weakShare.
	weakShare      = 0.25
)

// confidence returns the word for a sentence.
func (m *match) confidence() Confidence {
	if len(m.sources) == 0 {
		return None
	}
	best := m.sources[0].coverage
	switch {
	case float64(m.run) >= copiedRun*float64(m.tokens) && best >= weakCoverage:
		return Copied
	case best >= strongCoverage || best >= strongShare && m.coverage >= strongTogether:
		return Strong
	case best >= weakShare && m.coverage >= weakCoverage:
		return Weak
	}
	return None
}
