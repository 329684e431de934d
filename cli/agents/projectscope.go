package agents

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops/backfill"
)

// projectScope is the conversations that were imported from sessions in one folder.
type projectScope struct {
	folder string

	mu    sync.Mutex
	known map[string]bool // Whether the transcript at a path is of a session in the folder.
}

func newProjectScope(folder string) (*projectScope, error) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return nil, cli.UsageErrorf("--cwd: %v", err)
	}
	return &projectScope{folder: realPath(abs), known: map[string]bool{}}, nil
}

// realPath returns a path with its links followed, as far as it exists.
func realPath(path string) string {
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		return followed
	}
	return filepath.Clean(path)
}

// conversations returns those of the folder, newest first.
func (p *projectScope) conversations(ctx context.Context, db *data.DB) (retrieve.Scope, error) {
	imported, err := lcm.Bootstraps(ctx, db)
	if err != nil {
		return retrieve.Scope{}, err
	}
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return retrieve.Scope{}, err
	}
	keys := map[int64]string{}
	for _, c := range all {
		keys[c.ID] = c.SessionKey
	}
	var found []lcm.Bootstrap
	for _, b := range imported {
		if p.has(ctx, b.Path, keys[b.Conversation]) {
			found = append(found, b)
		}
	}
	sorting.Stable(found, func(a, b *lcm.Bootstrap) int {
		if a.ModTimeMS != b.ModTimeMS {
			return int(max(min(b.ModTimeMS-a.ModTimeMS, 1), -1))
		}
		return int(max(min(b.Conversation-a.Conversation, 1), -1))
	})
	ids := make([]int64, len(found))
	for i, b := range found {
		ids[i] = b.Conversation
	}
	if len(ids) == 0 {
		return retrieve.Scope{}, hint.New("no conversation was imported from a session in "+p.folder, "lcm-tui backfill imports the transcripts of agents")
	}
	return retrieve.Conversations(ids...), nil
}

// has reports whether the transcript at a path is of a session in the folder. The transcript
// says so itself. Where it is gone, the folder that Claude Code keeps it in does: that one is
// named after the session's, but not without doubt. Of the other clients the session key names the project.
func (p *projectScope) has(ctx context.Context, path, key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	is, known := p.known[path]
	if known {
		return is
	}
	f, err := transcript.Open(ctx, path)
	switch {
	case err == nil:
		is = f.Session.CWD != "" && realPath(f.Session.CWD) == p.folder
	case errors.Is(err, fs.ErrNotExist):
		return filepath.Base(filepath.Dir(path)) == clients.ProjectFolder(p.folder) || isKeyOf(backfill.ProjectOf(p.folder), key)
	default:
		return false // It may be readable later.
	}
	p.known[path] = is
	return is
}

// isKeyOf reports whether a session key is one of a project, of a client whose folders don't tell where a session ran.
func isKeyOf(project, key string) bool {
	for _, c := range []clients.Client{clients.Codex, clients.Gemini} {
		if strings.HasPrefix(key, "agent:"+project+":"+string(c)+":") {
			return true
		}
	}
	return false
}
