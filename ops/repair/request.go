package repair

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/hint"
)

// where returns what is repaired, in words.
func (o *Op) where(ctx context.Context, db *data.DB) string {
	switch {
	case len(o.Summaries) == 1:
		return "summary " + o.Summaries[0]
	case len(o.Summaries) > 1:
		return "summaries " + strings.Join(o.Summaries, ", ")
	}
	return lcm.Label(ctx, db, o.Conversation)
}

// check refuses names of faults, findings and summaries that aren't there.
func (o *Op) check(ctx context.Context, db *data.DB, found []integrity.Finding) error {
	if o.checked {
		return nil
	}
	if err := o.checkNames(found); err != nil {
		return err
	}
	for _, id := range o.Summaries {
		if err := o.checkSummary(ctx, db, id, found); err != nil {
			return err
		}
	}
	return nil
}

// notFound says that something was asked for by name that isn't there, and where to look.
func notFound(what, where, next string) error {
	return hint.New(fmt.Sprintf("repair: %s isn't found in %s", what, where), next)
}

// doctor names what was looked at, and the command that lists its findings.
func (o *Op) doctor() (where, next string) {
	if o.Conversation == 0 {
		return "the file", "lcm-tui doctor lists what is found"
	}
	return fmt.Sprintf("conversation %d", o.Conversation), fmt.Sprintf("lcm-tui doctor %d lists what is found", o.Conversation)
}

// checkSummary refuses a summary that isn't there, unless a finding is about that.
func (o *Op) checkSummary(ctx context.Context, db *data.DB, id string, found []integrity.Finding) error {
	if slices.ContainsFunc(found, func(f integrity.Finding) bool { return f.Concerns(id) }) {
		return nil
	}
	where, next := o.doctor()
	s, err := lcm.ReadSummary(ctx, db, id)
	switch {
	case errors.Is(err, data.ErrNotFound):
		return notFound("the summary "+id, where, next)
	case err != nil:
		return err
	case s.Conversation != o.Conversation:
		return fmt.Errorf("repair: the summary %s belongs to conversation %d, not %d", id, s.Conversation, o.Conversation)
	}
	return nil
}

// checkNames refuses faults that the catalogue doesn't know, and findings that the check
// didn't find. What is said of all findings of a fault may find nothing.
func (o *Op) checkNames(found []integrity.Finding) error {
	where, next := o.doctor()
	for _, id := range o.Faults {
		if _, ok := integrity.Lookup(id); !ok {
			return notFound("the fault "+string(id), "the catalogue", "lcm-tui doctor --list names all faults")
		}
	}
	missing := func(name string) bool {
		return !slices.ContainsFunc(found, func(f integrity.Finding) bool { return names(name, f) })
	}
	for _, name := range o.Findings {
		if missing(name) {
			return notFound("the finding "+name, where, next)
		}
	}
	for _, name := range sortedKeys(o.Choices) {
		fault, _ := integrity.Lookup(faultOf(name))
		if what := o.Choices[name]; !slices.Contains(fault.Words(), what) {
			return fmt.Errorf("repair: %s=%s is no choice that there is", name, what)
		}
		if strings.Contains(name, ":") && missing(name) {
			return notFound("the finding "+name, where, next)
		}
	}
	return nil
}

// unused says of which choices and skips the check found nothing.
func (o *Op) unused(found []integrity.Finding) (out []string) {
	missing := func(name string) bool {
		return !slices.ContainsFunc(found, func(f integrity.Finding) bool { return names(name, f) || f.Concerns(name) })
	}
	for _, name := range sortedKeys(o.Choices) {
		if missing(name) {
			out = append(out, fmt.Sprintf("%s=%s chooses nothing: no %s was found", name, o.Choices[name], name))
		}
	}
	for _, name := range sortedKeys(o.Skip) {
		if o.Skip[name] && missing(name) {
			out = append(out, fmt.Sprintf("there is nothing to skip: no %s was found", name))
		}
	}
	return out
}

// faultNames lists faults by their ids and titles.
func faultNames(ids []integrity.FaultID) string {
	var out []string
	for _, id := range ids {
		fault, _ := integrity.Lookup(id)
		out = append(out, fmt.Sprintf("%s (%s)", id, fault.Title))
	}
	return strings.Join(out, ", ")
}
