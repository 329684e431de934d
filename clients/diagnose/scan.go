package diagnose

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"lcm-tui/clients"
	"lcm-tui/internal/parallel"
)

// Request says which session files are read.
type Request struct {
	// Folders are those of the clients' session files.
	Folders map[clients.Client]string
	// Project is the folder whose sessions are read; empty for all.
	Project string
	// Since is the time before which a session file was last written that isn't read.
	Since time.Time
	// Installed says since when hooks are installed for a client.
	Installed map[clients.Client]time.Time
	// Fired says when a hook was last called by a client.
	Fired map[clients.Client]time.Time
}

// sessionFile is a session file that is read.
type sessionFile struct {
	client clients.Client
	path   string
}

// Run reads the session files. A file that can't be read is named in the report.
func Run(ctx context.Context, r Request) (*Report, error) {
	files, unreadable := r.files()
	sessions := make([]*Session, len(files))
	failed := make([]error, len(files))
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				failed[i] = parallel.Call(func() (err error) {
					sessions[i], err = r.read(ctx, files[i])
					return err
				})
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wait.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	report := &Report{Sessions: []Session{}, Unreadable: append([]string{}, unreadable...)}
	seen := map[[2]string]bool{}
	for i, s := range sessions {
		if err := failed[i]; err != nil {
			report.Unreadable = append(report.Unreadable, files[i].path+": "+err.Error())
			continue
		}
		if s == nil {
			continue // It is of another project.
		}
		report.Scanned++
		s.dropCopies(seen)
		if r.hasNeverFired(s) {
			s.Problems = append(s.Problems, Problem{
				Type: NeverFired, Timestamp: s.first, Count: 1,
				Details: "the hooks are installed, but the client called none; see lcm-tui doctor --installation --client " + string(s.Client),
			})
		}
		if len(s.Problems) > 0 {
			report.Sessions = append(report.Sessions, *s)
		}
	}
	report.sum()
	return report, nil
}

// read reads a session file; nil where it is of another project.
func (r Request) read(ctx context.Context, f sessionFile) (*Session, error) {
	if f.client == clients.Codex {
		return readCodex(f.path, r.Project)
	}
	return readClaude(ctx, f.path)
}

// hasNeverFired reports whether hooks were installed when a session began, and none ran since.
func (r Request) hasNeverFired(s *Session) bool {
	installed, is := r.Installed[s.Client]
	return is && !s.fired && isAfter(s.first, installed) && isAfter(s.first, r.Fired[s.Client])
}

// dropCopies drops the problems that a fork copied from another session, and notes its own: one entry may show several.
func (s *Session) dropCopies(seen map[[2]string]bool) {
	own, shown := []Problem{}, map[[2]string]bool{}
	for _, p := range s.Problems {
		for _, id := range p.entries {
			key := [2]string{string(p.Type), id}
			if seen[key] {
				p.Count--
			}
			shown[key] = true
		}
		if p.Count > 0 {
			own = append(own, p)
		}
	}
	maps.Copy(seen, shown)
	s.Problems = own
}

// files lists the session files, by path.
func (r Request) files() (files []sessionFile, unreadable []string) {
	for _, client := range clients.All() {
		root := r.Folders[client]
		if root == "" {
			continue
		}
		if client == clients.ClaudeCode && r.Project != "" {
			root = filepath.Join(root, clients.ProjectFolder(r.Project))
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				unreadable = append(unreadable, path+": "+err.Error())
				return nil
			case d.IsDir() && d.Name() == "subagents", d.IsDir() && d.Name() == "tool-results":
				return fs.SkipDir
			case !d.Type().IsRegular() || filepath.Ext(path) != ".jsonl":
				return nil
			}
			if info, err := d.Info(); err == nil && info.ModTime().Before(r.Since) || errors.Is(err, os.ErrNotExist) {
				return nil
			}
			files = append(files, sessionFile{client, path})
			return nil
		})
		if err != nil {
			unreadable = append(unreadable, root+": "+err.Error())
		}
	}
	return files, unreadable
}

// isOurs reports whether a command runs this program, or one before it, and whether it is one before.
func isOurs(command string) (ours, old bool) {
	for word := range strings.FieldsSeq(command) {
		word = strings.Trim(word, `"'`)
		switch strings.TrimSuffix(strings.ToLower(word[strings.LastIndexAny(word, `/\`)+1:]), ".exe") {
		case "lcm-tui":
			return true, false
		case "lcm", "lossless-claude":
			return true, true
		}
	}
	return false, false
}
