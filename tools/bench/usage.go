package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// processUsage is what a process has used since its start: the times that its threads were woken and
// the processor's time.
type processUsage struct {
	wakeUps int64
	cpu     time.Duration
}

// since returns what was used after an earlier reading.
func (u processUsage) since(earlier processUsage) processUsage {
	return processUsage{u.wakeUps - earlier.wakeUps, u.cpu - earlier.cpu}
}

// ticksPerSecond is the unit of times in /proc on every Linux.
const ticksPerSecond = 100

// readUsage reads what a process has used; ok is false where the system does not tell, which is anywhere
// but on Linux. A thread that ended is left out of the wake-ups.
func readUsage(pid int) (u processUsage, ok bool) {
	folder := filepath.Join("/proc", strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return u, false
	}
	if u.cpu, ok = cpuTime(string(stat)); !ok {
		return u, false
	}
	threads, err := filepath.Glob(filepath.Join(folder, "task", "*", "status"))
	if err != nil || len(threads) == 0 {
		return u, false
	}
	for _, path := range threads {
		if status, err := os.ReadFile(path); err == nil { // Else the thread has just ended.
			u.wakeUps += contextSwitches(string(status))
		}
	}
	return u, true
}

// cpuTime reads the processor's time from the line of a process. Its second field is a name in
// parentheses, which may have blanks in it.
func cpuTime(stat string) (time.Duration, bool) {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	const user, system = 11, 12 // Behind the name.
	if len(fields) <= system {
		return 0, false
	}
	a, errA := strconv.ParseInt(fields[user], 10, 64)
	b, errB := strconv.ParseInt(fields[system], 10, 64)
	return time.Duration(a+b) * time.Second / ticksPerSecond, errA == nil && errB == nil
}

// contextSwitches counts how often a thread waited and went on. A thread that was interrupted did not
// sleep, so it was not woken.
func contextSwitches(status string) (n int64) {
	for line := range strings.Lines(status) {
		if k, _ := fmt.Sscanf(line, "voluntary_ctxt_switches: %d", &n); k == 1 {
			return n
		}
	}
	return 0
}
