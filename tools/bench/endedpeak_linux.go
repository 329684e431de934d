package main

import (
	"os"
	"syscall"
)

// endedPeak returns the most that an ended process ever held in memory, in MiB.
func endedPeak(p *os.ProcessState) (mib float64, ok bool) {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	return float64(usage.Maxrss) / 1024, true
}
