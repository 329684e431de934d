package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/clients/hooktest"
	"lcm-tui/clients/install"
	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
)

// testHooks runs the hooks that are installed for a client, on an empty database that is removed then.
func testHooks(ctx context.Context, c *cli.Invocation, name string) (out cli.Result, err error) {
	if !slices.Contains(clients.All(), clients.Client(name)) {
		return nil, cli.UsageErrorf("hook test: expected claude-code, codex or gemini, not %q", name)
	}
	program, err := c.Sys.ProgramPath()
	if err != nil {
		return nil, err
	}
	client, _ := install.ClientNamed(name)
	look := install.Inspection{Environment: c.Clients(), Program: program}
	hooks, err := look.InstalledHooks(client)
	if err != nil {
		return nil, err
	}
	if len(hooks) == 0 {
		return nil, &hint.Error{Text: "no hook of this program stands in the files of " + client.Title, Next: "lcm-tui install " + name + " --apply registers them; hooks of a plugin are in the plugin's own folder"}
	}
	folder, err := os.MkdirTemp("", "lcm-tui-hook-test-")
	if err != nil {
		return nil, fmt.Errorf("hook test: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	test := hooktest.Test{Client: clients.Client(name), Hooks: hooks, Folder: folder, Database: filepath.Join(folder, "lcm.db"), Environment: os.Environ()}
	if _, err := data.CreateNewest(ctx, test.Database); err != nil {
		return nil, err
	}
	r := &hookTestResult{Client: name}
	if r.Runs, err = test.Run(ctx); err != nil {
		return nil, err
	}
	for _, one := range r.Runs {
		if one.Problem != "" {
			r.Failed++
			c.Exit = cli.ExitFailed
		}
	}
	return r, nil
}

// hookTestResult is the result of hook test.
type hookTestResult struct {
	Client string         `json:"client"`
	Runs   []hooktest.Run `json:"runs"`
	Failed int            `json:"failed"`
	cli.WarningList
}

// Print implements cli.Result.
func (r *hookTestResult) Print(p *cli.Printer) {
	var rows [][]string
	for _, one := range r.Runs {
		problem := "ok"
		if one.Problem != "" {
			problem = one.Problem
		}
		rows = append(rows, []string{ui.Line(one.Event), fmt.Sprint(one.Exit), one.Shape, fmt.Sprintf("%d ms", one.Milliseconds), ui.Line(problem)})
	}
	p.Table([]cli.Column{{Title: "event"}, {Title: "exit", Right: true}, {Title: "output"}, {Title: "took", Right: true}, {Title: "outcome", Grows: true}}, rows)
	p.Muted("the hooks ran with a temporary database; nothing was written into yours")
}
