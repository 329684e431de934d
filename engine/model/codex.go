package model

import (
	"context"
	"path/filepath"

	"lcm-tui/engine/summarize"
)

// codex asks OpenAI's own program, which goes by its own login.
type codex struct{ program, model string }

// codexLogin are the variables that hold the program's own login.
var codexLogin = []string{"CODEX_API_KEY"}

func (c codex) call(ctx context.Context, r summarize.Request) (answer, error) {
	in := firstNonEmpty(r.System, plainTextPrompt) + "\n\n" + r.Prompt
	out, last, err := runAgent(ctx, agentRun{provider: Codex, program: c.program, in: in, keep: codexLogin, args: func(folder string) []string {
		args := []string{
			"exec", "--skip-git-repo-check", "--color", "never", "--ephemeral", "--sandbox", "read-only",
			"--output-last-message", filepath.Join(folder, answerFile),
		}
		if c.model != "" {
			args = append(args, "-m", c.model)
		}
		return append(args, "-")
	}})
	return answer{text: firstNonEmpty(last, out)}, err
}
