package install

// textPlaces are, by client, where texts lie. Those that are in a project only are of agents whose
// folders in the home folder this program doesn't know.
var textPlaces = map[string]textPlace{
	"claude-code": {skillsFolder: inConfig("claude-code", "skills"), commands: inConfig("claude-code", "commands"), commandEnd: ".md", rulesFile: claudeRules},
	"codex":       {skillsFolder: codexSkills, rulesFile: contextFile("codex", "AGENTS.md")},
	"gemini":      {skillsFolder: inConfig("gemini", "skills"), commands: inConfig("gemini", "commands"), commandEnd: ".toml", rulesFile: contextFile("gemini", "GEMINI.md")},
	"cursor": {
		skillsFolder: projectPlace(".cursor", "skills"), rulesFile: projectPlace(".cursor", "rules", "lcm.mdc"), projectOnly: true,
		header: "---\ndescription: Memory of earlier sessions\nalwaysApply: true\n---\n",
	},
	"vscode": {skillsFolder: projectPlace(".github", "skills"), rulesFile: projectPlace(".github", "copilot-instructions.md"), projectOnly: true},
}

// inConfig returns the place below a client's configuration.
func inConfig(name string, names ...string) func(Environment, Scope) string {
	return func(e Environment, s Scope) string {
		return e.join(Client{Name: name}.configFolder(e, s), names...)
	}
}

// contextFile returns the place of a file that a client reads from its configuration, or from the project's folder.
func contextFile(name, file string) func(Environment, Scope) string {
	return func(e Environment, s Scope) string {
		if s == ScopeProject {
			return e.join(e.WorkDir, file)
		}
		return e.join(Client{Name: name}.configFolder(e, s), file)
	}
}

var claudeRules = contextFile("claude-code", "CLAUDE.md")

// codexSkills returns the folder of Codex's skills, which is another in a project.
func codexSkills(e Environment, s Scope) string {
	if s == ScopeProject {
		return e.join(e.WorkDir, ".agents", "skills")
	}
	return e.join(Client{Name: "codex"}.configFolder(e, s), "skills")
}

// projectPlace returns a place in the project's folder.
func projectPlace(names ...string) func(Environment, Scope) string {
	return func(e Environment, _ Scope) string { return e.join(e.WorkDir, names...) }
}
