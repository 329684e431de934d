// Package testlength makes tests shorter where quick answers are wanted: with -short, and under the race detector, which looks for
// races and not for results, and with which everything takes five times as long. Only tests may import it.
package testlength

import (
	"maps"
	"slices"
	"testing"
)

// step is of how many cases a short test takes one.
const step = 12

// Short reports whether tests are to be short: with -short, and under the race detector.
func Short() bool { return Race || testing.Short() }

// Long skips a long test where tests are to be short. It says that shorter tests run what runs at the same time here, so that the
// race detector misses nothing.
func Long(t testing.TB) {
	t.Helper()
	if Short() {
		t.Skip("a long test: neither with -short nor under the race detector")
	}
}

// Runs reports whether the case with a number runs in a test of many like cases: each does, but in a short test only every twelfth.
func Runs(number int) bool { return !Short() || number%step == 0 }

// Some returns all cases, or in a short test every twelfth.
func Some[Case any](all []Case) (out []Case) {
	for i, c := range all {
		if Runs(i) {
			out = append(out, c)
		}
	}
	return out
}

// SomeOf returns all cases by their names, or in a short test every twelfth name.
func SomeOf[Case any](all map[string]Case) map[string]Case {
	some := map[string]Case{}
	for _, name := range Some(slices.Sorted(maps.Keys(all))) {
		some[name] = all[name]
	}
	return some
}
