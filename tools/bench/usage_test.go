package main

import (
	"os"
	"testing"
	"time"
)

// TestReadUsage: the processor's time and the wake-ups of a process grow with what it does.
func TestReadUsage(t *testing.T) {
	t.Parallel()
	if got, ok := cpuTime("7 (a) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20"); !ok || got != 2*time.Second {
		t.Errorf("processor time %v, %v", got, ok)
	}
	if _, ok := cpuTime("nothing of the kind"); ok {
		t.Error("found a time in nothing")
	}
	if got := contextSwitches("Name:\tx\nvoluntary_ctxt_switches:\t41\nnonvoluntary_ctxt_switches:\t7\n"); got != 41 {
		t.Errorf("%d wake-ups", got)
	}
	first, ok := readUsage(os.Getpid())
	if !ok {
		t.Skip("this system does not tell what a process uses")
	}
	for range 10 {
		time.Sleep(2 * time.Millisecond)
	}
	if now, ok := readUsage(os.Getpid()); !ok || now.since(first).wakeUps <= 0 {
		t.Errorf("%+v after %+v", now, first)
	}
}
