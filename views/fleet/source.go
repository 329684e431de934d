package fleet

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// sourcesMsg are the databases of replicas, and why a replica couldn't be read.
type sourcesMsg struct {
	sources []views.Machine
	failed  error
}

// loadSources reads which databases the replicas have. A server may take its time, so the copies don't wait for it.
func (v *Fleet) loadSources() tea.Cmd {
	read := v.env.Databases.Sources
	if read == nil {
		return nil
	}
	return v.env.Jobs.Read(v, "read the replicas", views.Read(func(ctx context.Context) (sourcesMsg, error) {
		found, err := read(ctx)
		return sourcesMsg{sources: found, failed: err}, ctx.Err()
	}))
}

// showSources lists the databases of replicas below the copies.
func (v *Fleet) showSources(m sourcesMsg) {
	v.sources, v.silent = nil, ""
	for _, s := range m.sources {
		v.sources = append(v.sources, &row{s})
	}
	if m.failed != nil {
		v.silent = m.failed.Error()
	}
	v.showRows()
}

// showRows lists what is known.
func (v *Fleet) showRows() {
	v.List.SetItems(slices.Concat(v.copies, v.sources))
	v.Dirty = true
}

// sourcesText says how many databases replicas have, how many of them have errors, and which replica couldn't be read.
func (v *Fleet) sourcesText() string {
	s := v.env.Styles
	text, damaged := "", 0
	for _, r := range v.sources {
		if r.damageRank() >= 1<<20 {
			damaged++
		}
	}
	if n := len(v.sources); n > 0 {
		text = s.Muted.Render(" " + plural.Count(n, "database", "databases") + " of a replica")
	}
	if damaged > 0 {
		text += s.Bad.Render("   ! " + plural.Count(damaged, "database has errors", "databases have errors"))
	}
	if v.silent != "" {
		text += s.Warn.Render(" ~ a replica can't be read: " + ui.Line(strings.ReplaceAll(v.silent, "\n", "; ")))
	}
	return text
}
