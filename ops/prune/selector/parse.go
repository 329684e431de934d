package selector

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/lazyregexp"

	"github.com/dustin/go-humanize"
)

const (
	ageGrammar  = "write a number and one unit, d for days, w for weeks, m for months of 30 days, y for years of 365 days, such as 90d; or a day, such as 2026-05-01"
	sizeGrammar = "write a number and a unit, such as 500MB, 1.5GB or 64KiB"
)

var (
	ageForm  = lazyregexp.New(`^(\d+)([dwmy])$`)
	twoUnits = lazyregexp.New(`^(?:\d+[a-z]+){2,}$`)
	unitDays = map[string]int64{"d": 1, "w": 7, "m": 30, "y": 365}
)

// ParseAge reads an age or a day, and returns the time before which what was written is older. A
// day begins at midnight UTC.
func ParseAge(text string, now time.Time) (time.Time, error) {
	bad := func(why string) (time.Time, error) {
		return time.Time{}, hint.New(fmt.Sprintf("%q %s", text, why), ageGrammar)
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		if day.After(now) {
			return bad("is in the future")
		}
		return day, nil
	}
	m := ageForm.FindStringSubmatch(text)
	switch {
	case m == nil && strings.HasPrefix(text, "-"):
		return bad("is negative")
	case m == nil && twoUnits.MatchString(text):
		return bad("has two units")
	case m == nil && regexp.MustCompile(`^\d+$`).MatchString(text):
		return bad("has no unit")
	case m == nil:
		return bad("is no age and no day")
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || n > 100_000 {
		return bad("is too long ago")
	}
	if n == 0 {
		return bad("is no time at all")
	}
	return now.Add(-time.Duration(n*unitDays[m[2]]) * 24 * time.Hour), nil
}

var sizeForm = lazyregexp.New(`(?i)^(\d+(?:\.\d+)?) ?([kmgt]i?b|b)$`)

// ParseSize reads a size in bytes: powers of ten, or of two with an i in the unit.
func ParseSize(text string) (int64, error) {
	n, err := humanize.ParseBytes(text)
	if !sizeForm.MatchString(text) || err != nil || n == 0 || n > math.MaxInt64 {
		return 0, hint.New(fmt.Sprintf("%q is no size", text), sizeGrammar)
	}
	return int64(n), nil
}

func formatSize(n int64) string { return humanize.Bytes(uint64(max(0, n))) }
