package jsregexp_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/jsregexp"
)

// TestASearchHasItsWholeTime: one that was stopped before its limit is done again, one that reached
// its limit isn't.
func TestASearchHasItsWholeTime(t *testing.T) {
	t.Parallel()
	stopped := errors.New("match timeout")
	calls := 0
	if found, err := jsregexp.InItsTime(time.Hour, func() (int, error) {
		if calls++; calls < 3 {
			return 0, stopped
		}
		return 7, nil
	}); found != 7 || err != nil || calls != 3 {
		t.Errorf("stopped early: %d, %v, %d calls", found, err, calls)
	}
	calls = 0
	if _, err := jsregexp.InItsTime(time.Millisecond, func() (int, error) {
		calls++
		time.Sleep(2 * time.Millisecond)
		return 0, stopped
	}); !errors.Is(err, stopped) || calls != 1 {
		t.Errorf("at its limit: %v, %d calls", err, calls)
	}
}

// TestTimeIsLinear: patterns that only go forward have no time limit, whatever characters a text has.
func TestTimeIsLinear(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"", "👍"} {
		text := strings.Repeat("a word of a long line ", 2000) + end
		for pattern, want := range map[string]int{`[^\n]*!$`: 0, `(?:.|\n)*!`: 0, `[^\n]*e ` + end + `$`: 1, `[^!]*$`: 2} {
			re, err := jsregexp.Compile(pattern, time.Nanosecond)
			if err != nil {
				t.Fatal(err)
			}
			if found, err := re.FindAll(text, 10); err != nil || len(found) != want {
				t.Errorf("/%s/: %d places, %v; want %d", pattern, len(found), err, want)
			}
			if _, ok, err := re.Find(text); err != nil || ok != (want > 0) {
				t.Errorf("/%s/: found %v, %v", pattern, ok, err)
			}
		}
	}
}

// TestALargePatternHasATimeLimit: time linear in the text is also that of the size of the pattern, and of a long text
// and a large pattern together it is many seconds.
func TestALargePatternHasATimeLimit(t *testing.T) {
	t.Parallel()
	re, err := jsregexp.Compile(`[^b]{1,1000}b`, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]error{strings.Repeat("a word ", 10): nil, strings.Repeat("a word ", 20_000): jsregexp.ErrTimeout} {
		if _, err := re.FindAll(text, 10); !errors.Is(err, want) {
			t.Errorf("all places in %d bytes: %v, want %v", len(text), err, want)
		}
		if _, _, err := re.Find(text); !errors.Is(err, want) {
			t.Errorf("the first place in %d bytes: %v, want %v", len(text), err, want)
		}
	}
}
