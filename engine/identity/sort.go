package identity

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

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

// punctuation in the order in which a locale's alphabet has it, before digits and
// letters.
const punctuation = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"

// collate compares as a locale does: punctuation, digits, letters; of two that only
// differ in case, the small one first.
func collate(a, b string) int {
	if n := slices.CompareFunc([]rune(a), []rune(b), func(x, y rune) int { return cmp.Compare(weight(x), weight(y)) }); n != 0 {
		return n
	}
	return strings.Compare(b, a)
}

func weight(r rune) rune {
	if i := strings.IndexRune(punctuation, r); i >= 0 {
		return rune(i)
	}
	return 0x100 + unicode.ToLower(r)
}
