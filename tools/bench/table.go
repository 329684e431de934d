package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// measurement is one line of the result table: its name, every sample, and the target.
type measurement struct {
	what    string
	samples []float64
	unit    string // "ms", "MiB", or empty for a ratio.
	target  string
}

func (n *measurement) add(d time.Duration) {
	n.samples = append(n.samples, float64(d.Microseconds())/1000)
}

// percentile returns the sample that a share of all samples, 0 to 1, does not exceed.
func (n *measurement) percentile(share float64) float64 {
	s := slices.Clone(n.samples)
	slices.Sort(s)
	return s[min(len(s)-1, int(share*float64(len(s))))]
}

// median returns the middle sample, or the mean of the two in the middle.
func (n *measurement) median() float64 {
	s := slices.Clone(n.samples)
	slices.Sort(s)
	m := len(s) / 2
	if len(s)%2 == 1 {
		return s[m]
	}
	return (s[m-1] + s[m]) / 2
}

func (n *measurement) format(v float64) string {
	switch {
	case n.unit == "":
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f %s", v, n.unit)
	}
	return fmt.Sprintf("%.0f %s", v, n.unit)
}

// cells returns the columns of a line. A measurement without samples was not possible on this
// machine.
func (n *measurement) cells() []string {
	count := strconv.Itoa(len(n.samples))
	if len(n.samples) == 0 {
		return []string{n.what, "–", "–", "–", n.target, count}
	}
	return []string{n.what, n.format(n.median()), n.format(n.percentile(0.95)), n.format(n.percentile(1)), n.target, count}
}

// printTable writes the table: names to the left, measurements to the right.
func printTable(out io.Writer, measurements []*measurement) error {
	lines := [][]string{{"measured", "median", "p95", "max", "target", "samples"}}
	for _, n := range measurements {
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
