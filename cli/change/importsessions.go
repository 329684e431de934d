package change

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/data/transcript"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
)

// clientSessions returns the session files of the coding agents in the folder of the run, or with --all
// where those of every folder lie.
func (k *importFlags) clientSessions(ctx context.Context, c *cli.Invocation) ([]string, error) {
	folders := slices.DeleteFunc(clients.SessionFolders(c.Sys.Env), func(folder string) bool { return !cli.FileExists(folder) })
	if k.all {
		if len(folders) == 0 {
			return nil, fmt.Errorf("there are no sessions of Claude Code, Codex or Gemini CLI on this machine: %w", ops.ErrNothing)
		}
		return folders, nil
	}
	project := c.Clients().WorkDir
	if whole, err := filepath.EvalSymlinks(project); err == nil {
		project = whole
	}
	if own := filepath.Join(clients.ClaudeCode.Sessions(c.Sys.Env), clients.ProjectFolder(project)); cli.FileExists(own) {
		folders = append(slices.DeleteFunc(folders, func(folder string) bool { return folder == clients.ClaudeCode.Sessions(c.Sys.Env) }), own)
	}
	found, _ := backfill.Find(ctx, folders, k.archived) // What can't be read isn't known to be of this folder.
	var paths []string
	for _, path := range found {
		f, err := transcript.Open(ctx, path)
		if err != nil || f.Session.CWD == "" {
			continue
		}
		if whole, err := filepath.EvalSymlinks(f.Session.CWD); err == nil && whole == project || f.Session.CWD == project {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 && ctx.Err() == nil {
		return nil, fmt.Errorf("no session of Claude Code, Codex or Gemini CLI ran in %s; --all imports those of every folder: %w", project, ops.ErrNothing)
	}
	return paths, ctx.Err()
}
