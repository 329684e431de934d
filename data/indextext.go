package data

import (
	"slices"
	"strings"
)

// IndexText is what hosts index of a message's text. Of a reference to a file or a
// tool's output that is its header and what is known of the payload, without blank
// lines, the heading between both, and the line that tells the model how to read it.
func IndexText(content string) string {
	if !strings.HasPrefix(content, "[LCM File:") && !strings.HasPrefix(content, "[LCM Tool Output:") {
		return content
	}
	lines := strings.Split(content, "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool {
		l = strings.TrimSpace(l)
		return l == "" || l == "Exploration Summary:" || strings.HasPrefix(l, "Use lcm_describe") || strings.HasPrefix(l, "Call lcm_describe")
	})
	return strings.Join(lines, "\n")
}
