package programs

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// Command is any program: a request as JSON on its standard input, the summary on
// its standard output. It runs where the user stands, with the user's
// environment: it's theirs.
type Command struct {
	Path string   // Of the program.
	Args []string // Behind its name.
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

// Summarize runs the command once.
func (c Command) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(commandRequest{r.System, r.Prompt, r.Source, r.Previous, r.Depth, r.Kind, r.Mode, r.Target, r.MaxTokens}); err != nil {
		return summarize.Reply{}, err
	}
	text, err := runProgram(ctx, model.Exec, in.String(), exec.CommandContext(ctx, c.Path, c.Args...))
	return summarize.Reply{Text: text}, err
}

// Find gives the path of a program, or nothing where it isn't in one of the folders of path, which
// has the form of the variable PATH.
func Find(name, path string) string {
	if strings.ContainsAny(name, `/\`) {
		found, err := exec.LookPath(name)
		if err != nil {
			return ""
		}
		return found
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // A program in the folder where one happens to stand isn't meant.
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found
		}
	}
	return ""
}

// Split splits a command line at white space. Quotes hold together what is
// between them; a backslash is one only before a quote, white space or another,
// so that paths of Windows stay whole.
func Split(line string) ([]string, error) {
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
		return nil, &model.Error{Kind: model.KindSetup, Message: "the command line ends within quotes", Next: "close the quotes in --exec"}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}
