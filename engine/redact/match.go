package redact

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"lcm-tui/data/jstext"
)

// Known finds secrets whose values are known, also where no rule would: without the word that
// named them. Any number of goroutines may use one.
type Known struct {
	forms []knownForm
	begin *automaton
}

// knownForm is a value, or its escaped form, and the finding that it belongs to.
type knownForm struct {
	finding Finding
	text    string
}

// maxBegin is how many bytes of a value the automaton has: the rest is compared.
const maxBegin = 8

// NewKnown returns one for these findings, each value once.
func NewKnown(findings []Finding) *Known {
	k := &Known{}
	var begins []string
	seen := map[string]bool{}
	for _, f := range findings {
		for _, form := range formsOf(f.Secret.Reveal()) {
			if form == "" || seen[form] {
				continue
			}
			seen[form] = true
			k.forms = append(k.forms, knownForm{f, form})
			begins = append(begins, form[:min(maxBegin, len(form))])
		}
	}
	k.begin = newAutomaton(begins, false)
	return k
}

// formsOf returns the forms in which a value stands in texts: as it is, escaped in a string of JSON, in such a
// string inside of another, in a URL, and in base64 of a longer text.
func formsOf(value string) []string {
	once := escape(value)
	forms := []string{value, once, escape(once)}
	if len(value) >= minEncoded {
		forms = append(forms, url.QueryEscape(value), url.PathEscape(value))
		if plain, err := url.PathUnescape(value); err == nil && len(plain) >= minEncoded {
			forms = append(forms, plain)
		}
		for shift := range 3 {
			forms = append(forms, base64At(value, shift))
		}
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// minEncoded is the length from which on a value is looked for in other encodings: a short one would stand
// there by chance.
const minEncoded = 9

// escape returns a text as it stands in a string of JSON.
func escape(s string) string {
	q := string(jstext.Quote(s))
	return q[1 : len(q)-1]
}

// Find returns the known secrets of a text, or of the strings of a JSON text, in order and without
// overlaps. Their places are those in the text.
func (k *Known) Find(text string) []Finding {
	found := eachText(text, func(_, value string) []span { return k.inPlain(value) })
	if len(found) == 0 {
		return nil
	}
	return inOrder(found)
}

func (k *Known) inPlain(text string) []span {
	found := k.inView(view{text: text})
	if all := sequences(text); len(all) > 0 {
		found = append(found, k.inView(removeSequences(text, all))...)
	}
	return found
}

func (k *Known) inView(v view) (found []span) {
	k.begin.find(v.text, func(word, start, _ int) bool {
		if f := k.forms[word]; wrappedLen(v.text[start:], f.text) > 0 {
			from, to := v.span(start, start+wrappedLen(v.text[start:], f.text))
			found = append(found, span{f.finding.Rule, f.finding.Class, f.finding.Secret.Reveal(), from, to})
		}
		return true
	})
	return found
}

// Remains looks for what is left of secrets in bytes: their values, the escaped forms, base64 of
// them, and a piece of a long one, in case it is cut in two.
type Remains struct {
	secrets []Secret
	of      []int // By form: the secret.
	forms   []string
	begin   *automaton
}

const (
	minPieced = 40 // From this length on a piece of a value is looked for as well.
	piece     = 20
)

// NewRemains returns one for these secrets.
func NewRemains(secrets []Secret) *Remains {
	r := &Remains{secrets: secrets}
	var begins []string
	for i, s := range secrets {
		for _, form := range remainsOf(s.Reveal()) {
			r.forms, r.of = append(r.forms, form), append(r.of, i)
			begins = append(begins, form[:min(maxBegin, len(form))])
		}
	}
	r.begin = newAutomaton(begins, false)
	return r
}

// remainsOf returns the forms in which a value may be left.
func remainsOf(value string) []string {
	forms := formsOf(value)
	if len(value) >= minPieced {
		middle := (len(value) - piece) / 2
		forms = append(forms, value[middle:middle+piece])
	}
	return forms
}

// base64At returns what base64 of a text has of a value that begins so many bytes behind a multiple of
// three, without the characters that its neighbours decide.
func base64At(value string, shift int) string {
	encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + value))
	whole := (shift + len(value)) / 3 * 4
	return encoded[min(whole, shiftedChars[shift]):whole]
}

// shiftedChars are how many characters of base64 depend on so many bytes before the value.
var shiftedChars = [3]int{0, 2, 3}

// In returns the numbers of the secrets of which something is left in a text, each once.
func (r *Remains) In(text string) []int {
	found := r.in(text, nil)
	if all := sequences(text); len(all) > 0 {
		found = r.in(removeSequences(text, all).text, found)
	}
	slices.Sort(found)
	return found
}

// in adds the numbers of the secrets of which something is left in a text.
func (r *Remains) in(text string, found []int) []int {
	r.begin.find(text, func(word, start, _ int) bool {
		if n := r.of[word]; wrappedLen(text[start:], r.forms[word]) > 0 && !slices.Contains(found, n) {
			found = append(found, n)
		}
		return len(found) < len(r.secrets)
	})
	return found
}
