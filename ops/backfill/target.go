package backfill

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/transcript"
)

// Target is the conversation that a session file belongs to.
type Target struct {
	data.Conversation
	New     bool // It has to be made.
	Rebound bool // It has the key, but so far another session.
}

// archive is how OpenClaw calls a session file that it put aside.
var archive = regexp.MustCompile(`\.jsonl\.(reset|deleted)\.(.+)$`)

// Archived is whether a session file was put aside, by its name.
func Archived(path string) bool { return archive.MatchString(filepath.Base(path)) }

// find looks for the conversation as the host does: the active one with the key,
// then the active one of the session. An archived session file belongs to whichever
// addConversation is of its session.
func (o *Op) find(ctx context.Context, db *data.DB, f *transcript.File) (Target, error) {
	all, err := db.Conversations(ctx) // Newest first.
	if err != nil {
		return Target{}, err
	}
	key := o.key(f)
	if t, ok := Choose(all, f.Session.ID, key, Archived(f.Path)); ok {
		return t, nil
	}
	t := Target{New: true, Conversation: data.Conversation{SessionID: f.Session.ID, SessionKey: key, Active: true}}
	if Archived(f.Path) {
		t.Active, t.ArchiveCause = false, "manual-reset"
		if strings.Contains(filepath.Base(f.Path), ".deleted.") {
			t.ArchiveCause = "session-deleted"
		}
		t.ArchivedAt = data.Time{Time: archivedAt(f)}
	}
	return t, nil
}

// Choose finds the conversation of a session among all, newest first.
func Choose(all []data.Conversation, session, key string, archived bool) (Target, bool) {
	if key != "" && !archived {
		for _, c := range all {
			if c.Active && c.SessionKey == key {
				return Target{Conversation: c, Rebound: c.SessionID != session}, true
			}
		}
	}
	for _, active := range []bool{true, false} {
		for _, c := range all {
			if c.Active == active && c.SessionID == session {
				return Target{Conversation: c}, true
			}
		}
	}
	return Target{}, false
}

// key is the session key of a session file: what OpenClaw noted, or one of the agent
// that was named.
func (o *Op) key(f *transcript.File) string {
	if key := o.Keys.Of(f.Path, f.Session.ID); key != "" && !Archived(f.Path) {
		return key
	}
	if o.Agent == "" {
		return ""
	}
	return "agent:" + o.Agent + ":" + string(f.Kind) + ":" + f.Session.ID
}

// archivedAt is when a session file was put aside: its name says it, with dashes in
// addContextItem of what a name can't hold.
func archivedAt(f *transcript.File) time.Time {
	if m := archive.FindStringSubmatch(filepath.Base(f.Path)); m != nil {
		for _, layout := range []string{"2006-01-02T15-04-05.000Z", "2006-01-02T15-04-05Z", time.RFC3339Nano} {
			if t, err := time.Parse(layout, m[2]); err == nil {
				return t.UTC()
			}
		}
	}
	return f.ModTime.UTC()
}
