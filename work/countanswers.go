package work

import (
	"context"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// CountToolCalls returns a model with tools whose calls are counted as those of CountCalls are. A call that other models
// were tried for counts once, for the one that answered.
func CountToolCalls(m model.ToolModel, folder string) model.ToolModel {
	return &countedToolModel{m, folder}
}

type countedToolModel struct {
	model.ToolModel
	folder string
}

// CallWithTools implements model.ToolModel. A call that can't be counted is made all the same.
func (m *countedToolModel) CallWithTools(ctx context.Context, r model.ToolRequest) (model.ToolReply, error) {
	reply, err := m.ToolModel.CallWithTools(ctx, r)
	name := reply.Model
	if name == "" {
		name = m.Name()
	}
	_ = countCall(context.WithoutCancel(ctx), m.folder, name, summarize.Reply{InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens, Cost: reply.Cost, Priced: reply.Priced}, err)
	return reply, err
}

// CountProgramRuns returns a program with tools whose runs are counted as calls. Programs don't say how many tokens they took,
// nor what they cost.
func CountProgramRuns(p model.ToolProgram, folder string) model.ToolProgram {
	return &countedProgram{p, folder}
}

type countedProgram struct {
	model.ToolProgram
	folder string
}

// Run implements model.ToolProgram.
func (p *countedProgram) Run(ctx context.Context, r model.ProgramRequest) (string, error) {
	text, err := p.ToolProgram.Run(ctx, r)
	_ = countCall(context.WithoutCancel(ctx), p.folder, p.Name(), summarize.Reply{}, err)
	return text, err
}
