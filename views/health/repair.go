package health

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/integrity"
	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// reviewRepair opens the review of a repair. What a model has to write is an estimate at
// first; without a model the plan says what waits for one.
func reviewRepair(e *views.Env, owner ui.Screen, request repair.Op) tea.Cmd {
	return e.Planned(owner, "repair", func(ctx context.Context) (ops.Op, error) {
		prepare(ctx, e, &request)
		return &request, nil
	})
}

// prepare completes a request with what the repair goes by, and with the model if there is one. It reads files, so only
// jobs call it.
func prepare(ctx context.Context, e *views.Env, request *repair.Op) {
	request.FilesDir, request.Limits = e.Files, e.Limits()
	request.Regenerate = regenerate.Options{}
	if m, err := e.FindSummarizer(ctx); err == nil {
		request.Regenerate = m.Making()
	}
}

// reviewChoice opens the review of what was chosen for a finding.
func reviewChoice(e *views.Env, owner ui.Screen, f integrity.Finding, what string) tea.Cmd {
	return reviewRepair(e, owner, repair.Op{
		Conversation: f.Conversation, Findings: []string{repair.ID(f)}, Choices: map[string]string{repair.ID(f): what},
	})
}
