package fleet_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"lcm-tui/fleet"
)

// pullAs fetches a copy in a process of its own, which the test kills.
func pullAs(state, ssh string) error {
	store := fleet.Below(state, nil)
	t, err := store.Get("box")
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(store.Pull(context.Background(), t, fleet.Options{SSH: ssh, Timeout: time.Minute}))
}

// faultFile tells the machine of the tests what goes wrong with the next stream: "die N" kills the sender after N bytes,
// "cut N" ends the stream there, and "fill FILE" fills the disk of that file before the first byte.
const faultFile = "fault"

// brokenPipe returns what the stream of a machine is written to.
func brokenPipe(folder string, out io.Writer) io.Writer {
	fault, err := os.ReadFile(filepath.Join(folder, faultFile))
	if err != nil {
		return out
	}
	kind, value, _ := strings.Cut(string(fault), " ")
	if kind == "fill" {
		if f, err := os.Create(value); err == nil {
			_, _ = io.Copy(f, zeros{})
			_ = f.Close()
		}
		return out
	}
	left, _ := strconv.Atoi(value)
	return &breakingWriter{out: out, left: left, dies: kind == "die"}
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// breakingWriter ends its process after so many bytes.
type breakingWriter struct {
	out  io.Writer
	left int
	dies bool
}

func (w *breakingWriter) Write(p []byte) (int, error) {
	if len(p) < w.left {
		w.left -= len(p)
		return w.out.Write(p)
	}
	_, _ = w.out.Write(p[:w.left])
	if w.dies {
		if me, err := os.FindProcess(os.Getpid()); err == nil {
			_ = me.Kill()
		}
		time.Sleep(time.Minute)
	}
	os.Exit(255) // As ssh ends where the line breaks.
	return 0, nil
}
