package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// number is one line of the result: what was measured, every sample, and the
// target that stands beside it.
type number struct {
	what    string
	samples []float64
	unit    string // ms, MiB or empty for a ratio
	target  string
}

func (n *number) add(d time.Duration) {
	n.samples = append(n.samples, float64(d.Microseconds())/1000)
}

// at is the sample below which that share of them lies.
func (n *number) at(share float64) float64 {
	s := slices.Clone(n.samples)
	slices.Sort(s)
	return s[min(len(s)-1, int(share*float64(len(s))))]
}

// median is the middle sample, or the mean of the two in the middle.
func (n *number) median() float64 {
	s := slices.Clone(n.samples)
	slices.Sort(s)
	m := len(s) / 2
	if len(s)%2 == 1 {
		return s[m]
	}
	return (s[m-1] + s[m]) / 2
}

func (n *number) show(v float64) string {
	switch {
	case n.unit == "":
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f %s", v, n.unit)
	}
	return fmt.Sprintf("%.0f %s", v, n.unit)
}

// cells are the columns of a line; a number without samples could not be
// measured here.
func (n *number) cells() []string {
	count := strconv.Itoa(len(n.samples))
	if len(n.samples) == 0 {
		return []string{n.what, "–", "–", "–", n.target, count}
	}
	return []string{n.what, n.show(n.median()), n.show(n.at(0.95)), n.show(n.at(1)), n.target, count}
}

// printTable writes the table: names to the left, numbers to the right.
func printTable(out io.Writer, numbers []*number) error {
	lines := [][]string{{"measured", "median", "p95", "max", "target", "samples"}}
	for _, n := range numbers {
		lines = append(lines, n.cells())
	}
	widths := make([]int, len(lines[0]))
	for _, l := range lines {
		for i, c := range l {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, l := range lines {
		row := fmt.Sprintf("%-*s", widths[0], l[0])
		for i := 1; i < len(l); i++ {
			row += fmt.Sprintf("  %*s", widths[i], l[i])
		}
		if _, err := fmt.Fprintln(out, row); err != nil {
			return err
		}
	}
	return nil
}
