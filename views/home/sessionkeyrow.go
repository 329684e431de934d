package home

import (
	"context"
	"errors"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// The rows of the dialog.
const (
	sessionRename        = "rename"
	sessionNoKey         = "no key"
	sessionMove          = "move"
	sessionArchive       = "archive"
	sessionArchiveMarked = "archive marked"
	sessionUnarchive     = "unarchive"
	sessionDetach        = "detach"
)

// findOp finds an operation; it may look at the disk.
type findOp func(context.Context) (ops.Op, error)

// sessionKeyRow is one thing that can be done about a session.
type sessionKeyRow struct {
	id, name string
	about    string
	find     findOp   // The operation; of rename that without a key, which has the same reasons against it.
	why      string   // Why it isn't possible; empty if it is.
	next     string   // What to do instead.
	notes    []string // What its plan says.
}

// rows returns all that can be done, in the order of the list.
func (v *SessionKey) rows() []*sessionKeyRow {
	id, env := v.target.ID, v.env
	cause := sessionkey.Causes[v.cause]
	archive := func(ids ...int64) findOp {
		return func(context.Context) (ops.Op, error) {
			return &sessionkey.Archive{Conversations: ids, Cause: cause, Host: sessionHost(env)}, nil
		}
	}
	unarchive := func(context.Context) (ops.Op, error) {
		return &sessionkey.Unarchive{Conversation: id, Host: sessionHost(env)}, nil
	}
	known := func(op ops.Op) findOp { return func(context.Context) (ops.Op, error) { return op, nil } }
	noted := "The cause is noted as " + cause + ": " + sessionkey.CauseText(cause) + "."
	rows := []*sessionKeyRow{
		{id: sessionRename, name: "rename: another session key", find: v.renaming(""), about: "Gives the conversation another session key, which no active conversation may have. The host goes on in it under that key."},
		{id: sessionNoKey, name: "take the session key away", find: v.renaming(""), about: "The host gives the conversation the key of its session at the next contact."},
		{id: sessionMove, name: "move: the place of another one", about: "Gives the conversation the key, the session and the transcript of another one with which a host goes on. That one is archived, and the host's next turn lands here."},
		{id: sessionArchive, name: "archive it", find: archive(id), about: "Ends the conversation. It is refused while a host may go on with it. " + noted},
		{id: sessionUnarchive, name: "unarchive: active again", find: unarchive, about: "Makes the conversation active again, where its session has no other one."},
		{id: sessionDetach, name: "detach its transcript", find: known(&sessionkey.Detach{Conversation: id}), about: "Lets the host look for the transcript again at its next contact. It goes on in the same conversation."},
	}
	if marked := env.Marks.IDs(); len(marked) > 0 {
		rows = append(rows, &sessionKeyRow{
			id: sessionArchiveMarked, name: "archive the " + ui.Num(int64(len(marked))) + " marked", find: archive(marked...),
			about: "Ends every marked conversation with which no host goes on, in one record. The others are left out. " + noted,
		})
	}
	return rows
}

// sessionHost returns what is known of the host beside the file. It looks at the disk.
func sessionHost(e *views.Env) sessionkey.Host { return sessionkey.FindHost(e.Locations) }

// renaming finds the operation that gives the conversation a key; empty takes its key away.
func (v *SessionKey) renaming(key string) findOp {
	env, id, family := v.env, v.target.ID, v.family
	return func(context.Context) (ops.Op, error) {
		return &sessionkey.Rename{Conversation: id, Key: key, Family: family, Host: sessionHost(env)}, nil
	}
}

// look finds out whether the row is possible, by planning it. places are how many conversations there
// are whose place it could have.
func (r *sessionKeyRow) look(ctx context.Context, db *data.DB, places int) error {
	r.why, r.next, r.notes = "", "", nil
	if r.find == nil {
		r.why = views.TextWhen(places == 0, "no other active conversation has a session key")
		return nil
	}
	op, err := r.find(ctx)
	if err != nil {
		return err
	}
	p, err := op.Plan(ctx, db, func(int, int, string) {})
	if r.id == sessionRename && errors.Is(err, ops.ErrNothing) {
		return nil // It has no key yet.
	}
	if err == nil && r.id != sessionRename {
		r.notes = append(r.notes, p.Notes...)
		for _, w := range p.Warnings {
			r.notes = append(r.notes, "~ "+w)
		}
	}
	r.why, r.next, err = refusalOf(err)
	return err
}

// refusalOf says why an operation on a session isn't possible, and what to do instead; both are empty
// where it is. Other errors are returned.
func refusalOf(err error) (why, next string, other error) {
	var refused *sessionkey.RefusedError
	switch {
	case errors.As(err, &refused):
		return refused.Why, refused.ScreenHint(), nil
	case errors.Is(err, ops.ErrNothing):
		return strings.TrimSuffix(err.Error(), ": "+ops.ErrNothing.Error()), "", nil
	}
	return "", "", err
}

func (v *SessionKey) render(r *sessionKeyRow, width int, _ bool) string {
	s := v.env.Styles
	const room = 30
	if r.why != "" {
		return ui.Cut(s.Faint.Render(ui.Pad(r.name, room)+"not possible: "+ui.Line(r.why)), width)
	}
	what := ""
	switch r.id {
	case sessionRename, sessionNoKey:
		what = views.TextWhen(v.family, "archived ones of its key too")
	case sessionArchive, sessionArchiveMarked:
		what = "cause: " + sessionkey.Causes[v.cause]
	}
	return ui.Cut(s.Title.Render(ui.Pad(r.name, room))+s.Muted.Render(what), width)
}

// describe says what a row does, what its plan says of it, or why it isn't possible.
func (v *SessionKey) describe(r *sessionKeyRow, _ views.NoDetail, width int) string {
	s := v.env.Styles
	var b strings.Builder
	write := func(text string) { b.WriteString(ansi.Wrap(text, max(1, width), " ") + "\n") }
	b.WriteString(s.Title.Render(r.name) + "\n\n")
	write(r.about)
	if r.why != "" {
		b.WriteString("\n")
		write(s.Warn.Render("~ not possible: ") + ui.Line(r.why))
		if r.next != "" {
			write(s.Muted.Render("what to do: ") + ui.Line(r.next))
		}
	}
	for i, n := range r.notes {
		if i == 0 {
			b.WriteString("\n")
		}
		write("· " + ui.Line(n))
	}
	if r.id == sessionRename && v.facts.family > 1 {
		b.WriteString("\n")
		write(plural.Count(v.facts.family-1, "other conversation has", "other conversations have") + " its key. Searches in the family of a key find those that are renamed with it: f chooses.")
	}
	return b.String()
}
