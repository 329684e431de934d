// Package handshake starts an MCP server as a client would, and asks for its tools.
//
// It says what a client would not: that the server ended, wrote something else than the protocol, or was too slow. It
// must start nothing but the command that it is given, and leave no process behind.
package handshake

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"lcm-tui/clients/install"
)

// Limit is how long a server may take to answer.
const Limit = 6 * time.Second

// maxLine is how long a line of an answer may be, in bytes.
const maxLine = 4 << 20

// requests are what a client says first.
const requests = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"lcm-tui doctor","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`

// Run starts a server in a folder with an environment, and returns why a client couldn't use it.
func Run(ctx context.Context, s install.Server, folder string, environment []string) error {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.Command, s.Args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = folder, environment, time.Second
	var errorOutput bytes.Buffer
	cmd.Stderr = &errorOutput
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_, _ = io.WriteString(in, requests) // If it ended already, its answer is missing.
	problem := readTools(out)
	_ = in.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(out, maxLine))
	waited := cmd.Wait()
	switch {
	case problem == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		problem = fmt.Errorf("no answer within %s", Limit)
	case waited != nil:
		problem = fmt.Errorf("%w; the program ended: %w", problem, waited)
	}
	if line := firstLine(errorOutput.String()); line != "" {
		problem = fmt.Errorf("%w; it says: %s", problem, line)
	}
	return problem
}

// readTools reads answers until that with the tools. Every line must be a message of the protocol.
func readTools(out io.Reader) error {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var m struct {
			Version string `json:"jsonrpc"`
			ID      int    `json:"id"`
			Error   *struct {
				Message string `json:"message"`
			} `json:"error"`
			Result struct {
				Tools []json.RawMessage `json:"tools"`
			} `json:"result"`
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil || m.Version != "2.0" {
			return fmt.Errorf("its output is not only the protocol: %q", firstLine(lines.Text()))
		}
		switch {
		case m.Error != nil:
			return fmt.Errorf("it answers with an error: %s", m.Error.Message)
		case m.ID == 2 && len(m.Result.Tools) == 0:
			return errors.New("it has no tools")
		case m.ID == 2:
			return nil
		}
	}
	return errors.New("its output ended before the list of tools")
}

// firstLine returns the first line of a text, at most 200 bytes of it.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.ToValidUTF8(line[:min(len(line), 200)], "")
}
