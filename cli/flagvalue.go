package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choiceFlag is a flag that takes one of a few words.
type choiceFlag struct {
	value string
	words []string
}

func oneOf(preset string, words ...string) *choiceFlag { return &choiceFlag{preset, words} }

// String implements pflag.Value.
func (c *choiceFlag) String() string { return c.value }

// Type implements pflag.Value; help shows it.
func (c *choiceFlag) Type() string { return strings.Join(c.words, "|") }

// Set implements pflag.Value.
func (c *choiceFlag) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("expected %s, not %q%s", strings.Join(c.words, ", "), s, didYouMean(s, "", c.words))
	}
	c.value = s
	return nil
}

// choiceListFlag is a flag that takes some of a few words; it may be given again.
type choiceListFlag struct{ values, words []string }

func (*choiceListFlag) Repeats() {}

// String implements pflag.Value.
func (c *choiceListFlag) String() string { return strings.Join(c.values, ",") }

// Type implements pflag.Value; help shows it.
func (c *choiceListFlag) Type() string { return strings.Join(c.words, "|") }

// Set implements pflag.Value.
func (c *choiceListFlag) Set(s string) error {
	for word := range strings.SplitSeq(s, ",") {
		one := oneOf("", c.words...)
		if err := one.Set(word); err != nil {
			return err
		}
		if slices.Contains(c.values, word) {
			return fmt.Errorf("%q is given twice", word)
		}
		c.values = append(c.values, word)
	}
	return nil
}

// integerFlag is a flag that takes a whole number that is least or more.
type integerFlag struct {
	value, least int64
	noun         string
	IsSet        bool
}

func atLeast(least int64, noun string) *integerFlag { return &integerFlag{least: least, noun: noun} }

// preset is the number with a value that it has when nothing is given.
func (n *integerFlag) preset(v int64) *integerFlag {
	n.value = v
	return n
}

// String implements pflag.Value.
func (n *integerFlag) String() string {
	if n.value == 0 && !n.IsSet {
		return ""
	}
	return strconv.FormatInt(n.value, 10)
}

// Type implements pflag.Value; help shows it.
func (n *integerFlag) Type() string { return n.noun }

// Set implements pflag.Value.
func (n *integerFlag) Set(s string) error {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || v < n.least {
		return fmt.Errorf("expected a whole number from %d, not %q", n.least, s)
	}
	n.value, n.IsSet = v, true
	return nil
}

// given is the number, or nil where the flag isn't given.
func (n *integerFlag) given() *int64 {
	if !n.IsSet {
		return nil
	}
	return &n.value
}

// durationFlag is a flag that takes a time, such as 90s or 2m, or a number of seconds.
type durationFlag struct {
	value time.Duration
	IsSet bool
}

// String implements pflag.Value.
func (d *durationFlag) String() string {
	if !d.IsSet {
		return ""
	}
	return d.value.String()
}

// Type implements pflag.Value; help shows it.
func (*durationFlag) Type() string { return "SECONDS|DURATION" }

// Set implements pflag.Value.
func (d *durationFlag) Set(s string) error {
	const most = 24 * time.Hour
	v, err := time.ParseDuration(s)
	if f, e := strconv.ParseFloat(s, 64); e == nil && f > 0 && f <= most.Seconds() {
		v, err = time.Duration(f*float64(time.Second)), nil
	}
	if err != nil || v < time.Millisecond || v > most {
		return fmt.Errorf("expected seconds, or a time such as 90s or 2m, of at most a day, not %q", s)
	}
	d.value, d.IsSet = v, true
	return nil
}

// dollarFlag is a flag that takes an amount of money above zero.
type dollarFlag struct{ value float64 }

// String implements pflag.Value.
func (d *dollarFlag) String() string {
	if d.value == 0 {
		return ""
	}
	return strconv.FormatFloat(d.value, 'f', -1, 64)
}

// Type implements pflag.Value; help shows it.
func (*dollarFlag) Type() string { return "DOLLARS" }

// Set implements pflag.Value.
func (d *dollarFlag) Set(s string) error {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) { // NaN isn't above zero.
		return fmt.Errorf("expected an amount above 0, such as 0.50, not %q", s)
	}
	d.value = v
	return nil
}

// repeatedWords is a flag that takes texts split by commas, and may be given again.
type repeatedWords struct {
	values []string
	noun   string
	whole  bool // A comma is part of the text.
}

func (*repeatedWords) Repeats() {}

// String implements pflag.Value.
func (l *repeatedWords) String() string { return strings.Join(l.values, ",") }

// Type implements pflag.Value; help shows it.
func (l *repeatedWords) Type() string { return l.noun }

// Set implements pflag.Value.
func (l *repeatedWords) Set(s string) error {
	parts := []string{s}
	if !l.whole {
		parts = strings.Split(s, ",")
	}
	for _, part := range parts {
		part = strings.TrimSpace(part)
		switch {
		case part == "":
			return fmt.Errorf("expected %s, not an empty text in %q", l.noun, s)
		case slices.Contains(l.values, part):
			return fmt.Errorf("%q is given twice", part)
		}
		l.values = append(l.values, part)
	}
	return nil
}

// textFlag is a flag that takes text which may not be empty.
type textFlag struct{ value, noun string }

// String implements pflag.Value.
func (w *textFlag) String() string { return w.value }

// Type implements pflag.Value; help shows it.
func (w *textFlag) Type() string { return w.noun }

// Set implements pflag.Value.
func (w *textFlag) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return fmt.Errorf("expected %s, not an empty text", w.noun)
	}
	w.value = s
	return nil
}

// zoneFlag is a flag that takes a time zone.
type zoneFlag struct{ at *time.Location }

// String implements pflag.Value.
func (z *zoneFlag) String() string {
	if z.at == nil {
		return ""
	}
	return z.at.String()
}

// Type implements pflag.Value; help shows it.
func (z *zoneFlag) Type() string { return "ZONE" }

// Set implements pflag.Value.
func (z *zoneFlag) Set(s string) error {
	at, err := time.LoadLocation(s)
	if err != nil || s == "" || s == "Local" {
		return fmt.Errorf("expected a time zone such as UTC or Europe/Berlin, not %q", s)
	}
	z.at = at
	return nil
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
