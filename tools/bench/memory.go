package main

import (
	"fmt"
	"os"
	"strings"
)

// peakMemory returns the most that a process ever held in memory, in MiB; ok is false
// where the system does not tell, which is anywhere but on Linux.
func peakMemory(pid int) (mib float64, ok bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	return peak(string(b))
}

func peak(status string) (mib float64, ok bool) {
	for line := range strings.Lines(status) {
		var kib float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kib); n == 1 {
			return kib / 1024, true
		}
	}
	return 0, false
}
