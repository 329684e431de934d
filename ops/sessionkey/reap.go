package sessionkey

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Reap archives the active conversations of coding agents whose session files the agents deleted from the disk.
// Their messages and summaries stay.
type Reap struct {
	// Conversations are those that are looked at; none are all.
	Conversations []int64
	// Folders are where the session files of each agent lie.
	Folders map[transcript.Kind]string
	Lifecycle
}

var _ ops.Op = (*Reap)(nil)

// Name implements ops.Op.
func (*Reap) Name() string { return "session reap" }

// Plan implements ops.Op. Conversations that stay are counted by the reason.
func (o *Reap) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	const what = "archive conversations whose sessions were deleted"
	if err := o.checkFile(db, what); err != nil {
		return ops.Plan{}, err
	}
	chosen, err := o.choose(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	states, err := lcm.Bootstraps(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), "")
	stay, done := map[string]int{}, 0
	disk := sessionDisk{folders: o.Folders, files: map[transcript.Kind][]string{}}
	for i, one := range chosen {
		report(i, len(chosen), "looking for session files")
		if why := disk.whyKept(ctx, one, states[one.ID].Path); why != "" {
			stay[why]++
			continue
		}
		c, err := o.begin(ctx, db, "archive "+one.Label(), one.ID)
		if err != nil {
			return ops.Plan{}, err
		}
		c.guardActive(db, &p, 1)
		if err := c.archive(ctx, db, &p, CauseDeleted); err != nil {
			return ops.Plan{}, err
		}
		done++
		p.Note(c.name() + " is archived: its session file is gone")
	}
	for _, why := range sortedKeys(stay) {
		p.Note(plural.Count(stay[why], "conversation stays", "conversations stay") + ": " + why)
	}
	if done == 0 {
		return ops.Plan{}, fmt.Errorf("%s: %w", strings.Join(append([]string{"no session of an active conversation is known to be deleted"}, p.Notes...), "; "), ops.ErrNothing)
	}
	p.Title = "archive " + plural.Count(done, "conversation whose session was deleted", "conversations whose sessions were deleted")
	p.Note("all messages and summaries stay, and searches find them")
	return p, ctx.Err()
}

func sortedKeys[Value any](m map[string]Value) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// choose returns the active conversations that are looked at. One that was named and is archived is refused.
func (o *Reap) choose(ctx context.Context, db *data.DB) (out []lcm.Conversation, err error) {
	if len(o.Conversations) == 0 {
		all, err := lcm.Conversations(ctx, db)
		slices.Reverse(all) // Oldest first.
		return slices.DeleteFunc(all, func(c lcm.Conversation) bool { return !c.Active }), err
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(o.Conversations))) {
		c, err := o.begin(ctx, db, "archive "+lcm.Label(ctx, db, id), id)
		if err != nil {
			return nil, err
		}
		out = append(out, c.Conversation)
	}
	return out, nil
}

// sessionDisk is what lies on the disk of the sessions of coding agents. Each folder is read once.
type sessionDisk struct {
	folders map[transcript.Kind]string
	files   map[transcript.Kind][]string // The names of the files in it, at any depth.
}

// whyKept says why the session of a conversation isn't known to be deleted; empty is that it is. path is the
// session file that was noted.
func (d *sessionDisk) whyKept(ctx context.Context, c lcm.Conversation, path string) string {
	client := clientOf(c)
	folder := d.folders[client]
	switch {
	case client == "" && lcm.IsScheduledRun(c.SessionKey):
		return "it is a run of a scheduled job, which its host archives when the next run begins"
	case client == "" && lcm.IsSubagent(c.SessionKey):
		return "it is the session of a host's subagent, which the host archives itself"
	case client == "":
		return "its session is none of Claude Code, Codex or Gemini CLI"
	case c.OnlyPrompts():
		return "it never had a session file"
	case path != "" && exists(path):
		return "its session file is there"
	case folder == "" || !exists(folder):
		return "the folder of its agent's sessions isn't there"
	case path != "" && !isBelow(folder, path):
		return "its session file was never in the folder of its agent"
	}
	files, err := d.list(ctx, client)
	if err != nil {
		return fmt.Sprintf("the folder of its agent's sessions can't be read: %v", err)
	}
	session := c.SessionID[strings.LastIndex(c.SessionID, "/")+1:] // That of a helper stands behind its parent's.
	switch {
	case session == "" && path == "":
		return "its session isn't known"
	case session != "" && slices.ContainsFunc(files, func(name string) bool { return strings.Contains(name, session) }):
		return "its session file is there"
	case path == "" && client == transcript.Gemini: // The names of its files have only a part of the id.
		return "no session file is noted"
	}
	return ""
}

// list returns the names of the files in the folder of an agent.
func (d *sessionDisk) list(ctx context.Context, client transcript.Kind) ([]string, error) {
	if known, is := d.files[client]; is {
		return known, nil
	}
	names := []string{}
	err := filepath.WalkDir(d.folders[client], func(path string, e fs.DirEntry, err error) error {
		if e != nil && !e.IsDir() {
			names = append(names, filepath.Base(path))
		}
		return errors.Join(err, ctx.Err())
	})
	if err == nil {
		d.files[client] = names
	}
	return names, err
}

// exists reports whether there is something at a path, or may be.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// isBelow reports whether a path lies in a folder, also by its real name.
func isBelow(folder, path string) bool {
	for _, root := range []string{folder, realPath(folder)} {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// realPath follows the links of a path that exists.
func realPath(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}
