package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

func oneOf(preset string, words ...string) *choice { return &choice{preset, words} }

// String implements pflag.Value.
func (c *choice) String() string { return c.value }

// Type implements pflag.Value; help shows it.
func (c *choice) Type() string { return strings.Join(c.words, "|") }

// Set implements pflag.Value.
func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("expected %s, not %q%s", strings.Join(c.words, ", "), s, perhaps(s, "", c.words))
	}
	c.value = s
	return nil
}

// number is a flag that takes a whole number that is least or more.
type number struct {
	value, least int64
	noun         string
	set          bool
}

func atLeast(least int64, noun string) *number { return &number{least: least, noun: noun} }

// preset is the number with a value that it has when nothing is given.
func (n *number) preset(v int64) *number {
	n.value = v
	return n
}

// String implements pflag.Value.
func (n *number) String() string {
	if n.value == 0 && !n.set {
		return ""
	}
	return strconv.FormatInt(n.value, 10)
}

// Type implements pflag.Value; help shows it.
func (n *number) Type() string { return n.noun }

// Set implements pflag.Value.
func (n *number) Set(s string) error {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || v < n.least {
		return fmt.Errorf("expected a whole number from %d, not %q", n.least, s)
	}
	n.value, n.set = v, true
	return nil
}

// words is a flag that takes text which may not be empty.
type words struct{ value, noun string }

// String implements pflag.Value.
func (w *words) String() string { return w.value }

// Type implements pflag.Value; help shows it.
func (w *words) Type() string { return w.noun }

// Set implements pflag.Value.
func (w *words) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return fmt.Errorf("expected %s, not an empty text", w.noun)
	}
	w.value = s
	return nil
}
