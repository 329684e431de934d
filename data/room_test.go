package data_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"

	"lcm-tui/data"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
)

// TestRoom: too little of it is a full disk, in a text that says how much is needed, where, and how much there is. Two sizes
// that would read the same are said to the byte.
func TestRoom(t *testing.T) {
	t.Parallel()
	disk := testdb.Disk(t, 3<<20)
	free, _ := filesystem.FreeSpace(disk)
	if err := data.CheckRoom(disk, free, "free some", "free some"); err != nil {
		t.Errorf("what fits: %v", err)
	}
	for needed, want := range map[int64]string{
		free + 40e6: humanize.Bytes(uint64(free+40e6)) + " of free disk are needed in " + disk + ", and there are " + humanize.Bytes(uint64(free)),
		free + 1:    fmt.Sprintf("%s bytes of free disk are needed in %s, and there are %s bytes", humanize.Comma(free+1), disk, humanize.Comma(free)),
	} {
		err := data.CheckRoom(disk, needed, "lcm-tui reclaim", "free some")
		if !errors.Is(err, data.ErrFull) || !strings.Contains(err.Error(), want) || hint.Of(err) != "lcm-tui reclaim" || hint.OnScreen(err) != "free some" {
			t.Errorf("%v, not %s", err, want)
		}
	}
}
