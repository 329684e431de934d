package data

import (
	"errors"
	"slices"
	"testing"
)

// TestWarningsDontDependOnWhoReadsFirst: many read at once, and the same file gives the same warnings each time.
func TestWarningsDontDependOnWhoReadsFirst(t *testing.T) {
	t.Parallel()
	open, links, messages := errors.New("open: cut off"), errors.New("read links: damaged"), errors.New("read messages: damaged")
	for _, order := range [][]error{{links, messages, links}, {messages, links, messages}} {
		var d damage
		for _, err := range order {
			d.warnRead(err)
		}
		d.Warn(open)
		if got := d.Warnings(); !slices.Equal(got, []error{open, links, messages}) {
			t.Errorf("%v, want what was found at the start and then the reads in order", got)
		}
	}
}
