//go:build !unix

package agents

// onPauseSignal does nothing where there is no such signal: lcm-tui work pause and resume do the same.
func onPauseSignal(func()) (stop func()) { return func() {} }
