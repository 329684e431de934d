package views

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/integrity"
	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
	"lcm-tui/ui"
)

// repair opens the review of mending what is wrong with a conversation, or for 0 with
// the whole file: these faults, or for none all. What a model has to write is an
// estimate at first.
func (e *Env) repair(owner ui.Screen, conv int64, faults []integrity.FaultID) tea.Cmd {
	return e.mending(owner, func(m regenerate.Options) ops.Op {
		if conv == 0 {
			return &repair.Op{All: true, Faults: faults, FilesDir: e.Files, Limits: e.limits(), Regenerate: m}
		}
		return &repair.Op{Conversation: conv, Faults: faults, FilesDir: e.Files, Limits: e.limits(), Regenerate: m}
	})
}

// repairSummary opens the review of mending what is wrong with one summary.
func (e *Env) repairSummary(owner ui.Screen, conv int64, summary string) tea.Cmd {
	return e.mending(owner, func(m regenerate.Options) ops.Op {
		return &repair.Op{Conversation: conv, Summaries: []string{summary}, FilesDir: e.Files, Limits: e.limits(), Regenerate: m}
	})
}

// choose opens the review of what was chosen for a finding.
func (e *Env) choose(owner ui.Screen, f integrity.Finding, what string) tea.Cmd {
	return e.mending(owner, func(m regenerate.Options) ops.Op {
		return &repair.Op{
			Conversation: f.Conversation, Faults: []integrity.FaultID{f.Fault}, FilesDir: e.Files, Limits: e.limits(), Regenerate: m,
			Choices: map[string]string{repair.Key(f): what},
		}
	})
}

// mending plans a repair with the model that is set up, if there is one.
func (e *Env) mending(owner ui.Screen, request func(regenerate.Options) ops.Op) tea.Cmd {
	return e.planned(owner, "repair", func(ctx context.Context) (ops.Op, error) {
		m, err := e.summarizer(ctx)
		if err != nil {
			return request(regenerate.Options{}), nil // The plan says what waits for a model.
		}
		return request(m.making()), nil
	})
}
