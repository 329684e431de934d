package choose

import (
	"context"
	"errors"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/programs"
	"lcm-tui/engine/summarize"
)

// ToolProgram finds the program of a choice whose provider is claude or codex. Each run counts as one
// call against spending, which may be nil.
func ToolProgram(c Choice, env Getenv, host HostConfig, spending *summarize.Spending) (model.ToolProgram, error) {
	r, err := resolveReady(c, env, host)
	switch {
	case err != nil:
		return nil, err
	case r.Provider == model.Claude:
		return toolProgram{r, programs.Claude{Path: r.program, Model: r.Model}.Run, spending}, nil
	case r.Provider == model.Codex:
		return toolProgram{r, programs.Codex{Path: r.program, Model: r.Model}.Run, spending}, nil
	}
	return nil, setup("the provider "+r.Provider+" is no program with tools", "use --provider claude or --provider codex")
}

// toolProgram is a program that was found.
type toolProgram struct {
	resolved Resolved
	run      func(ctx context.Context, q model.ProgramRequest) (string, error)
	spending *summarize.Spending
}

// Name implements model.ToolProgram.
func (p toolProgram) Name() string { return p.resolved.Name() }

// Identity implements model.ToolProgram.
func (p toolProgram) Identity() string { return p.Name() + "\n" + p.resolved.identity() }

// Run implements model.ToolProgram.
func (p toolProgram) Run(ctx context.Context, q model.ProgramRequest) (string, error) {
	if len(q.Server) == 0 {
		return "", errors.New("run a program with tools: no server is named")
	}
	if err := p.spending.Reserve(0); err != nil {
		return "", err
	}
	return p.run(ctx, q)
}
