package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// peakInterval is the time between two readings of a running process's memory.
const peakInterval = 5 * time.Millisecond

// byteCounter counts what is written to it and drops it. What bench held of an output would be in the
// peak memory of every process that it starts.
type byteCounter int64

// Write implements io.Writer.
func (c *byteCounter) Write(b []byte) (int, error) {
	*c += byteCounter(len(b))
	return len(b), nil
}

// timeProcess measures a whole process: its time, and the most that it held in memory, in MiB; 0 is
// unknown.
func timeProcess(cmd *exec.Cmd) (took time.Duration, peak float64, err error) {
	var out byteCounter
	var errorOutput bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errorOutput
	from := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	inherited, _ := peakMemory(os.Getpid())
	ended, read := make(chan struct{}), make(chan float64, 1)
	go func() { read <- followPeak(cmd.Process.Pid, ended) }()
	err = cmd.Wait()
	took = time.Since(from)
	close(ended)
	peak = <-read
	if err != nil {
		return 0, 0, fmt.Errorf("run %s: %w: %s", cmd.Path, err, errorOutput.Bytes())
	}
	if out == 0 {
		return 0, 0, fmt.Errorf("run %s: %w", cmd.Path, errors.New("it printed nothing"))
	}
	if mib, ok := endedPeak(cmd.ProcessState); ok && mib > inherited {
		peak = mib
	}
	return took, peak, nil
}

// followPeak reads the peak memory of a process until it has ended. Linux counts what this process held
// when it started the other as the other's, so that the number of the ended process is right only
// where it is larger.
func followPeak(pid int, ended <-chan struct{}) (peak float64) {
	for {
		if mib, ok := peakMemory(pid); ok {
			peak = max(peak, mib)
		}
		select {
		case <-ended:
			return peak
		case <-time.After(peakInterval):
		}
	}
}
