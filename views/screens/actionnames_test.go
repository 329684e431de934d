package screens

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/ui/shell"
	"lcm-tui/ui/userconfig"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

const actionsHead = `# The actions to which a user can give keys: name, own keys, "each" where these do different things and "typing"
# where they work beside text, and what it does; then the actions that a screen has at the same time, a line each.
# Made by: go test ./views/screens -run TestActionNames -update-keys
`

// promptScreens are the ways to prompts that everyScreen doesn't open.
var promptScreens = map[string]func(d *viewtest.Driver){
	"a budget":           func(d *viewtest.Driver) { d.Open(2, views.TabContext); d.Press("B") },
	"a model's name":     func(d *viewtest.Driver) { d.Press(".", "M", "m") },
	"a number":           func(d *viewtest.Driver) { d.Press("down", "down", "C", "1") },
	"another file":       func(d *viewtest.Driver) { d.Press(".", "t", "f") },
	"forgotten texts":    func(d *viewtest.Driver) { d.Press("F"); d.Write("pool"); d.Press("tab", ".", "P") },
	"a search of a text": func(d *viewtest.Driver) { d.Open(2, views.TabMessages); d.Press("v", "/") },
}

// actionTable collects actions by name.
type actionTable struct {
	actions map[string]*userconfig.Action
	screens map[string]bool // The names of a screen, in one line.
}

// add adds an action as it is on a screen, or with its keys as they stand in the code.
func (t *actionTable) add(a ui.Action) {
	if a.ID() == "" {
		return
	}
	known := t.actions[a.ID()]
	if known == nil {
		known = &userconfig.Action{Name: a.ID(), About: strings.ReplaceAll(a.Key.Help().Desc, "\t", " "), Typing: true}
		t.actions[a.ID()] = known
	}
	known.Each = known.Each || a.Each
	if a.Name == "" { // Its description is what it is named after; others change.
		known.About, _, _ = strings.Cut(a.Key.Help().Desc, ":")
	}
	known.Typing = known.Typing && a.Group == ui.Typing
	for _, k := range a.Key.Keys() {
		if !slices.Contains(known.Keys, k) {
			known.Keys = append(known.Keys, k)
		}
	}
}

// addScreen adds the actions that a screen has at the same time.
func (t *actionTable) addScreen(actions []ui.Action) {
	names := map[string]bool{}
	for _, a := range actions {
		t.add(a)
		names[a.ID()] = a.ID() != ""
	}
	delete(names, "")
	t.screens[strings.Join(slices.Sorted(maps.Keys(names)), " ")] = true
}

// String returns the table as the file has it. What a screen has that another one has as well is left out.
func (t *actionTable) String() string {
	var b strings.Builder
	b.WriteString(actionsHead)
	for _, name := range slices.Sorted(maps.Keys(t.actions)) {
		a := t.actions[name]
		var flags []string
		if a.Each {
			flags = append(flags, "each")
		}
		if a.Typing || name == "quit-from-anywhere" {
			flags = append(flags, "typing")
		}
		b.WriteString(strings.Join([]string{name, strings.Join(a.Keys, " "), strings.Join(flags, " "), a.About}, "\t") + "\n")
	}
	lines := slices.Sorted(maps.Keys(t.screens))
	for i, l := range lines {
		if !slices.ContainsFunc(append(slices.Clone(lines[:i]), lines[i+1:]...), func(o string) bool { return hasAll(o, l) }) {
			b.WriteString(l + "\n")
		}
	}
	return b.String()
}

// hasAll reports whether one line has all words of another.
func hasAll(line, words string) bool {
	has := strings.Fields(line)
	for _, w := range strings.Fields(words) {
		if !slices.Contains(has, w) {
			return false
		}
	}
	return true
}

// writtenActions returns the actions whose keys stand in the code as constants: some are there only after
// something failed.
func writtenActions(t *testing.T) (out []ui.Action) {
	t.Helper()
	for _, root := range []string{"../../ui", "../../views"} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			out = append(out, actionsIn(file)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// actionsIn returns the calls of Act in a file with their methods In and Named, where these have constants.
func actionsIn(file *ast.File) (out []ui.Action) {
	inner := map[ast.Node]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || inner[call] {
			return true
		}
		name, group, constant := "", "", true
		for {
			f, isMethod := call.Fun.(*ast.SelectorExpr)
			if !isMethod {
				break
			}
			below, chained := f.X.(*ast.CallExpr)
			if !chained {
				break
			}
			switch text, ok := constantText(call); f.Sel.Name {
			case "Named":
				name, constant = text, constant && ok
			case "In":
				if s, typed := call.Args[0].(*ast.SelectorExpr); typed && s.Sel.Name == "Typing" {
					group = ui.Typing
				}
			}
			inner[below] = true
			call = below
		}
		if f, ok := call.Fun.(*ast.SelectorExpr); !constant || !ok || f.Sel.Name != "Act" {
			return true
		}
		var args []string
		for _, a := range call.Args {
			if l, ok := a.(*ast.BasicLit); ok {
				text, _ := strconv.Unquote(l.Value)
				args = append(args, text)
			}
		}
		if len(args) == 3 {
			out = append(out, ui.Act(args[0], args[1], args[2]).In(group).Named(name))
		}
		return true
	})
	return out
}

// constantText returns the only argument of a call, if it is a text.
func constantText(call *ast.CallExpr) (string, bool) {
	if len(call.Args) != 1 {
		return "", false
	}
	l, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

// TestActionNames: the table of actions that configuration names has every action of every screen and of the
// program. A user's file names them: one that is gone or named otherwise shows as a difference here.
func TestActionNames(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	table := &actionTable{actions: map[string]*userconfig.Action{}, screens: map[string]bool{}}
	ways := maps.Clone(everyScreen)
	maps.Copy(ways, promptScreens)
	for _, name := range slices.Sorted(maps.Keys(ways)) {
		d := driveEveryScreen(t, name)
		ways[name](d)
		table.addScreen(d.App.Actions())
	}
	for _, a := range append(writtenActions(t), shell.OwnActions()...) {
		if known := table.actions[a.ID()]; known != nil && a.Group != ui.Typing {
			a.Group = map[bool]string{true: ui.Typing}[known.Typing]
		}
		table.add(a)
	}
	const path = "../../ui/userconfig/actions.txt"
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	switch got := table.String(); {
	case got == string(was):
	case *updateKeys:
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil { //nolint:gosec // It is source code.
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is stale: go test ./views/screens -run TestActionNames -update-keys", path)
	}
}
