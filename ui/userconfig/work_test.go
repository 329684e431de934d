package userconfig_test

import (
	"testing"

	"lcm-tui/ui/userconfig"
)

// TestWork: the table [work] says what is done by itself. What it doesn't set costs nothing; a mistake changes
// nothing.
func TestWork(t *testing.T) {
	t.Parallel()
	free := userconfig.Work{Enabled: true, Provider: "extractive", Calls: 100, Dollars: 1}
	for text, want := range map[string]userconfig.Work{
		"": free,
		"[work]\nenabled = false\nprovider = \"claude\"\nmodel = \"haiku\"\nmax-calls-per-day = 7\nmax-dollars-per-day = 0.25": {Provider: "claude", Model: "haiku", Calls: 7, Dollars: 0.25},
		"[work]\nmax-dollars-per-day = 0": {Enabled: true, Provider: "extractive", Calls: 100},
	} {
		if c := load(t, text); c.Work != want || len(c.Problems) > 0 {
			t.Errorf("%q: %+v, %v", text, c.Work, c.Problems)
		}
	}
	for _, text := range []string{"enabled = 1", "enabled = [true, false]", "max-calls-per-day = -1", "max-calls-per-day = 1.5", "max-dollars-per-day = \"much\"", "max-dollars-per-day = nan", "colour = 2"} {
		if c := load(t, "[work]\n"+text); c.Work != free || len(c.Problems) != 1 || c.Problems[0].Line != 2 {
			t.Errorf("%q: %+v, %v", text, c.Work, c.Problems)
		}
	}
}

// TestTheLimitOfDollarsInWords: 0 is none.
func TestTheLimitOfDollarsInWords(t *testing.T) {
	t.Parallel()
	for dollars, want := range map[float64]string{0: "any amount", 0.005: "$0.005", 0.25: "$0.25", 12: "$12.00"} {
		if got := (userconfig.Work{Dollars: dollars}).LimitText(); got != want {
			t.Errorf("%g: %s", dollars, got)
		}
	}
}
