package replica

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
)

// counted returns rows of two values, ends with err if it isn't nil, and counts what was read of them.
func counted(n int, text string, err error, read *int) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		row := make([]any, 2) // As the encoder's, it is another row's afterwards.
		for i := range n {
			*read++
			if row[0], row[1] = i, text; !yield(row, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// TestRowsThatAreReadAheadComeInOrder, all of them, whatever their size, and the error that ended them comes last.
func TestRowsThatAreReadAheadComeInOrder(t *testing.T) {
	t.Parallel()
	broken := errors.New("a damaged page")
	for _, text := range []string{"", "some words", strings.Repeat("x", 3*aheadBytes)} {
		for _, n := range []int{0, 1, aheadValues/2 - 1, aheadValues / 2, aheadValues/2 + 1} {
			for _, err := range []error{nil, broken} {
				if len(text) > aheadBytes {
					n = min(n, 3*aheadBatches)
				}
				read := 0
				var got []int
				var ended error
				for row, err := range ahead(counted(n, text, err, &read)) {
					if err != nil {
						ended = err
						break
					}
					if row[1] != text || len(row) != 2 {
						t.Fatalf("row %d has %d values", len(got), len(row))
					}
					got = append(got, row[0].(int))
				}
				if len(got) != n || !slices.IsSorted(got) || !errors.Is(ended, err) || read != n {
					t.Errorf("%d rows of %d bytes: %d came, %v", n, len(text), len(got), ended)
				}
			}
		}
	}
}

// TestNothingIsReadAheadOfAStop: the reader has ended once the loop has, and read no more than its batches hold.
func TestNothingIsReadAheadOfAStop(t *testing.T) {
	t.Parallel()
	read := 0
	for _, err := range ahead(counted(1_000_000, strings.Repeat("x", aheadBytes), nil, &read)) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	if read > aheadBatches+3 {
		t.Errorf("%d rows were read", read)
	}
}
