package cli

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/internal/eventlog"
)

// ChoiceFlag is a flag that takes one of a few words.
type ChoiceFlag struct {
	Value string
	Words []string
}

// OneOf makes a flag that takes one of some words; preset holds where none is given.
func OneOf(preset string, words ...string) *ChoiceFlag { return &ChoiceFlag{preset, words} }

// String implements pflag.Value.
func (c *ChoiceFlag) String() string { return c.Value }

// Type implements pflag.Value; help shows it.
func (c *ChoiceFlag) Type() string { return strings.Join(c.Words, "|") }

// Set implements pflag.Value.
func (c *ChoiceFlag) Set(s string) error {
	if !slices.Contains(c.Words, s) {
		return fmt.Errorf("expected %s, not %q%s", strings.Join(c.Words, ", "), s, DidYouMean(s, "", c.Words))
	}
	c.Value = s
	return nil
}

// ChoiceListFlag is a flag that takes some of a few words; it may be given again.
type ChoiceListFlag struct{ Values, Words []string }

// Repeats implements repeatable.
func (*ChoiceListFlag) Repeats() {}

// String implements pflag.Value.
func (c *ChoiceListFlag) String() string { return strings.Join(c.Values, ",") }

// Type implements pflag.Value; help shows it.
func (c *ChoiceListFlag) Type() string { return strings.Join(c.Words, "|") }

// Set implements pflag.Value.
func (c *ChoiceListFlag) Set(s string) error {
	for word := range strings.SplitSeq(s, ",") {
		one := OneOf("", c.Words...)
		if err := one.Set(word); err != nil {
			return err
		}
		if slices.Contains(c.Values, word) {
			return fmt.Errorf("%q is given twice", word)
		}
		c.Values = append(c.Values, word)
	}
	return nil
}

// IntegerFlag is a flag that takes a whole number that is least or more.
type IntegerFlag struct {
	Value, least int64
	noun         string
	IsSet        bool
}

// AtLeast makes a flag that takes a whole number from least on.
func AtLeast(least int64, noun string) *IntegerFlag { return &IntegerFlag{least: least, noun: noun} }

// Preset returns the number with a value that it has when nothing is given.
func (n *IntegerFlag) Preset(v int64) *IntegerFlag {
	n.Value = v
	return n
}

// String implements pflag.Value.
func (n *IntegerFlag) String() string {
	if n.Value == 0 && !n.IsSet {
		return ""
	}
	return strconv.FormatInt(n.Value, 10)
}

// Type implements pflag.Value; help shows it.
func (n *IntegerFlag) Type() string { return n.noun }

// Set implements pflag.Value.
func (n *IntegerFlag) Set(s string) error {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || v < n.least {
		return fmt.Errorf("expected a whole number from %d, not %q", n.least, s)
	}
	n.Value, n.IsSet = v, true
	return nil
}

// Given returns the number, or nil where the flag isn't given.
func (n *IntegerFlag) Given() *int64 {
	if !n.IsSet {
		return nil
	}
	return &n.Value
}

// DurationFlag is a flag that takes a time, such as 90s or 2m, or a number of seconds.
type DurationFlag struct {
	Value time.Duration
	IsSet bool
	Most  time.Duration // The longest time that it takes; 0 is a day.
}

// String implements pflag.Value.
func (d *DurationFlag) String() string {
	if !d.IsSet {
		return ""
	}
	return d.Value.String()
}

// Type implements pflag.Value; help shows it.
func (*DurationFlag) Type() string { return "SECONDS|DURATION" }

// Set implements pflag.Value.
func (d *DurationFlag) Set(s string) error {
	const day = 24 * time.Hour
	most, longest := cmp.Or(d.Most, day), "a day"
	if most < day {
		longest = fmt.Sprintf("%gm", most.Minutes())
	}
	v, err := time.ParseDuration(s)
	if f, e := strconv.ParseFloat(s, 64); e == nil && f > 0 && f <= most.Seconds() {
		v, err = time.Duration(f*float64(time.Second)), nil
	}
	if err != nil || v < time.Millisecond || v > most {
		return fmt.Errorf("expected seconds, or a time such as 90s or 2m, of at most %s, not %q", longest, s)
	}
	d.Value, d.IsSet = v, true
	return nil
}

// WaitFlag is a flag that takes how long to wait, which may be not at all: 0.
type WaitFlag struct{ DurationFlag }

// Set implements pflag.Value.
func (w *WaitFlag) Set(s string) error {
	if s == "0" || s == "0s" {
		w.Value, w.IsSet = 0, true
		return nil
	}
	return w.DurationFlag.Set(s)
}

// DollarFlag is a flag that takes an amount of money above zero.
type DollarFlag struct{ Value float64 }

// String implements pflag.Value.
func (d *DollarFlag) String() string {
	if d.Value == 0 {
		return ""
	}
	return strconv.FormatFloat(d.Value, 'f', -1, 64)
}

// Type implements pflag.Value; help shows it.
func (*DollarFlag) Type() string { return "DOLLARS" }

// Set implements pflag.Value.
func (d *DollarFlag) Set(s string) error {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) { // NaN isn't above zero.
		return fmt.Errorf("expected an amount above 0, such as 0.50, not %q", s)
	}
	d.Value = v
	return nil
}

// RepeatedWords is a flag that takes texts split by commas, and may be given again.
type RepeatedWords struct {
	Values []string
	Noun   string
	Whole  bool // A comma is part of the text.
}

// Repeats implements repeatable.
func (*RepeatedWords) Repeats() {}

// String implements pflag.Value.
func (l *RepeatedWords) String() string { return strings.Join(l.Values, ",") }

// Type implements pflag.Value; help shows it.
func (l *RepeatedWords) Type() string { return l.Noun }

// Set implements pflag.Value.
func (l *RepeatedWords) Set(s string) error {
	parts := []string{s}
	if !l.Whole {
		parts = strings.Split(s, ",")
	}
	for _, part := range parts {
		part = strings.TrimSpace(part)
		switch {
		case part == "":
			return fmt.Errorf("expected %s, not an empty text in %q", l.Noun, s)
		case slices.Contains(l.Values, part):
			return fmt.Errorf("%q is given twice", part)
		}
		l.Values = append(l.Values, part)
	}
	return nil
}

// TextFlag is a flag that takes text which may not be empty.
type TextFlag struct{ Value, Noun string }

// String implements pflag.Value.
func (w *TextFlag) String() string { return w.Value }

// Type implements pflag.Value; help shows it.
func (w *TextFlag) Type() string { return w.Noun }

// Set implements pflag.Value.
func (w *TextFlag) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return fmt.Errorf("expected %s, not an empty text", w.Noun)
	}
	w.Value = s
	return nil
}

// ZoneFlag is a flag that takes a time zone.
type ZoneFlag struct{ At *time.Location }

// String implements pflag.Value.
func (z *ZoneFlag) String() string {
	if z.At == nil {
		return ""
	}
	return z.At.String()
}

// Type implements pflag.Value; help shows it.
func (z *ZoneFlag) Type() string { return "ZONE" }

// Set implements pflag.Value.
func (z *ZoneFlag) Set(s string) error {
	at, err := time.LoadLocation(s)
	if err != nil || s == "" || s == "Local" {
		return fmt.Errorf("expected a time zone such as UTC or Europe/Berlin, not %q", s)
	}
	z.At = at
	return nil
}

// LogFlag is the flag that names a log file. Every process that works while nobody watches has it.
type LogFlag struct{ path TextFlag }

// Bind adds the flag.
func (l *LogFlag) Bind(fs *pflag.FlagSet) {
	l.path.Noun = "FILE"
	fs.Var(&l.path, "log-file", "write each event as a line of JSON into this file; at 10 MB it begins again, and the two before it are kept")
}

// String returns the path that was given, or empty.
func (l *LogFlag) String() string { return l.path.Value }

// IsSet reports whether a file is named.
func (l *LogFlag) IsSet() bool { return l.path.Value != "" }

// MakeWhole makes the path whole, for a process that runs in another folder.
func (l *LogFlag) MakeWhole() (err error) {
	if l.IsSet() {
		l.path.Value, err = filepath.Abs(l.path.Value)
	}
	return err
}

// Open opens the log: the file that is named, where every event goes, or else the error output, where only those go that
// are as bad as least: as text on a terminal, else as JSON.
func (l *LogFlag) Open(c *Invocation, least slog.Level) (log *slog.Logger, done func(), err error) {
	switch {
	case !l.IsSet() && IsTerminal(c.Sys.Err):
		return slog.New(slog.NewTextHandler(c.Sys.Err, &slog.HandlerOptions{Level: least})), func() {}, nil
	case !l.IsSet():
		return eventlog.New(c.Sys.Err, least), func() {}, nil
	}
	path, err := CheckedPath(c.ClosedDestinations(), l.path.Value)
	if err != nil {
		return nil, nil, err
	}
	f, err := eventlog.Open(path, eventlog.MaxBytes, eventlog.MaxFiles)
	if err != nil {
		return nil, nil, err
	}
	return eventlog.New(f, slog.LevelInfo), func() { _ = f.Close() }, nil
}

// singleValue refuses a second value of a flag that keeps only one: the parser would drop
// the first one silently.
type singleValue struct {
	pflag.Value
	value string
	set   bool
}

// Set implements pflag.Value. A switch may be given again as it was.
func (o *singleValue) Set(s string) error {
	if o.set && (o.Type() != "bool" || o.value != s) {
		return fmt.Errorf("given twice, as %q and %q; it takes one value", o.value, s)
	}
	o.value, o.set = s, true
	return o.Value.Set(s)
}

// repeatable is a flag value that may be given several times.
type repeatable interface{ Repeats() }

// refuseRepeats makes all flags of a command and its children that keep one value refuse
// a second one.
func refuseRepeats(cmd *cobra.Command) {
	wrapFlags(cmd, func(f *pflag.Flag) {
		_, several := f.Value.(repeatable)
		if _, wrapped := f.Value.(*singleValue); !several && !wrapped {
			f.Value = &singleValue{Value: f.Value}
		}
	})
}

// wrapFlags calls wrap with all flags of a command and its children.
func wrapFlags(cmd *cobra.Command, wrap func(*pflag.Flag)) {
	cmd.Flags().VisitAll(wrap)
	cmd.PersistentFlags().VisitAll(wrap)
	for _, c := range cmd.Commands() {
		wrapFlags(c, wrap)
	}
}

// parsedTwice takes each value once: cobra parses the flags of a command line twice where a
// shell asks for completions.
type parsedTwice struct {
	pflag.Value
	parsed []string
}

// Set implements pflag.Value.
func (o *parsedTwice) Set(s string) error {
	if slices.Contains(o.parsed, s) {
		return nil
	}
	o.parsed = append(o.parsed, s)
	return o.Value.Set(s)
}

// acceptRepeats makes all flags of a command and its children take each value once.
func acceptRepeats(cmd *cobra.Command) {
	wrapFlags(cmd, func(f *pflag.Flag) {
		if _, wrapped := f.Value.(*parsedTwice); !wrapped {
			f.Value = &parsedTwice{Value: f.Value}
		}
	})
}
