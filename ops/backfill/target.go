package backfill

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/lazyregexp"
)

// Target is the conversation that a session file belongs to.
type Target struct {
	lcm.Conversation
	New     bool // It has to be made.
	Rebound bool // It has the key, but so far another session.
	// Replaced is the active conversation that is archived when this one is made, or 0: a host makes a
	// conversation for each run of a scheduled task.
	Replaced int64
	// ended says that the session ended, and that the conversation, which has its key, is of one that
	// followed it: it's the session's only if it has messages of it.
	ended bool
}

// archive is how OpenClaw calls a session file that it put aside.
var archive = lazyregexp.New(`\.jsonl\.(reset|deleted)\.(.+)$`)

// Archived reports whether a session file was put aside, by its name.
func Archived(path string) bool { return archive.MatchString(filepath.Base(path)) }

// find looks for the conversation as the host does: the active one with the key,
// then the active one of the session. An archived session file belongs to whichever
// conversation is of its session.
func (o *Op) find(ctx context.Context, db *data.DB, f *transcript.File) (Target, error) {
	key := o.key(f)
	all, err := lcm.ConversationsOf(ctx, db, f.Session.ID, key) // Newest first.
	if err != nil {
		return Target{}, err
	}
	all = ofSameForm(all, f)
	if isEnded(f) {
		return findEnded(all, f, key), nil
	}
	if t, ok := Choose(all, f.Session.ID, key, Archived(f.Path)); ok {
		return t, nil
	}
	t := Target{New: true, Conversation: lcm.Conversation{SessionID: f.Session.ID, SessionKey: key, Active: true}}
	if Archived(f.Path) {
		t.Active, t.ArchiveCause = false, "manual-reset"
		if strings.Contains(filepath.Base(f.Path), ".deleted.") {
			t.ArchiveCause = "session-deleted"
		}
		t.ArchivedAt = data.Time{Time: archivedAt(f)}
	} else if i := activeOf(all, key); i >= 0 {
		t.Replaced = all[i].ID
	}
	return t, nil
}

// isEnded reports whether another session has taken the key of a session in a transcript database.
func isEnded(f *transcript.File) bool { return len(f.Session.Keys) > 0 && !f.Session.Current }

// activeOf returns the index of the active conversation with a key, or -1.
func activeOf(all []lcm.Conversation, key string) int {
	return slices.IndexFunc(all, func(c lcm.Conversation) bool { return key != "" && c.Active && c.SessionKey == key })
}

// findEnded looks for the conversation of a session that ended: that of the session, else the one
// that has its key, which its host went on with.
func findEnded(all []lcm.Conversation, f *transcript.File, key string) Target {
	if t, ok := Choose(all, f.Session.ID, "", false); ok {
		return t
	}
	switch i := activeOf(all, key); {
	case lcm.IsScheduledRun(key):
		return newEnded(f, key, "cron-rotation")
	case i >= 0:
		return Target{Conversation: all[i], ended: true}
	}
	return Target{New: true, Conversation: lcm.Conversation{SessionID: f.Session.ID, SessionKey: key, Active: true}}
}

// newEnded returns an archived conversation to be made for a session that ended.
func newEnded(f *transcript.File, key, cause string) Target {
	return Target{New: true, Conversation: lcm.Conversation{
		SessionID: f.Session.ID, SessionKey: key, ArchiveCause: cause, ArchivedAt: data.Time{Time: f.ModTime.UTC()},
	}}
}

// Choose finds the conversation of a session among all, newest first.
func Choose(all []lcm.Conversation, session, key string, archived bool) (Target, bool) {
	if key != "" && !archived {
		for _, c := range all {
			if c.Active && c.SessionKey == key && (c.SessionID == session || !lcm.IsScheduledRun(key)) {
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

// key returns the session key of a session file: what OpenClaw noted, or one of the agent
// that was named.
func (o *Op) key(f *transcript.File) string {
	if key := KeyOf(f); key != "" {
		return key
	}
	if client, only := f.Kind.Client(); only {
		return "agent:" + cmp.Or(o.Agent, ProjectOf(f.Session.CWD), "unknown") + ":" + string(client) + ":" + f.Session.ID + lcm.PromptsSuffix
	}
	if key := o.Keys.Of(f.Path, f.Session.ID); key != "" && !Archived(f.Path) {
		return key
	}
	switch project := ProjectOf(f.Session.CWD); {
	case o.Agent != "" && !o.Follow:
		return "agent:" + o.Agent + ":" + string(f.Kind) + ":" + f.Session.ID
	case o.Agent != "":
		return keyOfAgent(o.Agent, f)
	case o.Follow && project != "":
		return keyOfAgent(project, f)
	}
	return ""
}

// KeyOf returns the session key of a session in a transcript database, or empty.
func KeyOf(f *transcript.File) string {
	keys := f.Session.Keys
	if len(keys) == 0 {
		return ""
	}
	return keys[max(0, slices.IndexFunc(keys, func(key string) bool { return strings.HasPrefix(key, "agent:") }))]
}

// archivedAt returns when a session file was put aside: its name says it, with dashes in
// addContextItem of what a name can't hold.
func archivedAt(f *transcript.File) time.Time {
	if m := archive.FindStringSubmatch(filepath.Base(f.Path)); m != nil {
		at, _, _ := strings.Cut(m[2], "Z.") // Hosts of 1.0 add a number and .zst.
		at = strings.TrimSuffix(at, "Z") + "Z"
		for _, layout := range []string{"2006-01-02T15-04-05.000Z", "2006-01-02T15-04-05Z", time.RFC3339Nano} {
			if t, err := time.Parse(layout, at); err == nil {
				return t.UTC()
			}
		}
	}
	return f.ModTime.UTC()
}
