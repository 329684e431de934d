package testdb

import (
	"maps"
	"slices"
	"strings"
)

// raceStep is of how many cases a widest test takes one under the race detector, which looks
// for races and not for width.
const raceStep = 4

// Runs reports whether the case with a number runs in a test of many like cases: each does,
// but under the race detector only every fourth.
func Runs(number int) bool { return !Race || number%raceStep == 0 }

// Some returns all cases, or under the race detector every fourth.
func Some[Case any](all []Case) (out []Case) {
	for i, c := range all {
		if Runs(i) {
			out = append(out, c)
		}
	}
	return out
}

// SomeOf returns all cases by their names, or under the race detector every fourth name.
func SomeOf[Case any](all map[string]Case) map[string]Case {
	some := map[string]Case{}
	for _, name := range Some(slices.Sorted(maps.Keys(all))) {
		some[name] = all[name]
	}
	return some
}

// dropsAndSome returns the alterations that drop a table, and every twelfth of the others.
func dropsAndSome(all []Alteration) (some []Alteration) {
	slices.SortFunc(all, func(a, b Alteration) int { return strings.Compare(a.Name, b.Name) })
	for i, a := range all {
		if i%12 == 0 || strings.HasPrefix(a.Name, "drop ") {
			some = append(some, a)
		}
	}
	return some
}
