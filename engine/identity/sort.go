package identity

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"lcm-tui/data/jstext"
)

// sortMembers returns a value in which the members of all objects are sorted by name.
func sortMembers(v jstext.Value) jstext.Value {
	switch {
	case v.IsArray():
		var out []jstext.Value
		for e := range v.Elements() {
			out = append(out, sortMembers(e))
		}
		return jstext.Array(out)
	case v.IsObject():
		return sortedObject(v)
	}
	return v
}

func sortedObject(v jstext.Value) jstext.Value {
	type member struct {
		name  string
		value jstext.Value
	}
	var members []member
	for name, value := range v.Fields() {
		members = append(members, member{name, sortMembers(value)})
	}
	slices.SortStableFunc(members, func(a, b member) int { return collate(a.name, b.name) })
	var o jstext.Object
	for _, m := range members {
		o.Put(m.name, m.value)
	}
	return jstext.Parse(string(o.Value())) // JavaScript puts names that are numbers first.
}

// collate compares as JavaScript's localeCompare does: blanks, punctuation, signs, digits, letters; of
// two that only differ in accents, the one without them first, and of two that only differ in case, the
// small one.
func collate(a, b string) int {
	a, b = norm.NFD.String(a), norm.NFD.String(b)
	return cmp.Or(slices.CompareFunc(bases(a), bases(b), compareWeights), compareFolded(a, b), strings.Compare(b, a))
}

// bases returns the characters of a decomposed text without accents.
func bases(s string) []rune {
	return slices.DeleteFunc([]rune(s), func(r rune) bool { return unicode.Is(unicode.Mn, r) })
}

func compareWeights(x, y rune) int { return cmp.Compare(weight(x), weight(y)) }

func compareFolded(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }

// signs are the usual ones in the order that localeCompare has for them.
const signs = "_-–—,;:!¡?¿.…'‘’\"“”«»()[]{}§¶@*/\\&#%†‡•`´^°©®+±<=>|~¢$£¥€"

// weight orders characters by their class, and within it.
func weight(r rune) rune {
	class, at := rune(4), unicode.ToLower(r)
	switch {
	case jstext.IsSpace(r):
		class = 0
	case unicode.IsPunct(r):
		class = 1
	case unicode.Is(unicode.Sc, r):
		class = 3
	case unicode.IsSymbol(r):
		class = 2
	}
	if i := strings.IndexRune(signs, r); i >= 0 {
		at = rune(i)
	}
	return class<<24 | at
}
