package programs

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// Codex is OpenAI's own program, which goes by its own login.
type Codex struct {
	Path, Model string // An empty model is the program's own choice.
}

// codexLogin are the variables that hold the program's own login.
var codexLogin = []string{"CODEX_API_KEY"}

// Summarize runs the program once.
func (c Codex) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	in := cmp.Or(r.System, plainTextPrompt) + "\n\n" + r.Prompt
	out, last, err := runAgent(ctx, agentRun{provider: model.Codex, program: c.Path, in: in, keep: codexLogin, args: func(folder string) []string {
		return c.withModel(
			"exec", "--skip-git-repo-check", "--color", "never", "--ephemeral", "--sandbox", "read-only",
			"--output-last-message", filepath.Join(folder, answerFile),
		)
	}})
	return summarize.Reply{Text: cmp.Or(last, out)}, err
}

// withModel adds to arguments the model, if one is named, and that the prompt is on standard input.
func (c Codex) withModel(args ...string) []string {
	if c.Model != "" {
		args = append(args, "-m", c.Model)
	}
	return append(args, "-")
}

// codexFeatures are those of Codex that bring tools, or run something of the user's. One that a
// version doesn't know is passed over by it.
var codexFeatures = []string{
	"shell_tool", "multi_agent", "goals", "hooks", "apps", "plugins", "skill_search", "image_generation", "browser_use", "computer_use",
}

// Run runs Codex with our server only: without its shell, the web, and the user's
// configuration and rules.
func (c Codex) Run(ctx context.Context, q model.ProgramRequest) (string, error) {
	server := "mcp_servers." + serverName + "."
	out, last, err := runWithTools(ctx, agentRun{
		provider: model.Codex, program: c.Path, in: q.System + "\n\n" + q.Prompt, keep: codexLogin,
		args: func(folder string) []string {
			args := []string{
				"exec", "--skip-git-repo-check", "--color", "never", "--ephemeral", "--sandbox", "read-only",
				"--ignore-user-config", "--ignore-rules", "-c", `web_search="disabled"`, "-c", "tools.view_image=false",
				"-c", server + "command=" + tomlText(q.Server[0]), "-c", server + "args=" + tomlList(q.Server[1:]),
				"-c", server + "enabled_tools=" + tomlList(q.Tools), "-c", server + "required=true",
				"--output-last-message", filepath.Join(folder, answerFile),
			}
			for _, f := range codexFeatures {
				args = append(args, "-c", "features."+f+"=false")
			}
			return c.withModel(args...)
		},
	})
	return cmp.Or(last, out), err
}

// tomlText returns a text as TOML writes it, which is as JSON does.
func tomlText(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // A text.
	}
	return string(b)
}

func tomlList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = tomlText(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
