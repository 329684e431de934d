package diagnose

import (
	"bytes"
	"encoding/json"
	"path/filepath"

	"lcm-tui/clients"
)

// readCodex reads a session file of Codex, which says nothing about failures of hooks and servers: only that a
// hook added to the context. It returns nil where the session ran in another folder than the project, or doesn't say where.
func readCodex(path, project string) (*Session, error) {
	s := &Session{Client: clients.Codex, Path: path, Problems: []Problem{}}
	isOther, isKnown := false, false
	err := eachLine(path, func(line []byte) bool {
		var entry struct {
			Timestamp string `json:"timestamp"`
			Type      string `json:"type"`
			Payload   struct {
				ID      string `json:"id"`
				CWD     string `json:"cwd"`
				Version string `json:"cli_version"`
			} `json:"payload"`
		}
		if !isKnown && json.Unmarshal(line, &entry) == nil && entry.Type == "session_meta" {
			isKnown = true
			s.ID, s.ClientVersion, s.first = entry.Payload.ID, entry.Payload.Version, entry.Timestamp
			isOther = project != "" && realPath(entry.Payload.CWD) != realPath(project)
		}
		if stamp := ownText(line, timestampKey); stamp != "" {
			s.Last = stamp
		}
		s.fired = s.fired || bytes.Contains(line, []byte(`"hooks.additional_context"`))
		return !isOther
	})
	if isOther || project != "" && !isKnown || err != nil {
		return nil, err
	}
	return s, nil
}

// realPath returns a path with its links followed, as far as it exists.
func realPath(path string) string {
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		return followed
	}
	return filepath.Clean(path)
}
