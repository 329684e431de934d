package promote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Store stores an entry that a person or an agent wrote.
type Store struct {
	Text    string
	Tags    []string
	Project string // Empty is all projects.
	Session string
	// Masked is how many secrets were taken out of the text.
	Masked int
	// ID is the id of the entry that was planned, or of the one that says the same.
	ID string
}

var _ ops.Op = (*Store)(nil)

// What an entry may have at most, in characters, tags, and characters of a tag.
const (
	mostText = 8000
	mostTags = 16
	mostTag  = 64
)

// ErrEntry says that a text or its tags can't be an entry, or that an id names several.
var ErrEntry = errors.New("this is no entry")

// Name implements ops.Op.
func (*Store) Name() string { return "store" }

// Plan implements ops.Op.
func (o *Store) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	text := strings.TrimSpace(strings.ToValidUTF8(o.Text, "\uFFFD"))
	tags, err := checked(text, o.Tags)
	if err != nil {
		return ops.Plan{}, err
	}
	r, err := newRun(ctx, db, o.Name())
	if err != nil {
		return ops.Plan{}, err
	}
	defer r.index.Close()
	for _, e := range r.entries {
		if e.Content == text && e.Project == o.Project {
			o.ID = e.ID
			return ops.Plan{}, fmt.Errorf("store: %s says just this: %w", e.ID, ops.ErrNothing)
		}
	}
	e := promoted.Entry{
		ID: "mem_" + db.NewID(), Content: text, Tags: tags, Project: o.Project, Session: o.Session, Confidence: 1, CreatedAt: data.CellTime(db.FormatNow()),
	}
	r.insert(e)
	o.ID = e.ID
	r.plan.Title = "store " + e.ID
	if o.Project != "" {
		r.plan.Title += " for the project " + o.Project
	}
	r.plan.Texts = append(r.plan.Texts, ops.Text{ID: e.ID, After: text, Made: true})
	if o.Masked > 0 {
		r.plan.Note(plural.Count(o.Masked, "secret was", "secrets were") + " replaced by placeholders")
	}
	return r.plan, nil
}

// checked returns the tags, each once, of a text that may be an entry.
func checked(text string, tags []string) ([]string, error) {
	out := []string{}
	for _, t := range tags {
		if t = strings.TrimSpace(t); !slices.Contains(out, t) {
			out = append(out, t)
		}
		if t == "" || utf8.RuneCountInString(t) > mostTag || strings.ContainsAny(t, "\n\x00") {
			return nil, fmt.Errorf("%w: a tag has 1 to %d characters in one line, unlike %.80q", ErrEntry, mostTag, t)
		}
	}
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return nil, fmt.Errorf("%w: it has no text", ErrEntry)
	case n > mostText:
		return nil, fmt.Errorf("%w: it has %d characters, more than %d", ErrEntry, n, mostText)
	case len(out) > mostTags:
		return nil, fmt.Errorf("%w: it has %d tags, more than %d", ErrEntry, len(out), mostTags)
	}
	return out, nil
}

// Change archives entries, puts them into use again, or changes the text and tags of one.
type Change struct {
	IDs     []string
	Archive bool // Else they are put into use again.
	// Text replaces the text of one entry, where it isn't empty; nothing else is changed then.
	Text string
}

var _ ops.Op = (*Change)(nil)

// Name implements ops.Op.
func (*Change) Name() string { return "memory" }

// Plan implements ops.Op.
func (o *Change) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	all, err := promoted.List(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), "")
	for _, id := range o.IDs {
		found := promoted.Find(all, id)
		if len(found) > 1 {
			return ops.Plan{}, fmt.Errorf("%w: %d entries have an id that begins with %q", ErrEntry, len(found), id)
		}
		if len(found) == 0 {
			return ops.Plan{}, &data.NotFoundError{What: "entry of promoted memory", ID: id, Path: db.Path()}
		}
		before, after := found[0], found[0]
		switch {
		case o.Text != "":
			if after.Content = strings.TrimSpace(strings.ToValidUTF8(o.Text, "\uFFFD")); after.Content == before.Content {
				continue
			}
			if _, err := checked(after.Content, after.Tags); err != nil {
				return ops.Plan{}, err
			}
			p.Texts = append(p.Texts, ops.Text{ID: before.ID, Before: before.Content, After: after.Content})
		case o.Archive == before.IsArchived():
			p.Note(before.ID + " is so already")
			continue
		case o.Archive:
			after.ArchivedAt = data.CellTime(db.FormatNow())
		default:
			after.ArchivedAt, after.Superseded = data.Time{}, ""
		}
		p.Changes = append(p.Changes, update(before, after))
	}
	verb := "put into use again "
	switch {
	case o.Text != "":
		verb = "change "
	case o.Archive:
		verb = "archive "
	}
	if len(p.Changes) == 0 {
		return ops.Plan{}, fmt.Errorf("memory: %s: %w", strings.Join(append(p.Notes, "nothing would change"), "; "), ops.ErrNothing)
	}
	p.Title = verb + plural.Count(len(p.Changes), "entry", "entries") + " of promoted memory"
	return p, nil
}
