package samples

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestTheDigestHasAllCodeOfSamples: what samples are made of and the digest doesn't know would leave old ones in the cache.
func TestTheDigestHasAllCodeOfSamples(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "lcm-tui/internal/samples").Output()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range strings.Fields(string(out)) {
		folder, own := strings.CutPrefix(path, "lcm-tui/")
		if !own {
			continue
		}
		if found++; !slices.Contains(sources, folder) {
			t.Errorf("the digest lacks %s", folder)
		}
	}
	if found < 5 {
		t.Errorf("only %d packages were found", found)
	}
}
