package provenance

import (
	"math"
	"strings"

	"lcm-tui/data"
)

// index is the tokens of some texts, the candidates, by the texts that hold them.
type index struct {
	terms    map[string]int32
	postings [][]int32 // The texts that hold a term, ascending.
	texts    []indexedText
	tokens   int // Of all texts.
	// forms are further forms in which the texts hold exact tokens: parts of paths, days of dates.
	forms map[string]bool
}

// indexedText is the tokens of one text in order.
type indexedText struct {
	places []place
}

// place is a token in a text.
type place struct {
	term       int32
	start, end int32
}

func newIndex() *index {
	return &index{terms: map[string]int32{}, forms: map[string]bool{}}
}

// add adds a text, which gets the next number.
func (x *index) add(text string) {
	number := int32(len(x.texts))
	tokens := tokenize(text)
	places := make([]place, len(tokens))
	for i := range tokens {
		k := &tokens[i]
		places[i] = place{x.post(k.key, number), int32(k.start), int32(k.end)}
		for _, p := range k.pieces {
			x.post(p, number)
		}
		x.addForms(k)
	}
	x.texts = append(x.texts, indexedText{places})
	x.tokens += len(places)
}

// post notes that a text holds a term.
func (x *index) post(key string, text int32) int32 {
	id, ok := x.terms[key]
	if !ok {
		id = int32(len(x.postings))
		x.terms[key] = id
		x.postings = append(x.postings, nil)
	}
	if l := x.postings[id]; len(l) == 0 || l[len(l)-1] != text {
		x.postings[id] = append(l, text)
	}
	return id
}

// addForms notes the forms of a token that a sentence may use in its place.
func (x *index) addForms(k *token) {
	if k.alternative != "" {
		x.forms[k.alternative] = true
	}
	if !k.exact || len(k.pieces) < 2 {
		return
	}
	if len(k.key) == len("2026-04-10") && k.key[4] == '-' && k.key[7] == '-' {
		x.forms[k.key[5:]] = true
	}
	if len(k.key) > 512 {
		return // No path.
	}
	for i := range len(k.key) {
		if strings.IndexByte("/:.@", k.key[i]) >= 0 {
			x.forms[k.key[:i]] = true
			x.forms[strings.TrimLeft(k.key[i+1:], "/")] = true
		}
	}
}

// addTime notes the time of a message, which stands beside its text where a summary is made.
func (x *index) addTime(t data.Time) {
	if t.Valid() {
		at := t.UTC()
		for _, form := range []string{"2006-01-02", "01-02", "15:04", "2006"} {
			x.forms[at.Format(form)] = true
		}
	}
}

// idf returns how much a term that is in so many of the texts tells.
func (x *index) idf(texts int) float64 {
	n, df := float64(len(x.texts)), float64(texts)
	return max(0.05, math.Log(1+(n-df+0.5)/(df+0.5)))
}

// holds reports whether any text holds an exact token, as it is or in another form.
func (x *index) holds(k *token) bool {
	for _, form := range []string{k.key, k.alternative} {
		if _, ok := x.terms[form]; form != "" && (ok || x.forms[form]) {
			return true
		}
	}
	return isWordPair(k.key) && x.holdTogether(k.pieces)
}

// holdsLonger reports whether any text holds a token that begins with a key: a text that was cut at
// a length may end inside of one.
func (x *index) holdsLonger(key string) bool {
	const least = 4 // Bytes; less begins too much.
	if len(key) < least {
		return false
	}
	for term := range x.terms {
		if strings.HasPrefix(term, key) {
			return true
		}
	}
	return false
}

// isWordPair reports whether a token is two words with a slash, which may be no path: read/write.
func isWordPair(key string) bool {
	return strings.Count(key, "/") == 1 && !strings.ContainsAny(key, "0123456789._:@~") && key[0] != '/'
}

// holdTogether reports whether one text holds all terms.
func (x *index) holdTogether(keys []string) bool {
	count := map[int32]int{}
	for _, key := range keys {
		id, ok := x.terms[key]
		if !ok {
			return false
		}
		for _, text := range x.postings[id] {
			if count[text]++; count[text] == len(keys) {
				return true
			}
		}
	}
	return false
}
