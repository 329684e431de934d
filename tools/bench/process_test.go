package main

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// TestThePeakOfAProcessIsItsOwn: what this process holds in memory when it starts another isn't counted.
func TestThePeakOfAProcessIsItsOwn(t *testing.T) {
	t.Parallel()
	if _, ok := peakMemory(os.Getpid()); !ok {
		t.Skip("this system does not tell the memory of a process")
	}
	held := make([]byte, 300<<20)
	for i := 0; i < len(held); i += 4096 {
		held[i] = 1
	}
	_, peak, err := timeProcess(exec.CommandContext(t.Context(), "sh", "-c", "sleep 0.2; echo done"))
	runtime.KeepAlive(held)
	if err != nil || peak <= 0 || peak > 50 {
		t.Errorf("a shell held %.0f MiB, %v", peak, err)
	}
}

// TestOutputIsDropped: the output of a process isn't kept in memory, and one without output is an error.
func TestOutputIsDropped(t *testing.T) {
	t.Parallel()
	var n byteCounter
	if _, err := n.Write(make([]byte, 5)); err != nil || n != 5 {
		t.Errorf("%d bytes, %v", n, err)
	}
	_, _, err := timeProcess(exec.CommandContext(t.Context(), "true"))
	if err == nil || !strings.Contains(err.Error(), "printed nothing") {
		t.Errorf("no output: %v", err)
	}
}
