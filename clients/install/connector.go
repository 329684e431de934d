package install

import (
	"slices"
	"strings"
)

// Connector is a coding agent and what this program can write for it in a project.
type Connector struct {
	Name  string // As it is typed.
	Title string

	client string    // The client of install that it is; empty for one that only reads texts.
	place  textPlace // Where it reads texts, where it is no client.
}

// connectorPrefix begins the name of an agent that is no client of install.
const connectorPrefix = "connector "

// Headers of files of rules, by which an agent always reads them.
const (
	alwaysOn     = "---\ntrigger: always_on\n---\n"
	alwaysApply  = "---\ntrigger: always_on\nalwaysApply: true\n---\n"
	alwaysRead   = "---\ninclusion: always\n---\n"
	alwaysTyped  = "---\ntype: always_apply\n---\n"
	noRulesThere = ""
)

// connectors are all agents that this program knows.
var connectors = []Connector{
	{Name: "claude-code", Title: "Claude Code", client: "claude-code"},
	{Name: "codex", Title: "Codex", client: "codex"},
	{Name: "gemini-cli", Title: "Gemini CLI", client: "gemini"},
	{Name: "cursor", Title: "Cursor", client: "cursor"},
	{Name: "github-copilot", Title: "GitHub Copilot", client: "vscode"},
	textConnector("windsurf", "Windsurf", ".windsurf", "rules/lcm.md", alwaysOn),
	textConnector("trae", "Trae", ".trae", "rules/lcm.md", ""),
	textConnector("qoder", "Qoder", ".qoder", "rules/lcm.md", alwaysApply),
	textConnector("roo-code", "Roo Code", ".roo", "rules/lcm.md", ""),
	textConnector("kilo-code", "Kilo Code", ".kilo", "rules/lcm.md", ""),
	textConnector("amp", "Amp", ".amp", "rules/lcm.md", ""),
	textConnector("junie", "Junie", ".junie", "rules/lcm.md", ""),
	textConnector("opencode", "OpenCode", ".opencode", "rules.md", ""),
	textConnector("warp", "Warp", ".warp", "rules.md", ""),
	textConnector("auggie-cli", "Auggie CLI", ".auggie", "rules.md", ""),
	textConnector("antigravity", "Antigravity", ".antigravity", "rules.md", ""),
	textConnector("kiro", "Kiro", ".kiro", "steering/lcm.md", alwaysRead),
	textConnector("openclaw", "OpenClaw", ".openclaw", noRulesThere, ""),
	rulesConnector("qwen-code", "Qwen Code", ".qwen/rules.md", ""),
	rulesConnector("zed", "Zed", "agent-context.rules", ""),
	rulesConnector("cline", "Cline", ".clinerules/lcm.md", ""),
	rulesConnector("augment-code", "Augment Code", ".augment/rules.md", alwaysTyped),
}

// textConnector returns an agent that reads skills and rules in a folder of its own.
func textConnector(name, title, folder, rules, header string) Connector {
	c := Connector{Name: name, Title: title, place: textPlace{projectOnly: true, header: header, skillsFolder: projectPlace(folder, "skills")}}
	if rules != noRulesThere {
		c.place.rulesFile = projectPlace(append([]string{folder}, strings.Split(rules, "/")...)...)
	}
	return c
}

// rulesConnector returns an agent that reads rules alone.
func rulesConnector(name, title, rules, header string) Connector {
	return Connector{Name: name, Title: title, place: textPlace{projectOnly: true, header: header, rulesFile: projectPlace(strings.Split(rules, "/")...)}}
}

// Connectors returns all agents.
func Connectors() []Connector { return slices.Clone(connectors) }

// ConnectorNames returns the names of all agents.
func ConnectorNames() (names []string) {
	for _, c := range connectors {
		names = append(names, c.Name)
	}
	return names
}

// ConnectorNamed returns the agent of a name.
func ConnectorNamed(name string) (c Connector, ok bool) {
	i := slices.IndexFunc(connectors, func(c Connector) bool { return c.Name == name })
	if i < 0 {
		return Connector{}, false
	}
	return connectors[i], true
}

// Client returns the agent as install takes it.
func (c Connector) Client() Client {
	if client, ok := ClientNamed(c.client); ok {
		return client
	}
	return Client{Name: connectorPrefix + c.Name, Title: c.Title}
}

// Parts returns what this program can write for the agent into a project; the first is what it gets by default.
func (c Connector) Parts() (parts []Part) {
	for _, p := range []Part{PartSkill, PartRules, PartMCP, PartHooks, PartCommands} {
		if c.Client().HasPart(p, ScopeProject) {
			parts = append(parts, p)
		}
	}
	return parts
}

// Installed returns the parts that the agent has in the project. A file that can't be read has none.
func (c Connector) Installed(e Environment) (parts []Part) {
	for _, p := range c.Parts() {
		s := Setup{Request: Request{Client: c.Client(), Scope: ScopeProject}, Parts: []Part{p}}
		if _, err := s.Uninstall(e); err == nil {
			parts = append(parts, p)
		}
	}
	return parts
}

// textPlaceOf returns where a client reads texts, or an agent that is none.
func textPlaceOf(name string) textPlace {
	if agent, isConnector := strings.CutPrefix(name, connectorPrefix); isConnector {
		c, _ := ConnectorNamed(agent)
		return c.place
	}
	return textPlaces[name]
}
