package commands_test

import (
	"fmt"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
)

// TestAShareOfATinyBudgetHasNoEndlessDigits: beyond some size only that it is over counts.
func TestAShareOfATinyBudgetHasNoEndlessDigits(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	tokens := int64(testcli.Object(t, path, "context", "1")["tokens"].(float64))
	for budget, want := range map[int64]string{
		tokens * 1000: "(0%)", tokens * 2: "(50%)", tokens: "(100%)", tokens/10 + 1: "(99", tokens / 10: "(over 999%)", 1: "(over 999%)",
	} {
		if exit, out, errs := testcli.Run(t, path, "context", "1", "--budget", fmt.Sprint(budget)); exit != 0 || !strings.Contains(out, want) {
			t.Errorf("%d of %d: no %s: %s%s", tokens, budget, want, out, errs)
		}
	}
}
