package demo

import (
	"fmt"
	"strings"

	"lcm-tui/internal/lazyregexp"
)

// testCases are what the tests of the demonstration try.
var testCases = strings.Fields(`empty one two many duplicate retry cancelled late early reordered rollback zero negative
	large unicode concurrent restarted expired unknown revoked partial resumed midnight leap_day`)

var testName = lazyregexp.New(`Test\w+`)

// testOutput returns what go test -v says before its last line; other commands say nothing.
func testOutput(command string, n int) string {
	if !strings.Contains(command, "go test -v") {
		return ""
	}
	name := testName.FindString(command)
	if name == "" {
		name = "TestAll"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "=== RUN   %s\n", name)
	for i := range 8 + n%15 {
		c := testCases[(n+i)%len(testCases)]
		fmt.Fprintf(&b, "=== RUN   %s/%s\n    --- PASS: %s/%s (0.%02ds)\n", name, c, name, c, (n*7+i*13)%40)
	}
	fmt.Fprintf(&b, "--- PASS: %s\nPASS\n", name)
	return b.String()
}

// rolloutOutput returns what a roll-out says until it is done.
func rolloutOutput(n int) string {
	var b strings.Builder
	pods := 6 + n%7
	for i := range pods {
		fmt.Fprintf(&b, "waiting: %d of %d updated, %d old still answering\n", i, pods, pods-i)
	}
	return b.String()
}
