package views

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// PlanFiles is what plans in files need.
type PlanFiles struct {
	Codecs  planfile.Codecs
	Version string // Of this program.
}

// FindPlans lists the plan files beside the database for a query that asks for them, and the file
// that it names.
func FindPlans(_ context.Context, e *Env, query string) (out []ui.Command, err error) {
	if e.PlanFiles == nil {
		return nil, nil
	}
	add := func(path, name string) {
		name = "apply the plan " + ui.Line(name)
		out = append(out, ui.Command{Name: name, Kind: "Plan", Why: e.ReadOnly(), Run: func() tea.Cmd { return e.openPlan(path) }})
	}
	for _, path := range planfile.Beside(e.DB.Path()) {
		if name := filepath.Base(path); len(out) < MaxFound && strings.Contains("apply the plan "+name, query) {
			add(path, name)
		}
	}
	if path := ExpandHome(query); filepath.IsAbs(path) && strings.HasSuffix(path, ".json") {
		add(path, query)
	}
	return out, nil
}

// errSecretsPlan says that the screens don't apply a plan that can't be undone from a file.
var errSecretsPlan = errors.New("a plan of secrets can't be undone, so it is applied by the command apply only")

// openPlan reads a plan file and shows its review.
func (e *Env) openPlan(path string) tea.Cmd {
	files, large := *e.PlanFiles, e.Files
	return e.Planned(e, "from a file", func(context.Context) (ops.Op, error) {
		f, err := planfile.Open(path, true)
		if err != nil {
			return nil, err
		}
		if f.Op == secrets.OpName {
			return nil, errSecretsPlan
		}
		return &planfile.Op{File: f, Options: planfile.Options{Codecs: files.Codecs, FilesDir: large, Exact: true}}, nil
	})
}
