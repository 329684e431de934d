package cli

import (
	"errors"

	"lcm-tui/internal/hint"
	"lcm-tui/ops/describe"
)

// ErrNoFileModel says that nobody named a model that describes large files.
var ErrNoFileModel = errors.New("no model is named that describes large files")

// DescribeFiles makes the operation that has the large files of a conversation described: by the model that the flags choose,
// else by that of the settings, where both are set. Without a model it returns ErrNoFileModel.
func (w *SummaryFlags) DescribeFiles(c *Invocation, conv int64) (*describe.Op, error) {
	flags, err := w.Settings(c)
	if err != nil {
		return nil, err
	}
	chosen := w.Chosen()
	if chosen.Provider == "" && chosen.Model == "" && chosen.Exec == "" && chosen.BaseURL == "" {
		warned := c.CommandWarnings
		provider, model := c.HostSettings(flags).LargeFileModel()
		c.CommandWarnings = warned // The tools say it again.
		if chosen.Provider, chosen.Model = provider, model; provider == "" || model == "" {
			return nil, hint.Wrap(ErrNoFileModel, "set largeFileSummaryProvider and largeFileSummaryModel, both, or name one with --provider NAME --model NAME")
		}
	}
	t, err := w.ToolsOf(c, chosen)
	if err != nil {
		return nil, err
	}
	t.Job.TargetTokens = int(t.config.LeafTargetTokens)
	return &describe.Op{Conversation: conv, FilesDir: c.Locations.FilesDir, Model: t.Model, Job: t.Job}, nil
}
