package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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

// question is what a command is told.
type question struct {
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
	if err := enc.Encode(question{r.System, r.Prompt, r.Source, r.Previous, r.Depth, r.Kind, r.Mode, r.Target, r.MaxTokens}); err != nil {
		return answer{}, err
	}
	text, err := run(ctx, Exec, in.String(), exec.CommandContext(ctx, c.program, c.argv[1:]...))
	return answer{text: text}, err
}

// run runs a program with a text on its standard input and gives what it writes.
// When ctx is done, it is killed with all that it started.
func run(ctx context.Context, provider, in string, cmd *exec.Cmd) (string, error) {
	var out, complaints tail
	out.most, complaints.most = most, 4096
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &complaints
	cmd.WaitDelay = 2 * time.Second
	alone(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", failedCommand(provider, err, complaints.String()+" "+out.end())
	case out.cut:
		return "", &Error{Kind: KindMalformed, Provider: provider, Message: "it wrote more than a summary can be long"}
	}
	return out.String(), nil
}

// failedCommand tells how a program ended and what it said of it.
func failedCommand(provider string, err error, said string) *Error {
	e := &Error{Kind: KindCommand, Provider: provider, cause: err, Message: err.Error()}
	var exit *exec.ExitError
	if said = brief(said); errors.As(err, &exit) && said != "" {
		e.Message += ": " + said
	}
	return e
}

// tail keeps the end of what is written to it.
type tail struct {
	bytes.Buffer
	most int
	cut  bool
}

// Write never fails, so that the program isn't stopped by it.
func (t *tail) Write(b []byte) (int, error) {
	n := len(b)
	if n > t.most {
		b, t.cut = b[n-t.most:], true
	}
	if over := t.Len() + len(b) - t.most; over > 0 {
		t.Next(over)
		t.cut = true
	}
	_, _ = t.Buffer.Write(b)
	return n, nil
}

// end is the last of it: some programs complain on standard output.
func (t *tail) end() string {
	const enough = 300
	s := strings.TrimSpace(t.String())
	return strings.ToValidUTF8(s[max(0, len(s)-enough):], "")
}

// find is the path of a program, or empty. It goes by the PATH that it is given.
func find(name string, env Getenv) string {
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
