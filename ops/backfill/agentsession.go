package backfill

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data/sessiondb"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/hint"
)

// StoredSession lists the sessions of an agent's transcript database that have an id or a session
// key, as addresses. Without such a file there are none.
func StoredSession(ctx context.Context, path, session string) (out []string, err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, nil
	}
	all, err := readSessions(ctx, path)
	if errors.Is(err, sessiondb.ErrNoTranscripts) {
		return nil, nil // They are session files.
	}
	for _, s := range all {
		if s.Events > 0 && (s.ID == session || slices.Contains(s.Keys, session)) {
			out = append(out, transcript.Address(path, s.ID))
		}
	}
	return out, err
}

// AgentSession lists the files of a session in a folder of OpenClaw's: the one that is
// called like it, and those that were put aside under its name. The session may also be
// named by its session key or id, as sessions.json has them.
func AgentSession(folder, session string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("find the session: %w", err)
	}
	stem, keys := strings.TrimSuffix(session, ".jsonl"), readKeys(filepath.Join(folder, "sessions.json"))
	var named, keyed, all []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !Named(name) {
			continue
		}
		path := filepath.Join(folder, name)
		own, _, _ := strings.Cut(name, ".jsonl")
		all = append(all, own)
		switch {
		case own == stem:
			named = append(named, path)
		case keys[name] == session || keys[own] == session:
			keyed = append(keyed, path)
		}
	}
	if len(named) == 0 {
		named = keyed
	}
	if len(named) == 0 {
		slices.Sort(all)
		return nil, hint.New(fmt.Sprintf("there is no session %q in %s", session, folder), namesOf(slices.Compact(all)))
	}
	return named, nil
}

// namesOf says which sessions there are.
func namesOf(known []string) string {
	const most = 12
	if len(known) == 0 {
		return "there are no session files at all"
	}
	names := "there are " + strings.Join(known[:min(most, len(known))], ", ")
	if more := len(known) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return names
}
