package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// commandRun is a command and what its processes took.
type commandRun struct {
	args         []string
	time, memory measurement
}

// commandResults are what commands that find something took.
type commandResults struct {
	commands             []commandRun
	server, serverMemory measurement // The MCP server: its first answer, its memory then.
}

// newCommandResults names the commands, some of which are about a summary.
func newCommandResults(summary string) *commandResults {
	r := &commandResults{
		server:       measurement{what: "mcp: start to first answer", unit: "ms", target: "50 ms"},
		serverMemory: measurement{what: "mcp: peak memory then", unit: "MiB", target: "30 MiB"},
	}
	add := func(target string, args ...string) {
		what := strings.Join(args, " ")
		r.commands = append(r.commands, commandRun{
			args:   args,
			time:   measurement{what: what, unit: "ms", target: target},
			memory: measurement{what: "its peak memory", unit: "MiB", target: "64 MiB"},
		})
	}
	add("", "--version")
	add("20 ms", "describe", summary, "--all")
	add("20 ms", "expand", summary, "--all")
	add("300 ms", "metrics")
	add("10 s", "space")
	add("30 s", "export", "--all", "--format", "jsonl")
	add("", "grep", "--all", "--mode", "full_text", "index")
	add("", "grep", "--all", `OPS-\d+`)
	add("", "search", "--all", "index")
	add("", "search", "--all", searchedWords)
	add("", "search", "--all", "m*")
	add("", "search", "--all", "qqqxxyyzz")
	return r
}

func (r *commandResults) all() (out []*measurement) {
	for i := range r.commands {
		out = append(out, &r.commands[i].time, &r.commands[i].memory)
	}
	return append(out, &r.server, &r.serverMemory)
}

// run runs every command once.
func (r *commandResults) run(ctx context.Context, o options) error {
	for i := range r.commands {
		c := &r.commands[i]
		cmd := exec.CommandContext(ctx, o.bin, append([]string{"--db", o.path}, c.args...)...)
		cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+o.home) // Nothing is noted among what the user has.
		took, peak, err := timeProcess(cmd)
		if err != nil {
			return err
		}
		c.time.add(took)
		if peak > 0 {
			c.memory.samples = append(c.memory.samples, peak)
		}
	}
	return r.serve(ctx, o)
}

// initialize is the first message of a client of the Model Context Protocol.
const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}` + "\n"

// serve starts the server and waits for its first answer.
func (r *commandResults) serve(ctx context.Context, o options) error {
	cmd := exec.CommandContext(ctx, o.bin, "--db", o.path, "mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	from := time.Now()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	_, err = io.WriteString(in, initialize)
	answer, readErr := bufio.NewReader(out).ReadString('\n')
	took := time.Since(from)
	mib, ok := peakMemory(cmd.Process.Pid)
	err = errors.Join(err, readErr, in.Close(), cmd.Wait())
	if err == nil && !strings.Contains(answer, `"result"`) {
		err = fmt.Errorf("it answered %s", answer)
	}
	if err != nil {
		return fmt.Errorf("ask the server: %w", err)
	}
	r.server.add(took)
	if ok {
		r.serverMemory.samples = append(r.serverMemory.samples, mib)
	}
	return nil
}

// deepestSummary returns a summary of a conversation that has the most levels below it.
func deepestSummary(ctx context.Context, o options, c conversation) (string, error) {
	out, err := exec.CommandContext(ctx, o.bin, "--db", o.path, "--json", "summaries", strconv.FormatInt(c.ID, 10)).Output()
	if err != nil {
		return "", fmt.Errorf("list summaries: %w", err)
	}
	var list struct {
		Summaries []struct {
			ID    string `json:"summary_id"`
			Depth int    `json:"depth"`
		} `json:"summaries"`
	}
	if err := json.Unmarshal(out, &list); err != nil {
		return "", fmt.Errorf("read summaries: %w", err)
	}
	id, depth := "", -1
	for _, s := range list.Summaries {
		if s.Depth > depth {
			id, depth = s.ID, s.Depth
		}
	}
	return id, nil
}
