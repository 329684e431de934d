package promote

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Import takes over the entries of other databases, such as those of lossless-claude.
type Import struct {
	Sources []Source
	// Mask takes secrets out of a text, and says how many there were; nil leaves it as it is.
	Mask func(text string) (masked string, secrets int)
}

// Source is a database with entries.
type Source struct {
	Path    string
	Entries []promoted.Entry
	// Project is the project that its entries get; empty is all of them.
	Project string
}

var _ ops.Op = (*Import)(nil)

// Name implements ops.Op.
func (*Import) Name() string { return "memory" }

// Plan implements ops.Op. An entry keeps its id, its time, and whether it is in use. One whose id or text the project
// has already is left out.
func (o *Import) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	all, err := promoted.List(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), "")
	p.Tables = []string{promoted.Schema}
	ids, texts := map[string]bool{}, map[[2]string]bool{}
	for _, e := range all {
		ids[e.ID], texts[[2]string{e.Project, e.Content}] = true, true
	}
	secrets := 0
	for _, s := range o.Sources {
		added, there := 0, 0
		for _, e := range s.Entries {
			e.Project = s.Project
			if e.Content = strings.TrimSpace(strings.ToValidUTF8(e.Content, "\uFFFD")); e.Content == "" {
				continue
			}
			masked := 0
			if o.Mask != nil {
				e.Content, masked = o.Mask(e.Content)
			}
			text := [2]string{e.Project, e.Content}
			if ids[e.ID] || texts[text] {
				there++
				continue
			}
			if e.ID == "" { // SQLite takes a key that is NULL.
				e.ID = "mem_" + db.NewID()
			}
			ids[e.ID], texts[text] = true, true
			if e.CreatedAt.Raw == "" {
				e.CreatedAt = data.CellTime(db.FormatNow())
			}
			secrets += masked
			added++
			insert(&p, e, data.Row{"project_id": e.Project, "content": e.Content})
		}
		note := fmt.Sprintf("%s: %s for the project %s", s.Path, plural.Count(added, "entry", "entries"), projectName(s.Project))
		if there > 0 {
			note += fmt.Sprintf("; %d are there already", there)
		}
		p.Note(note)
	}
	if len(p.Changes) == 0 {
		return ops.Plan{}, fmt.Errorf("memory import: there is no entry that isn't there: %w", ops.ErrNothing)
	}
	p.Title = "import " + plural.Count(len(p.Changes), "entry", "entries") + " of promoted memory"
	if secrets > 0 {
		p.Note(plural.Count(secrets, "secret was", "secrets were") + " replaced by placeholders")
	}
	return p, nil
}

// projectName returns a project in words.
func projectName(project string) string {
	if project == "" {
		return "all"
	}
	return project
}
