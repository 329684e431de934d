package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/data"
)

// Timespan is the flags that pick what is from a stretch of time. What is at its begin
// belongs to it, what is at its end doesn't.
type Timespan struct {
	After, Before TimePoint
	between       timeRange
	Recency       duration
}

// Bind adds the flags to a command.
func (t *Timespan) Bind(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(&t.After, "after", "only from this time on, such as 2026-01-05 or 2026-01-05T14:30Z; local time without a zone")
	fs.Var(&t.Before, "before", "only before this time")
	t.BindStretch(cmd)
}

// BindStretch adds the flags that say a stretch of time.
func (t *Timespan) BindStretch(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(&t.between, "between", "only from this range of time, such as 2026-01-05..2026-01-07")
	fs.Var(&t.Recency, "recency", "only from the last 90m, 24h, 7d or 2w")
}

// IsSet reports whether any of the flags was given.
func (t *Timespan) IsSet() bool {
	return t.After.IsSet() || t.Before.IsSet() || t.between.from.IsSet() || t.Recency.Value > 0
}

// From and to are the ends of the stretch; zero is open.
func (t *Timespan) From(now time.Time) time.Time {
	switch {
	case t.Recency.Value > 0:
		return now.Add(-t.Recency.Value)
	case t.between.from.IsSet():
		return t.between.from.At
	}
	return t.After.At
}

func (t *Timespan) to() time.Time {
	if t.between.to.IsSet() {
		return t.between.to.At
	}
	return t.Before.At
}

// Holds reports whether what began and ended then is, at least in part, from the
// timeRange of time.
func (t *Timespan) Holds(now, began, ended time.Time) bool {
	from, to := t.From(now), t.to()
	return (from.IsZero() || !ended.Before(from)) && (to.IsZero() || began.Before(to))
}

// TimePoint is a flag that takes a time, and where there are ids also one of these.
type TimePoint struct {
	At    time.Time
	ID    int64
	OrID  bool
	given string
}

// IsSet reports whether the flag was given.
func (p *TimePoint) IsSet() bool { return p.given != "" }

// String implements pflag.Value.
func (p *TimePoint) String() string { return p.given }

// Type implements pflag.Value; help shows it.
func (p *TimePoint) Type() string {
	if p.OrID {
		return "ID|TIME"
	}
	return "TIME"
}

// Set implements pflag.Value.
func (p *TimePoint) Set(s string) error {
	if id, err := strconv.ParseInt(s, 10, 64); p.OrID && err == nil && id > 0 {
		p.ID, p.given = id, s
		return nil
	}
	at, err := TimeOf(s)
	if err != nil {
		if p.OrID {
			return fmt.Errorf("expected a message_id, or %w", err)
		}
		return fmt.Errorf("expected %w", err)
	}
	p.At, p.given = at, s
	return nil
}

// layouts are the times that are understood. Without a zone they are local, as all times
// are shown.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly,
}

// TimeOf reads a time as it is typed.
func TimeOf(s string) (time.Time, error) {
	for _, layout := range layouts {
		if t, err := data.ParseInZone(layout, strings.TrimSpace(s), time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("a time such as 2026-01-05, 2026-01-05T14:30 or 2026-01-05T14:30:00Z, not %q", s)
}

// timeRange is a flag that takes two times.
type timeRange struct{ from, to TimePoint }

// String implements pflag.Value.
func (s *timeRange) String() string {
	if !s.from.IsSet() {
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
		if !s.from.At.Before(s.to.At) {
			return fmt.Errorf("expected the earlier time first, not %q", text)
		}
		return nil
	}
	return fmt.Errorf("expected two times, such as 2026-01-05..2026-01-07, not %q", text)
}

// duration is a flag that takes how long ago.
type duration struct {
	Value time.Duration
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
	a.Value, a.given = v, s
	return nil
}
