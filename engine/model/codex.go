package model

import (
	"context"

	"lcm-tui/engine/summarize"
)

// codex asks OpenAI's own program, which goes by its own login.
type codex struct{ program, model string }

func (c codex) call(ctx context.Context, r summarize.Request) (answer, error) {
	in := firstNonEmpty(r.System, plainTextPrompt) + "\n\n" + r.Prompt
	out, last, err := runAgent(ctx, Codex, c.program, in, []string{"CODEX_API_KEY"}, func(beside string) []string {
		args := []string{
			"exec", "--skip-git-repo-check", "--color", "never", "--ephemeral", "--sandbox", "read-only",
			"--output-last-message", beside,
		}
		if c.model != "" {
			args = append(args, "-m", c.model)
		}
		return append(args, "-")
	})
	return answer{text: firstNonEmpty(last, out)}, err
}
