package views

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// PathPrompt asks for the path of a file, above a list. Tab completes the path by the files on the disk.
type PathPrompt struct {
	*ui.Input
	Note   string                    // Stands below the path.
	verb   string                    // What enter does.
	job    string                    // What reads or writes the file; where it fails the prompt opens again and says why.
	accept func(path string) tea.Cmd // Takes the path, without ~.
	names  []string                  // How the path may go on.
}

// NewPathPrompt returns a closed prompt. Verb is what enter does, and job the name of the job that accept starts.
func NewPathPrompt(s *ui.Styles, label, note, verb, job string, accept func(path string) tea.Cmd) *PathPrompt {
	return &PathPrompt{Input: ui.NewInput(s, label), Note: note, verb: verb, job: job, accept: accept}
}

// Typing reports whether a prompt is open; nil never is.
func (p *PathPrompt) Typing() bool { return p != nil && p.Input.Typing() }

// actions returns the keys of the open prompt.
func (p *PathPrompt) actions() []ui.Action {
	return slices.Insert(p.Actions(p.verb), 1, ui.Act("tab", "tab", "complete").In(ui.Typing).InFooter())
}

// lines returns the prompt, and below it how the path may go on, or the note.
func (p *PathPrompt) lines(width int, s *ui.Styles) []string {
	out := []string{" " + p.View(width-1)}
	if len(p.names) > 0 {
		return append(out, s.Muted.Render(ui.Cut(" "+ui.Line(strings.Join(p.names, "  ")), width)))
	}
	for _, l := range WrapAtMost(p.Note, max(1, width-1), StateLines) {
		out = append(out, s.Muted.Render(" "+l))
	}
	return out
}

// pathCompletedMsg says how a path goes on.
type pathCompletedMsg struct {
	from, to string
	names    []string
}

// update takes what is typed, and reports whether msg was about the prompt alone.
func (p *PathPrompt) update(msg tea.Msg, jobs *ui.Jobs, owner any) (tea.Cmd, bool) {
	if p == nil {
		return nil, false
	}
	switch m := msg.(type) {
	case pathCompletedMsg:
		if p.Typing() && p.Value() == m.from {
			p.Open(m.to)
			p.names = m.names
		}
		return nil, true
	case tea.KeyPressMsg, tea.PasteMsg:
		if p.Typing() {
			return p.typed(msg, jobs, owner), true
		}
	}
	p.RefuseFailed(msg, p.job)
	return nil, false
}

// typed takes a key or a paste.
func (p *PathPrompt) typed(msg tea.Msg, jobs *ui.Jobs, owner any) tea.Cmd {
	p.names = nil
	if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "tab" {
		from := p.Value()
		return jobs.Quiet(owner, "complete a path", Read(func(context.Context) (pathCompletedMsg, error) {
			to, names := completePath(from)
			return pathCompletedMsg{from, to, names}, nil
		}))
	}
	if p.Update(msg) != ui.Accepted {
		return nil
	}
	return p.accept(ExpandHome(strings.TrimSpace(p.Value())))
}

// completePath returns a path as far as the files on the disk leave no choice, and the names among which there is one.
func completePath(path string) (string, []string) {
	folder, begun := filepath.Split(path)
	entries, _ := os.ReadDir(FirstNonEmpty(ExpandHome(folder), ".")) // What can't be read completes nothing.
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), begun) || begun == "" && strings.HasPrefix(e.Name(), ".") {
			continue
		}
		name := e.Name()
		if info, err := os.Stat(filepath.Join(ExpandHome(folder), name)); err == nil && info.IsDir() {
			name += string(filepath.Separator)
		}
		names = append(names, name)
	}
	switch len(names) {
	case 0:
		return path, nil
	case 1:
		return folder + names[0], nil
	}
	return folder + commonBeginning(names[0], names[len(names)-1]), names // They are sorted.
}

// commonBeginning returns what two names begin with, in whole characters.
func commonBeginning(a, b string) string {
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			return a[:i]
		}
	}
	return a
}
