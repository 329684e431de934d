package views

import (
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// ItemPreview returns the start of what a context item is, in one line. The call of a tool looks
// as it does among the messages.
func ItemPreview(it *lcm.ContextItem, width int) string {
	name, input, found := strings.Cut(it.Preview, "] {")
	if it.IsSummary() || !found || !strings.HasPrefix(name, "[") || strings.ContainsAny(name, " \n") {
		return Opening(it.Preview, width)
	}
	return ui.LineN(name+"] "+lcm.Argument("{"+input), width)
}
