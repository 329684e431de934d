package repair

import (
	"testing"
	"time"
)

// TestTimesOfOtherPrograms are read where they can't be anything else.
func TestTimesOfOtherPrograms(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 5, 9, 54, 30, 0, time.UTC)
	for raw, want := range map[string]time.Time{
		"Mon, 05 Jan 2026 09:54:30 UTC":   at,
		"Mon, 05 Jan 2026 10:54:30 +0100": at,
		"2026/01/05 09:54:30":             at,
		"05.01.2026 09:54:30":             at,
		"2026-01-05T09:54:30.000":         at,
		"1767606870":                      at,
		"1767606870000":                   at,
		"yesterday":                       {},
		"12":                              {},
		"":                                {},
		"99999999999999999999":            {},
	} {
		got, ok := parseOtherTime(raw)
		if ok != !want.IsZero() || !got.Equal(want) {
			t.Errorf("%q: %v, %v", raw, got, ok)
		}
	}
}

// TestTheRoleOfAPart is one that rows have.
func TestTheRoleOfAPart(t *testing.T) {
	t.Parallel()
	for metadata, want := range map[string]string{
		`{"originalRole":"toolResult"}`: "tool", `{"originalRole":"tool"}`: "tool", `{"originalRole":"user"}`: "user",
		`{"originalRole":"assistant"}`: "assistant", `{"originalRole":"system"}`: "system", `{"originalRole":"narrator"}`: "",
		`{"originalRole":7}`: "", `{`: "", ``: "",
	} {
		if got := storedRole(metadata); got != want {
			t.Errorf("%s: %q", metadata, got)
		}
	}
}
