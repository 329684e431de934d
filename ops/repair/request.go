package repair

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// RequestError says that something was asked for by name that isn't there.
type RequestError struct {
	What  string // "the finding M01:5", "the fault X99", …
	Where string // "conversation 12", "the file", …
	Why   string // Beside that it isn't there; may be empty.
	Next  string
}

func (e *RequestError) Error() string {
	if e.Why != "" {
		return fmt.Sprintf("repair: %s %s", e.What, e.Why)
	}
	return fmt.Sprintf("repair: %s isn't found in %s", e.What, e.Where)
}

// Hint says where to look.
func (e *RequestError) Hint() string { return e.Next }

// where is what is repaired, in words.
func (o *Op) where() string {
	switch {
	case len(o.Summaries) == 1:
		return "summary " + o.Summaries[0]
	case len(o.Summaries) > 1:
		return "summaries " + strings.Join(o.Summaries, ", ")
	case o.Conversation == 0:
		return "the file"
	}
	return fmt.Sprintf("conversation %d", o.Conversation)
}

// check refuses names of faults, findings and summaries that aren't there.
func (o *Op) check(ctx context.Context, db *data.DB, found []integrity.Finding) error {
	if o.known {
		return nil // All conversations were looked at together.
	}
	where, next := o.doctor()
	if err := checkNames(o.Faults, o.Choices, found, where, next); err != nil {
		return err
	}
	for _, id := range o.Summaries {
		if err := o.checkSummary(ctx, db, id, found); err != nil {
			return err
		}
	}
	return nil
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
	s, err := db.Summary(ctx, id)
	switch {
	case errors.Is(err, data.ErrNotFound):
		return &RequestError{What: "the summary " + id, Where: where, Next: next}
	case err != nil:
		return err
	case s.Conversation != o.Conversation:
		return &RequestError{What: "the summary " + id, Why: fmt.Sprintf("belongs to conversation %d, not %d", s.Conversation, o.Conversation)}
	}
	return nil
}

// checkNames refuses faults that the catalogue doesn't know, and choices for findings that
// there aren't. Choices for all of a fault may find nothing.
func checkNames(faults []integrity.FaultID, choices map[string]string, found []integrity.Finding, where, next string) error {
	for _, id := range faults {
		if _, ok := integrity.Lookup(id); !ok {
			return &RequestError{What: "the fault " + string(id), Where: "the catalogue", Next: "lcm-tui doctor --list names all faults"}
		}
	}
	for _, key := range sortedKeys(choices) {
		fault, row, single := strings.Cut(key, ":")
		page, _ := integrity.Lookup(integrity.FaultID(fault))
		if what := choices[key]; !slices.Contains(page.Words(), what) {
			return &RequestError{What: key + "=" + what, Why: "is no choice that there is"}
		}
		if single && !slices.ContainsFunc(found, func(f integrity.Finding) bool { return string(f.Fault) == fault && f.Row == row }) {
			return &RequestError{What: "the finding " + key, Where: where, Next: next}
		}
	}
	return nil
}

// unused are the choices for all of a fault of which nothing was found.
func unused(choices map[string]string, found []integrity.Finding) (out []string) {
	for _, key := range sortedKeys(choices) {
		if !strings.Contains(key, ":") && !slices.ContainsFunc(found, func(f integrity.Finding) bool { return string(f.Fault) == key }) {
			out = append(out, fmt.Sprintf("%s=%s chooses nothing: no %s was found", key, choices[key], key))
		}
	}
	return out
}
