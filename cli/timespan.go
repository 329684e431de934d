package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// timespan is the flags that pick what is from a stretch of time. What is at its begin
// belongs to it, what is at its end doesn't.
type timespan struct {
	after, before timePoint
	between       timeRange
	recency       duration
}

func (t *timespan) bind(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(&t.after, "after", "only from this time on, such as 2026-01-05 or 2026-01-05T14:30Z; local time without a zone")
	fs.Var(&t.before, "before", "only before this time")
	t.bindStretch(cmd)
}

func (t *timespan) bindStretch(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(&t.between, "between", "only from this range of time, such as 2026-01-05..2026-01-07")
	fs.Var(&t.recency, "recency", "only from the last 90m, 24h, 7d or 2w")
}

// set reports whether any of the flags was given.
func (t *timespan) set() bool {
	return t.after.set() || t.before.set() || t.between.from.set() || t.recency.value > 0
}

// from and to are the ends of the stretch; zero is open.
func (t *timespan) from(now time.Time) time.Time {
	switch {
	case t.recency.value > 0:
		return now.Add(-t.recency.value)
	case t.between.from.set():
		return t.between.from.at
	}
	return t.after.at
}

func (t *timespan) to() time.Time {
	if t.between.to.set() {
		return t.between.to.at
	}
	return t.before.at
}

// holds reports whether what began and ended then is, at least in part, from the
// timeRange of time.
func (t *timespan) holds(now, began, ended time.Time) bool {
	from, to := t.from(now), t.to()
	return (from.IsZero() || !ended.Before(from)) && (to.IsZero() || began.Before(to))
}

// timePoint is a flag that takes a time, and where there are ids also one of these.
type timePoint struct {
	at    time.Time
	id    int64
	orID  bool
	given string
}

func (p *timePoint) set() bool { return p.given != "" }

// String implements pflag.Value.
func (p *timePoint) String() string { return p.given }

// Type implements pflag.Value; help shows it.
func (p *timePoint) Type() string {
	if p.orID {
		return "ID|TIME"
	}
	return "TIME"
}

// Set implements pflag.Value.
func (p *timePoint) Set(s string) error {
	if id, err := strconv.ParseInt(s, 10, 64); p.orID && err == nil && id > 0 {
		p.id, p.given = id, s
		return nil
	}
	at, err := timeOf(s)
	if err != nil {
		if p.orID {
			return fmt.Errorf("expected a message_id, or %w", err)
		}
		return fmt.Errorf("expected %w", err)
	}
	p.at, p.given = at, s
	return nil
}

// layouts are the times that are understood. Without a zone they are local, as all times
// are shown.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly,
}

func timeOf(s string) (time.Time, error) {
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, strings.TrimSpace(s), time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("a time such as 2026-01-05, 2026-01-05T14:30 or 2026-01-05T14:30:00Z, not %q", s)
}

// timeRange is a flag that takes two times.
type timeRange struct{ from, to timePoint }

// String implements pflag.Value.
func (s *timeRange) String() string {
	if !s.from.set() {
		return ""
	}
	return s.from.given + ".." + s.to.given
}

// Type implements pflag.Value; help shows it.
func (*timeRange) Type() string { return "TIME..TIME" }

// Set implements pflag.Value.
func (s *timeRange) Set(text string) error {
	for _, between := range []string{"..", ",", "/"} {
		from, to, ok := strings.Cut(text, between)
		if !ok {
			continue
		}
		if err := s.from.Set(from); err != nil {
			return fmt.Errorf("%w, in %q", err, text)
		}
		if err := s.to.Set(to); err != nil {
			return fmt.Errorf("%w, in %q", err, text)
		}
		if !s.from.at.Before(s.to.at) {
			return fmt.Errorf("expected the earlier time first, not %q", text)
		}
		return nil
	}
	return fmt.Errorf("expected two times, such as 2026-01-05..2026-01-07, not %q", text)
}

// duration is a flag that takes how long ago.
type duration struct {
	value time.Duration
	given string
}

// String implements pflag.Value.
func (a *duration) String() string { return a.given }

// Type implements pflag.Value; help shows it.
func (*duration) Type() string { return "AGE" }

// Set implements pflag.Value.
func (a *duration) Set(s string) error {
	const day = 24 * time.Hour
	unit, number := time.Duration(0), s
	for suffix, per := range map[string]time.Duration{"d": day, "w": 7 * day} {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			unit, number = per, rest
		}
	}
	v, err := time.ParseDuration(s)
	if unit > 0 {
		var n int64
		n, err = strconv.ParseInt(number, 10, 32)
		v = time.Duration(n) * unit
	}
	if err != nil || v <= 0 || v > 200*365*day {
		return fmt.Errorf("expected a time such as 90m, 24h, 7d or 2w, not %q", s)
	}
	a.value, a.given = v, s
	return nil
}
