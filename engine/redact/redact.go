package redact

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"lcm-tui/internal/lazyregexp"
)

// Placeholders number secrets. The same secret has the same number in every text.
// Any number of goroutines may use one.
type Placeholders struct {
	mu      sync.Mutex
	numbers map[Secret]int
	last    int
}

// NewPlaceholders returns placeholders whose numbers begin behind last.
func NewPlaceholders(last int) *Placeholders {
	return &Placeholders{numbers: map[Secret]int{}, last: last}
}

// Number returns the number of a secret, which gets the next one when it is new.
func (p *Placeholders) Number(s Secret) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, some := p.numbers[s]
	if !some {
		p.last++
		n = p.last
		p.numbers[s] = n
	}
	return n
}

// Placeholder returns what stands in the place of the secret with this number.
func Placeholder(rule string, number int) string {
	return fmt.Sprintf("[REDACTED:%s#%d]", rule, number)
}

var placeholder = lazyregexp.New(`\[REDACTED:[a-z0-9-]{1,40}#(\d{1,9})\]`)

// LastNumber returns the highest number of the placeholders in a text, or 0.
func LastNumber(text string) (last int) {
	if !strings.Contains(text, "[REDACTED:") {
		return 0
	}
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		last = max(last, n)
	}
	return last
}

// Label is what a placeholder says: a rule and a number.
type Label struct {
	Rule   string
	Number int
}

// PlaceholdersIn returns the labels of the placeholders that stand in a text where its original has
// finds; nil where the texts differ in more than that.
func PlaceholdersIn(original string, found []Finding, text string) map[Secret]Label {
	labels := map[Secret]Label{}
	at := 0
	for _, f := range found {
		rest, same := strings.CutPrefix(text, original[at:f.Start])
		m := placeholder.FindStringSubmatchIndex(rest)
		if !same || m == nil || m[0] != 0 {
			return nil
		}
		rule, _, _ := strings.Cut(rest[len("[REDACTED:"):], "#")
		n, _ := strconv.Atoi(rest[m[2]:m[3]])
		labels[f.Secret] = Label{rule, n}
		at, text = f.End, rest[m[1]:]
	}
	if text != original[at:] {
		return nil
	}
	return labels
}

// Redactor replaces the secrets of texts by placeholders.
type Redactor struct {
	Scanner      *Scanner
	Placeholders *Placeholders
	// Least is the least certain class that is replaced.
	Least Class
}

// NewRedactor returns a redactor of the rules of this program for this class and more certain ones.
func NewRedactor(least Class) *Redactor {
	return &Redactor{Default(), NewPlaceholders(0), least}
}

// Redact replaces the secrets of a text, or of the strings of a JSON text, and returns them. All
// else stays byte for byte, so JSON stays JSON.
func (r *Redactor) Redact(text string) (redacted string, replaced []Finding) {
	for _, f := range r.Scanner.Scan(text) {
		if f.Class.AtLeast(r.Least) {
			replaced = append(replaced, f)
		}
	}
	return Replace(text, replaced, func(f Finding) string { return Placeholder(f.Rule, r.Placeholders.Number(f.Secret)) }), replaced
}

// Replace replaces finds of a text, which stand in order and don't overlap. Colours of a terminal that
// stand in a find come behind what replaces it.
func Replace(text string, found []Finding, by func(Finding) string) string {
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString(by(f))
		b.WriteString(coloursIn(text[f.Start:f.End]))
		at = f.End
	}
	b.WriteString(text[at:])
	return b.String()
}
