package sorting

import "sort"

// Stable sorts items as compare orders them, which gets the addresses of two items and
// returns a negative number, zero or a positive one. Items that compare as equal keep their
// order.
//
// It reads like slices.SortStableFunc, which copies both items in each comparison and is
// compiled once for each struct: 7 kB of code for each, and 12 kB for slices.SortFunc. All
// types share the code of this one. slices.SortFunc and its like are for strings, numbers
// and pointers, where one copy serves all, and for the few places where a short slice is
// sorted so often that the allocation in here counts.
func Stable[T any](items []T, compare func(a, b *T) int) {
	sort.SliceStable(items, func(i, j int) bool { return compare(&items[i], &items[j]) < 0 })
}
