package openclaw

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/sorting"
)

// Agent is one of the host's agents and its agentDir: the folder of its sign-ins and of its
// transcript database.
type Agent struct {
	ID, Folder string
}

// mainAgent is the agent that the host has without any configuration.
const mainAgent = "main"

// configuredAgents returns the agents whose agentDir stands in the configuration, and the one
// that the configuration calls the default; it is empty where none is.
func configuredAgents(doc document, env Getenv) (agents []Agent, defaultAgent string) {
	list, _ := doc.Agents.List.([]any)
	for _, entry := range list {
		a, _ := entry.(map[string]any)
		id, _ := a["id"].(string)
		id = strings.ToLower(strings.TrimSpace(id))
		if isDefault, _ := a["default"].(bool); isDefault && defaultAgent == "" {
			defaultAgent = id
		}
		if dir, _ := substitute(a["agentDir"], env).(string); id != "" && strings.TrimSpace(dir) != "" {
			agents = append(agents, Agent{ID: id, Folder: ExpandHome(dir, env)})
		}
	}
	return agents, defaultAgent
}

// InAgents returns what has a name, or matches a pattern, in the folders of all agents below the state folder.
func (l Locations) InAgents(names ...string) []string {
	return filesystem.Glob(l.StateDir, append([]string{"agents", "*"}, names...)...)
}

// Agents lists the host's agents: those that have a folder under the state folder, and those
// whose agentDir the configuration names. The default agent stands first, then main, then the
// others by id. A folder that is named needn't be there.
func (l Locations) Agents() []Agent {
	folders := map[string]string{}
	for _, path := range l.InAgents("agent") {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			folders[filepath.Base(filepath.Dir(path))] = path
		}
	}
	for _, a := range l.Host.agents {
		folders[a.ID] = a.Folder
	}
	out := make([]Agent, 0, len(folders))
	for id, folder := range folders {
		out = append(out, Agent{ID: id, Folder: folder})
	}
	rank := func(a *Agent) int { return slices.Index([]string{mainAgent, l.Host.defaultAgent}, a.ID) }
	sorting.Stable(out, func(a, b *Agent) int { return cmp.Or(-cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ID, b.ID)) })
	return out
}
