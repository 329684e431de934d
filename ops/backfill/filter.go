package backfill

import (
	"context"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/transcript"
	"lcm-tui/ops"
)

// FilteredError says that nothing of a session is stored, and by which pattern, or because of its folder.
type FilteredError struct{ Path, Why string }

func (e *FilteredError) Error() string { return filepath.Base(e.Path) + " is left out: " + e.Why }

// Unwrap gives ops.ErrNothing.
func (*FilteredError) Unwrap() error { return ops.ErrNothing }

// WhyLeftOut says why nothing of the session at the path of the operation is stored; empty is that it is stored. It
// reads the beginning of the file.
func (o *Op) WhyLeftOut(ctx context.Context, db *data.DB) (why string, err error) {
	if o.Filter.IsEmpty() && o.Ignores == nil {
		return "", nil
	}
	f, err := transcript.Open(ctx, o.Path)
	if err != nil {
		return "", err
	}
	r := &importRun{op: o, file: f}
	if r.target, err = o.find(ctx, db, f); err != nil {
		return "", err
	}
	return r.whyFiltered(), nil
}

// whyFiltered says why nothing of the session is stored: by its working folder, by the key of its conversation, or the one
// that it would get.
func (r *importRun) whyFiltered() string {
	if r.op.Ignores != nil && r.file.Kind != transcript.OpenClaw && r.op.Ignores(r.file.Session.CWD) {
		return "nothing is kept of its folder " + r.file.Session.CWD
	}
	key := r.target.SessionKey
	if r.target.New || key == "" {
		key = r.op.key(r.file)
	}
	return r.op.Filter.Why(key, r.file.Session.ID)
}

// checkFilter refuses a session of which nothing is stored.
func (r *importRun) checkFilter() error {
	if why := r.whyFiltered(); why != "" {
		return &FilteredError{r.op.Path, why}
	}
	return nil
}

// SessionKey returns the session key that a followed session of an agent gets, by the folder in which it runs.
func SessionKey(folder, agent, session string) string {
	project := ProjectOf(folder)
	if project == "" {
		return ""
	}
	return keyOfAgent(project, &transcript.File{Kind: transcript.Kind(agent), Session: transcript.Session{ID: session}})
}
