package install

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"strings"
)

//go:embed texts/*.md
var textFiles embed.FS

// SkillNames are the names of our skills.
var SkillNames = []string{"lcm-recall", "lcm-care"}

// ourMark stands in files that are ours alone, so that they are known again.
const ourMark = "written by lcm-tui install"

// embeddedText returns one of our texts.
func embeddedText(name string) string {
	b, err := textFiles.ReadFile("texts/" + name + ".md")
	if err != nil {
		panic(err) // It is built in.
	}
	return string(b)
}

// SkillText returns the whole file of a skill.
func SkillText(name string) string {
	return embeddedText(name) + "\n<!-- " + ourMark + " -->\n"
}

// command is a slash command that we bring.
type command struct{ name, description, hint, prompt string }

// slashCommands are the same for all clients; ARGUMENTS stands for what the user types behind one.
var slashCommands = []command{
	{"recall", "Find what was said in earlier sessions", "[what to look for]", "Use the skill lcm-recall to find in earlier sessions: ARGUMENTS\nStart with `lcm_grep` and rare words, and cite the ids of what you use."},
	{"doctor", "Check the memory and its installation", "", "Run `lcm-tui doctor --installation` and `lcm-tui doctor`. Say in plain words what they found, worst first, and which command repairs it. Change nothing before I say yes. ARGUMENTS"},
	{"import", "Import the sessions of this project", "", "Run `lcm-tui backfill` and say what it would import. Run it with `--apply` only after I say yes. ARGUMENTS"},
}

// markdown returns the command as Claude Code reads it.
func (c command) markdown() string {
	argumentHint := ""
	if c.hint != "" {
		argumentHint = fmt.Sprintf("argument-hint: %q\n", c.hint)
	}
	return fmt.Sprintf("---\ndescription: %s\n%s---\n\n%s\n\n<!-- %s -->\n", c.description, argumentHint, strings.ReplaceAll(c.prompt, "ARGUMENTS", "$ARGUMENTS"), ourMark)
}

// toml returns the command as Gemini CLI reads it.
func (c command) toml() string {
	return fmt.Sprintf("# %s\ndescription = %s\nprompt = %s\n", ourMark, tomlString(c.description), tomlString(strings.ReplaceAll(c.prompt, "ARGUMENTS", "{{args}}")))
}

// textPlace is where a client reads texts; nil where it reads none.
type textPlace struct {
	skillsFolder func(e Environment, s Scope) string
	rulesFile    func(e Environment, s Scope) string
	commands     func(e Environment, s Scope) string
	commandEnd   string
	projectOnly  bool   // Only a project has a place for texts that we know of.
	header       string // What a file of rules begins with, so that the client always reads it.
}

func (t textPlace) skills(s Scope) func(Environment, Scope) string {
	if t.projectOnly && s == ScopeUser {
		return nil
	}
	return t.skillsFolder
}

func (t textPlace) rules(s Scope) func(Environment, Scope) string {
	if t.projectOnly && s == ScopeUser {
		return nil
	}
	return t.rulesFile
}

// texts plans the files that are ours alone: path by path, a text each.
func (s Setup) texts(e Environment, part Part, wanted [][2]string, isRemoval bool) (changes []*Change, err error) {
	for _, w := range wanted {
		f, err := e.readFile(w[0])
		if err != nil {
			return nil, err
		}
		c := &Change{
			Part: part, Client: s.Client, Scope: s.Scope, Path: w[0], Target: f.target, Before: f.content, Creates: !f.exists, file: f,
			isRemoval: isRemoval, isWhole: true, origin: origin{isNew: true}, secretsOf: noSecrets,
		}
		r := e.receipt(part, w[0])
		c.isModified = f.exists && string(f.content) != w[1] && (r == nil || r.After != hashOf(f.content))
		isOurs := !f.exists || bytes.Contains(f.content, []byte(ourMark)) || s.Force
		switch {
		case isRemoval && !f.exists:
			c.nothing = w[0] + " isn't there; nothing to do"
		case !isOurs:
			return nil, refuse(w[0], errors.New("the file is not of this program"), "look at it; --force takes it for ours")
		case isRemoval:
			c.Removes = true
		case string(f.content) == w[1]:
			c.nothing = w[0] + " is there already; nothing to do"
		default:
			c.After = []byte(w[1])
		}
		changes = append(changes, c)
	}
	return changes, nil
}

func noSecrets([]byte) []textRange { return nil }

// skills plans our skills.
func (s Setup) skills(e Environment, isRemoval bool) ([]*Change, error) {
	return s.texts(e, PartSkill, s.Client.skillFiles(e, s.Scope), isRemoval)
}

// skillFiles returns the path and the text of each skill.
func (c Client) skillFiles(e Environment, scope Scope) (files [][2]string) {
	find := textPlaceOf(c.Name).skills(scope)
	if find == nil {
		return nil
	}
	for _, name := range SkillNames {
		files = append(files, [2]string{e.join(find(e, scope), name, "SKILL.md"), SkillText(name)})
	}
	return files
}

// commands plans our slash commands.
func (s Setup) commands(e Environment, isRemoval bool) ([]*Change, error) {
	place := textPlaceOf(s.Client.Name)
	var files [][2]string
	for _, c := range slashCommands {
		text := c.markdown()
		if place.commandEnd == ".toml" {
			text = c.toml()
		}
		files = append(files, [2]string{e.join(place.commands(e, s.Scope), EntryName, c.name+place.commandEnd), text})
	}
	return s.texts(e, PartCommands, files, isRemoval)
}

// Texts returns all that agents read of us, by name.
func Texts() map[string]string {
	texts := map[string]string{"rules": embeddedText("rules")}
	for _, name := range SkillNames {
		texts[name] = SkillText(name)
	}
	for _, c := range slashCommands {
		texts["/"+EntryName+":"+c.name] = c.markdown()
	}
	return texts
}

// OldSkills returns the skills of ours that aren't those of this version.
func (c Client) OldSkills(e Environment, scope Scope) (paths []string) {
	if !c.HasPart(PartSkill, scope) {
		return nil
	}
	for _, file := range c.skillFiles(e, scope) {
		f, err := readFile(file[0])
		if err == nil && f.exists && bytes.Contains(f.content, []byte(ourMark)) && string(f.content) != file[1] {
			paths = append(paths, file[0])
		}
	}
	return paths
}
