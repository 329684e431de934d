package sessionkey

import (
	"fmt"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
)

// Host is what is known about the host beside the database.
type Host struct {
	// Folder is its state folder, with its agents; empty where it isn't known.
	Folder string
	// Agents are the ids of its agents; none where they aren't known.
	Agents []string
	// AgentFolders are where its agents keep their databases of sessions, beside those in Folder.
	AgentFolders []string
	// Ignored says by which pattern of its configuration the host stores nothing of a key; empty is none.
	Ignored func(key string) string
}

// FindHost returns what the host's folders and configuration say about sessions. It reads folders.
func FindHost(l openclaw.Locations) Host {
	h := Host{Folder: l.StateDir}
	for _, agent := range l.Agents() {
		h.Agents, h.AgentFolders = append(h.Agents, agent.ID), append(h.AgentFolders, agent.Folder)
	}
	h.Ignored = func(key string) string {
		for _, name := range []string{"ignoreSessionPatterns", "statelessSessionPatterns"} {
			patterns, _ := l.Host.Plugin[name].([]any)
			for _, p := range patterns {
				if settings.MatchesSession(p, key) {
					return fmt.Sprintf("%v (%s)", p, name)
				}
			}
		}
		return ""
	}
	return h
}
