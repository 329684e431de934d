package install

import (
	"runtime"
	"slices"
	"strings"

	"lcm-tui/internal/lazyregexp"
)

// hookEvent is an event of a client at which our program runs.
type hookEvent struct {
	name    string
	matcher string // Which kinds of the event; empty for all.
	seconds int    // After which the client stops us.
	isAsync bool   // The client doesn't wait for us.
}

// The kinds of a start of a session. Gemini CLI compares a matcher as a whole with the kind, so it gets none.
const (
	claudeStarts = "startup|resume|clear|compact|fork"
	codexStarts  = "startup|resume|clear|compact"
)

// hookTables has the events by client. What runs at each prompt isn't among them.
var hookTables = map[string][]hookEvent{
	"claude-code": {
		{name: "SessionStart", matcher: claudeStarts, seconds: 2},
		{name: "PreCompact", seconds: 5},
		{name: "PostCompact", seconds: 2},
		{name: "Stop", seconds: 10, isAsync: true},
		{name: "SubagentStop", seconds: 10, isAsync: true},
		{name: "SessionEnd", seconds: 2},
	},
	"codex": {
		{name: "SessionStart", matcher: codexStarts, seconds: 2},
		{name: "PreCompact", seconds: 5},
		{name: "PostCompact", seconds: 2},
		{name: "Stop", seconds: 10},
		{name: "SubagentStop", seconds: 10},
		{name: "SessionEnd", seconds: 2},
	},
	"gemini": {
		{name: "SessionStart", seconds: 2},
		{name: "PreCompress", seconds: 5},
		{name: "AfterAgent", seconds: 10},
		{name: "SessionEnd", seconds: 2},
	},
}

// promptEvents are the events at which a client has a prompt, for hints: they are written only where the user asks.
var promptEvents = map[string]hookEvent{
	"claude-code": {name: "UserPromptSubmit", seconds: 2},
	"codex":       {name: "UserPromptSubmit", seconds: 2},
	"gemini":      {name: "BeforeAgent", seconds: 2},
}

// hookGroup is a group of handlers as clients write it. Without a matcher it is for all kinds of an
// event; an empty one would make some clients refuse the file.
type hookGroup struct {
	Matcher string        `json:"matcher,omitempty"`
	Hooks   []hookHandler `json:"hooks"`
}

// hookHandler is what a client runs. With args it runs the command without a shell.
type hookHandler struct {
	Name    string   `json:"name,omitempty"`
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout"`
	Async   bool     `json:"async,omitempty"`
}

// newHookGroup returns the group of an event, as the client takes it: Claude Code starts a program without a
// shell, the others take a line for a shell, and Gemini CLI counts milliseconds.
func (c Client) newHookGroup(event hookEvent, s Server) hookGroup {
	h := hookHandler{Type: "command", Command: s.Command, Args: s.Args, Timeout: event.seconds, Async: event.isAsync}
	if c.Name != "claude-code" {
		h.Command, h.Args = shellLine(s), nil
	}
	if c.Name == "gemini" {
		h.Name = EntryName
		h.Timeout *= 1000
	}
	return hookGroup{Matcher: event.matcher, Hooks: []hookHandler{h}}
}

// isPlainWord matches words that no shell changes.
var isPlainWord = lazyregexp.New(`^[A-Za-z0-9_@%+=:,./-]+$`)

// shellEscapes are the letters before which a shell takes a backslash between quotes. On Windows a backslash stands in every
// path, and escapes a quote only.
var shellEscapes = map[bool]string{true: `"`, false: "\"\\$`"}[runtime.GOOS == "windows"]

// shellLine returns a command line that a shell splits into the program and its arguments.
func shellLine(s Server) string {
	words := append([]string{s.Command}, s.Args...)
	for i, w := range words {
		if isPlainWord.MatchString(w) {
			continue
		}
		var quoted strings.Builder
		for _, r := range w {
			if strings.ContainsRune(shellEscapes, r) {
				quoted.WriteByte('\\')
			}
			quoted.WriteRune(r)
		}
		words[i] = `"` + quoted.String() + `"`
	}
	return strings.Join(words, " ")
}

// splitShellLine returns the words of a command line that a client gives to a shell.
func splitShellLine(line string) (words []string) {
	var word strings.Builder
	var quote rune
	has, isEscaped := false, false
	runes := []rune(line)
	for i, r := range runes {
		switch {
		case isEscaped:
			word.WriteRune(r)
			isEscaped = false
		case isShellEscape(runes[i:], quote):
			isEscaped, has = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, has = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if has {
				words = append(words, word.String())
				word.Reset()
			}
			has = false
		default:
			word.WriteRune(r)
			has = true
		}
	}
	if has {
		words = append(words, word.String())
	}
	return words
}

// isShellEscape reports whether a text begins with a backslash that a shell takes for the letter behind it: outside of
// quotes for any, between double quotes for some.
func isShellEscape(text []rune, quote rune) bool {
	if text[0] != '\\' || len(text) == 1 || quote == '\'' {
		return false
	}
	return quote == 0 && runtime.GOOS != "windows" || strings.ContainsRune(shellEscapes, text[1])
}

// hookProgram returns the words that a handler starts, in either form.
func hookProgram(handler any) (words []string, isExec bool) {
	m, _ := handler.(map[string]any)
	command, _ := m["command"].(string)
	args, isExec := m["args"].([]any)
	if !isExec {
		return splitShellLine(command), false
	}
	words = []string{command}
	for _, a := range args {
		text, _ := a.(string)
		words = append(words, text)
	}
	return words, true
}

// isOurHook reports whether a handler runs this program's command for hooks, in either form.
func isOurHook(handler any, ours Server) bool {
	words, _ := hookProgram(handler)
	return len(words) > 1 && (isProgram(words[0]) || words[0] == ours.Command) && slices.Contains(words[1:], "hook")
}

// isOldHook reports whether a handler runs a program of this kind that is gone by now.
func isOldHook(handler any) bool {
	words, _ := hookProgram(handler)
	return len(words) > 1 && isOldProgram(words[0])
}

// isOldProgram reports whether a command is lcm or lossless-claude by its name.
func isOldProgram(command string) bool {
	name := strings.TrimSuffix(strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:]), ".exe")
	return name == "lcm" || name == "lossless-claude"
}
