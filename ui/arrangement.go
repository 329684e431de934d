package ui

import (
	"slices"
	"strings"
)

// Sort is one order of a list. A nil Less is the order of the items as given.
type Sort[T any] struct {
	Name string
	Less func(a, b T) bool
}

// arrangement has the items of a list as its rows: in the chosen order, and without those that a filter
// leaves out.
type arrangement[T any] struct {
	items []T
	rows  []int // Indexes of the items that pass the filter, sorted.

	order     []int // Indexes of all items, sorted.
	positions []int // Where in order each item is.

	sorts    []Sort[T]
	sorted   int
	reversed bool

	needle      string         // What the filter searches.
	text        func(T) string // Where it searches; nil for a list without filter.
	foldedTexts []string       // Lower-case texts of items, made by the first filter.
}

// at returns the item of a row.
func (a *arrangement[T]) at(row int) T { return a.items[a.rows[row]] }

// sort puts the items in order. The rows are made by filter.
func (a *arrangement[T]) sort() {
	a.order = make([]int, len(a.items))
	for i := range a.order {
		a.order[i] = i
	}
	if len(a.sorts) > 0 {
		if less := a.sorts[a.sorted].Less; less != nil {
			slices.SortStableFunc(a.order, func(i, k int) int {
				return compare(less, a.items[i], a.items[k])
			})
		}
	}
	if a.reversed {
		slices.Reverse(a.order)
	}
	a.positions = make([]int, len(a.items))
	for pos, i := range a.order {
		a.positions[i] = pos
	}
}

func compare[T any](less func(a, b T) bool, a, b T) int {
	switch {
	case less(a, b):
		return -1
	case less(b, a):
		return 1
	}
	return 0
}

// filter makes the rows. hiddenID is List.HiddenID.
func (a *arrangement[T]) filter(hiddenID func(T) string) {
	a.rows = a.rows[:0:0]
	needle := strings.ToLower(a.needle)
	isID := hiddenID != nil && LooksLikeID(needle)
	for _, i := range a.order {
		if needle == "" || strings.Contains(a.foldedText(i), needle) ||
			isID && strings.HasPrefix(strings.ToLower(hiddenID(a.items[i])), needle) {
			a.rows = append(a.rows, i)
		}
	}
}

// foldedText returns the lower-case text of item i.
func (a *arrangement[T]) foldedText(i int) string {
	if a.foldedTexts == nil {
		a.foldedTexts = make([]string, len(a.items))
		for k, it := range a.items {
			a.foldedTexts[k] = strings.ToLower(a.text(it))
		}
	}
	return a.foldedTexts[i]
}

// LooksLikeID reports whether a text that was typed may be part of an id that lists don't
// show, such as a UUID: six or more hexadecimal digits, dashes left out. Filters compare
// such ids with no other text, so that what matches is what is seen.
func LooksLikeID(text string) bool {
	digits := strings.ReplaceAll(strings.TrimSpace(text), "-", "")
	return len(digits) >= 6 && strings.Trim(strings.ToLower(digits), "0123456789abcdef") == ""
}
