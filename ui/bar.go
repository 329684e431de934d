package ui

import (
	"math"
	"strings"
)

var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// Bar returns a gauge of share, which is 1 for full, in width cells with its two
// ends: ▕████▎      ▏. It is exact to an eighth of a cell; the progress of bubbles is exact to
// a half, and needs colour for that.
func Bar(width int, share float64) string {
	inner := width - 2
	if inner <= 0 {
		return strings.Repeat(" ", max(0, width))
	}
	n := int(math.Round(clampShare(share) * float64(inner) * 8))
	if n == 0 && share > 0 { // Something is never drawn as nothing.
		n = 1
	}
	fill := strings.Repeat("█", n/8) + eighths[n%8]
	return "▕" + Pad(fill, inner) + "▏"
}

func clampShare(share float64) float64 {
	if math.IsNaN(share) {
		return 0
	}
	return min(1, max(0, share))
}
