package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"lcm-tui/engine/summarize"
)

// command is any program: a request as JSON on its standard input, the summary on
// its standard output. It runs where the user stands, with the user's
// environment: it's theirs.
type command struct {
	argv    []string
	program string
}

// commandRequest is the JSON on a command's standard input.
type commandRequest struct {
	System    string         `json:"system"`
	Prompt    string         `json:"prompt"`
	Source    string         `json:"source_text"`
	Previous  string         `json:"previous_context"`
	Depth     int            `json:"depth"`
	Kind      string         `json:"kind"`
	Mode      summarize.Mode `json:"mode"`
	Target    int            `json:"target_tokens"`
	MaxTokens int            `json:"max_tokens"`
}

func (c command) call(ctx context.Context, r summarize.Request) (answer, error) {
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(commandRequest{r.System, r.Prompt, r.Source, r.Previous, r.Depth, r.Kind, r.Mode, r.Target, r.MaxTokens}); err != nil {
		return answer{}, err
	}
	text, err := runProgram(ctx, Exec, in.String(), exec.CommandContext(ctx, c.program, c.argv[1:]...))
	return answer{text: text}, err
}

// runProgram runs a program with a text on its standard input and gives what it writes.
// When ctx is done, it is killed with all that it started.
func runProgram(ctx context.Context, provider, in string, cmd *exec.Cmd) (string, error) {
	var out limitedBuffer
	errorOutput := lastBytes{most: 4096}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &errorOutput
	cmd.WaitDelay = 2 * time.Second
	startProcessGroup(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case out.full:
		return "", &Error{Kind: KindMalformed, Provider: provider, Message: fmt.Sprintf("it wrote more than %d MB", mostAnswer>>20)}
	case err != nil:
		return "", failedCommand(provider, err, errorOutput.String()+" "+out.end(), cmd.Env)
	}
	return out.String(), nil
}

// limitedBuffer keeps what is written to it, up to mostAnswer bytes. What is more is refused,
// which ends the program. The buffer isn't embedded: its ReadFrom would take in all that
// a program writes, past Write.
type limitedBuffer struct {
	kept bytes.Buffer
	full bool
}

func (b *limitedBuffer) String() string { return b.kept.String() }

var errFull = errors.New("too much")

// Write implements io.Writer.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.full = b.full || b.kept.Len()+len(p) > mostAnswer; b.full {
		return 0, errFull
	}
	return b.kept.Write(p)
}

// end is its last 300 bytes: some programs write errors to standard output.
func (b *limitedBuffer) end() string {
	const enough = 300
	s := strings.TrimSpace(b.String())
	return strings.ToValidUTF8(s[max(0, len(s)-enough):], "")
}

// failedCommand tells how a program ended and what it said of it, without the keys that
// stand in its environment; nil is ours.
func failedCommand(provider string, err error, stderr string, env []string) *Error {
	e := &Error{Kind: KindCommand, Provider: provider, cause: err, Message: err.Error()}
	if env == nil {
		env = os.Environ()
	}
	for _, v := range env {
		if name, value, _ := strings.Cut(v, "="); secretName.MatchString(name) {
			stderr = NewSecret(value).scrub(stderr)
		}
	}
	var exit *exec.ExitError
	if stderr = shorten(stderr); errors.As(err, &exit) && stderr != "" {
		e.Message += ": " + stderr
	}
	return e
}

// lastBytes keeps the end of what is written to it, in a buffer that isn't embedded for the
// same reason as that of limitedBuffer.
type lastBytes struct {
	kept bytes.Buffer
	most int
}

func (t *lastBytes) String() string { return t.kept.String() }

// Write never fails, so that the program isn't stopped by it.
func (t *lastBytes) Write(b []byte) (int, error) {
	n := len(b)
	if n > t.most {
		b = b[n-t.most:]
	}
	if over := t.kept.Len() + len(b) - t.most; over > 0 {
		t.kept.Next(over)
	}
	_, _ = t.kept.Write(b)
	return n, nil
}

// findProgram is the path of a program, or empty. It goes by the PATH that it is given.
func findProgram(name string, env Getenv) string {
	if strings.ContainsAny(name, `/\`) {
		path, err := exec.LookPath(name)
		if err != nil {
			return ""
		}
		return path
	}
	for _, dir := range filepath.SplitList(env("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // A program in the folder where one happens to stand isn't meant.
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path
		}
	}
	return ""
}

// splitCommand splits a command line at white space. Quotes hold together what is
// between them; a backslash is one only before a quote, white space or another,
// so that paths of Windows stay whole.
func splitCommand(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	begun := false
	in := []rune(line)
	for i := 0; i < len(in); i++ {
		r := in[i]
		switch {
		case r == '\\' && quote != '\'' && i+1 < len(in) && strings.ContainsRune(`"'\ `, in[i+1]):
			i++
			word.WriteRune(in[i])
			begun = true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && unicode.IsSpace(r):
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 {
		return nil, setup("the command line ends within quotes", "close the quotes in --exec")
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}
