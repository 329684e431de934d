package ask

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"lcm-tui/engine/model"
)

// Delegate has a program with tools of its own answer: it is started with a private server that
// offers our three tools under the grant, and nothing else. The counts of its answers are those
// that the server noted.
type Delegate struct {
	Program model.ToolProgram
	// Executable is our own program, whose command mcp is the private server.
	Executable string
}

// Name implements Navigator.
func (d Delegate) Name() string { return d.Program.Name() }

// Identity returns all that answers depend on beside the task.
func (d Delegate) Identity() string { return d.Program.Identity() }

// Navigate implements Navigator.
func (d Delegate) Navigate(ctx context.Context, t Task) (Answer, error) {
	folder, err := os.MkdirTemp("", "lcm-tui-ask-") // Only the user can enter it.
	if err != nil {
		return Answer{}, inPhase(PhaseSpawn, fmt.Errorf("make a folder for %s: %w", d.Name(), err))
	}
	defer func() { _ = os.RemoveAll(folder) }() // The system cleans up what is left.
	usage := filepath.Join(folder, "usage.json")
	t.Tools.report("start", d.Name())
	var tools []string
	for _, tool := range ToolList() {
		tools = append(tools, tool.Name)
	}
	reply, err := d.Program.Run(ctx, model.ProgramRequest{
		System: systemPrompt, Prompt: t.text(), Tools: tools,
		Server: append([]string{d.Executable, "--db", t.Tools.DB.Path(), "mcp"}, t.Tools.Grant.Flags(usage)...),
	})
	if err != nil {
		return Answer{}, programError(ctx, err)
	}
	if strings.TrimSpace(reply) == "" {
		return Answer{}, &PhaseError{Phase: PhaseRead, Err: errors.New("the program ended without a reply")}
	}
	answer, err := ReadAnswer(reply, len(t.Seeds))
	if err != nil {
		return Answer{}, &PhaseError{Phase: PhaseParse, Err: err}
	}
	returned, err := ReadUsage(usage)
	if err != nil {
		return Answer{}, &PhaseError{Phase: PhaseRead, Err: err}
	}
	return returned.apply(answer), nil
}

// programError returns the failure of a program: one that couldn't be started, or isn't signed in, is
// one of its start.
func programError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &PhaseError{Phase: PhaseWait, Err: context.Cause(ctx)}
	}
	var e *model.Error
	if errors.As(err, &e) && (e.Kind == model.KindSetup || e.Kind == model.KindAuth) {
		return &PhaseError{Phase: PhaseSpawn, Err: err}
	}
	return &PhaseError{Phase: PhaseWait, Err: err}
}
