package diagnose

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/clients"
	"lcm-tui/engine/redact"
)

// entry is what an entry of Claude Code says of hooks and tools.
type entry struct {
	UUID        string          `json:"uuid"`
	Type        string          `json:"type"`
	Subtype     string          `json:"subtype"`
	Timestamp   string          `json:"timestamp"`
	SessionID   string          `json:"sessionId"`
	Version     string          `json:"version"`
	CustomTitle string          `json:"customTitle"`
	ToolUseID   string          `json:"toolUseID"`
	ParentUseID string          `json:"parentToolUseID"`
	Level       string          `json:"level"`
	Content     json.RawMessage `json:"content"`
	Attachment  hookRun         `json:"attachment"`
	Data        hookRun         `json:"data"` // Of the entries of older clients.
	HookInfos   []hookRun       `json:"hookInfos"`
	HookErrors  []string        `json:"hookErrors"`
	Message     struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// hookRun is what an entry says about one run of a hook.
type hookRun struct {
	Type      string          `json:"type"`
	Event     string          `json:"hookEvent"`
	Name      string          `json:"hookName"`
	Command   string          `json:"command"`
	ToolUseID string          `json:"toolUseID"`
	Stdout    string          `json:"stdout"`
	Stderr    string          `json:"stderr"`
	ExitCode  int             `json:"exitCode"`
	TimedOut  bool            `json:"timedOut"`
	TimeoutMS int64           `json:"timeoutMs"`
	Content   json.RawMessage `json:"content"`
}

// claudeReader reads one session file of Claude Code.
type claudeReader struct {
	*Session

	seen     map[string]bool     // Entries, by their ids.
	runs     map[[3]string]int   // Runs of hooks, by tool use, event and command.
	noted    map[[2]string]bool  // Tool uses and events of which a problem was noted.
	tools    map[string]string   // Names of our tools, by the id of their call.
	progress map[string]progress // Hooks of older clients that may still fail, by tool use.
	line     int
}

// progress is a hook of which an older client noted that it began.
type progress struct {
	hookRun

	line int
}

// marks are what a line has that says something of hooks, tools, or the session.
var marks = [][]byte{[]byte(`"hook`), []byte(`"mcp__`), []byte(`"is_error":true`), []byte(`"customTitle"`), []byte(`"type":"system"`), []byte(`"stderr"`)}

// readClaude reads a session file of Claude Code.
func readClaude(ctx context.Context, path string) (*Session, error) {
	r := &claudeReader{
		Session: &Session{Client: clients.ClaudeCode, Path: path, ID: strings.TrimSuffix(filepath.Base(path), ".jsonl"), Problems: []Problem{}},
		seen:    map[string]bool{}, runs: map[[3]string]int{}, noted: map[[2]string]bool{}, tools: map[string]string{}, progress: map[string]progress{},
	}
	err := eachLine(path, func(line []byte) bool {
		r.line++
		if stamp := ownText(line, timestampKey); stamp != "" {
			r.Last, r.first = stamp, cmp.Or(r.first, stamp)
		}
		r.ClientVersion = cmp.Or(ownText(line, versionKey), r.ClientVersion)
		if slices.ContainsFunc(marks, func(mark []byte) bool { return bytes.Contains(line, mark) }) {
			var e entry
			if json.Unmarshal(line, &e) == nil && !(e.UUID != "" && r.seen[e.UUID]) {
				r.seen[e.UUID] = true
				r.read(e)
			}
		}
		return ctx.Err() == nil
	})
	return r.Session, err
}

// read notes what an entry says.
func (r *claudeReader) read(e entry) {
	r.Name = cmp.Or(e.CustomTitle, r.Name)
	switch e.Type {
	case "attachment":
		r.attachment(e)
	case "progress":
		if e.Data.Type == "hook_progress" {
			e.Data.ToolUseID = cmp.Or(e.ToolUseID, e.ParentUseID)
			if r.begin(e, e.Data) {
				r.progress[e.Data.ToolUseID] = progress{e.Data, r.line}
			}
		}
	case "system":
		r.system(e)
	case "assistant", "user":
		r.blocks(e)
	}
}

// begin notes that a hook ran, and reports whether it is of this program. The same run is noted once, however
// many entries it has.
func (r *claudeReader) begin(e entry, h hookRun) bool {
	ours, old := isOurs(h.Command)
	if !ours {
		return false
	}
	r.fired = true
	if old {
		r.add(OldBinary, e, h, "the hook runs another program than lcm-tui hook; lcm-tui install claude-code replaces it")
	}
	key := [3]string{h.ToolUseID, h.Event, h.Command}
	if r.runs[key]++; r.runs[key] > 1 && h.ToolUseID != "" {
		r.add(DuplicateHook, e, h, "the hook ran more than once at one event: it is registered in two places")
	}
	return true
}

// attachment notes what a client of today says of a hook.
func (r *claudeReader) attachment(e entry) {
	h := e.Attachment
	switch h.Type {
	case "hook_success", "hook_non_blocking_error", "hook_cancelled", "hook_blocking_error", "hook_stopped_continuation", "hook_error_during_execution":
	default:
		return
	}
	if !r.begin(e, h) {
		return
	}
	output := cmp.Or(h.Stderr, h.Stdout, textOf(h.Content))
	switch h.Type {
	case "hook_success":
		if strings.HasPrefix(strings.TrimSpace(textOf(h.Content)), "{") {
			r.add(BadOutput, e, h, "the client could not read the JSON that the hook printed")
		}
	case "hook_cancelled":
		if h.TimedOut {
			r.add(HookTimeout, e, h, fmt.Sprintf("stopped after %d ms", h.TimeoutMS))
		}
	case "hook_blocking_error", "hook_stopped_continuation":
		r.add(HookBlocked, e, h, output)
	default:
		r.add(failure(h, output), e, h, cmp.Or(output, fmt.Sprintf("exit code %d", h.ExitCode)))
	}
}

// failure returns which kind of problem a hook that failed has.
func failure(h hookRun, output string) Type {
	isMissing := strings.Contains(output, "ENOENT") && strings.Contains(output, "spawn") ||
		h.ExitCode == 127 && strings.Contains(output, "not found")
	if isMissing {
		return HookMissing
	}
	return HookError
}

// system notes what the client says outside of messages.
func (r *claudeReader) system(e entry) {
	text := textOf(e.Content)
	lower := strings.ToLower(text)
	switch ours, _ := isOurs(text); {
	case e.Subtype == "stop_hook_summary":
		r.summary(e)
	case strings.Contains(lower, "disconnect") && (ours || strings.Contains(lower, "lcm")):
		r.add(MCPDied, e, hookRun{}, text)
	case e.Level == "error" || strings.Contains(lower, "error") || strings.Contains(lower, "failed") || strings.Contains(lower, "not found"):
		for id := range r.progress {
			r.fail(e, id, text)
		}
	}
}

// summary notes what the client says of all hooks of a stop. The errors have no command, so they count only
// where all hooks are ours, and where nothing was said of them before.
func (r *claudeReader) summary(e entry) {
	var ours []hookRun
	for _, h := range e.HookInfos {
		if is, _ := isOurs(h.Command); is {
			h.Event, h.ToolUseID = "Stop", e.ToolUseID
			ours = append(ours, h)
		}
	}
	r.fired = r.fired || len(ours) > 0
	for _, text := range e.HookErrors {
		is, _ := isOurs(text)
		if len(ours) > 0 && (is || len(ours) == len(e.HookInfos)) && !r.noted[[2]string{e.ToolUseID, "Stop"}] {
			r.add(failure(ours[0], text), e, ours[0], text)
		}
	}
}

// fail notes that a hook failed which an older client began at most five lines before.
func (r *claudeReader) fail(e entry, id, text string) {
	const near = 5
	if p, ok := r.progress[id]; ok {
		delete(r.progress, id)
		if r.line-p.line <= near {
			p.ExitCode = e.Data.ExitCode
			r.add(failure(p.hookRun, text), e, p.hookRun, text)
		}
	}
}

// block is a part of a message that calls a tool, or has its result.
type block struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   json.RawMessage `json:"content"`
}

// blocks notes calls of our tools, and those that failed.
func (r *claudeReader) blocks(e entry) {
	var list []block
	if json.Unmarshal(e.Message.Content, &list) != nil {
		return // A plain text.
	}
	for _, b := range list {
		name := r.tools[b.ToolUseID]
		switch {
		case b.Type == "tool_use" && isOurTool(b.Name):
			r.tools[b.ID] = b.Name
		case b.Type != "tool_result" || !b.IsError:
		case name == "":
			r.fail(e, b.ToolUseID, textOf(b.Content))
		case strings.Contains(textOf(b.Content), "Connection closed"):
			r.add(MCPDied, e, hookRun{Event: name}, textOf(b.Content))
		default:
			r.add(MCPError, e, hookRun{Event: name}, textOf(b.Content))
		}
	}
}

// isOurTool reports whether a tool is of our server: mcp__lcm__lcm_grep, or mcp__plugin_lcm_lcm__lcm_grep.
func isOurTool(name string) bool {
	server, _, _ := strings.Cut(strings.TrimPrefix(name, "mcp__"), "__")
	return strings.HasPrefix(name, "mcp__") && (strings.Contains(server, "lcm") || strings.Contains(server, "lossless-claude"))
}

// mostDetails is how much of a client's text is kept, in characters.
const mostDetails = 300

// add notes a problem, without secrets that a command has or a program prints. The same one of a session is counted.
func (r *claudeReader) add(t Type, e entry, h hookRun, details string) {
	details, _ = redact.NewRedactor(redact.Maybe).Redact(strings.TrimSpace(details))
	command, _ := redact.NewRedactor(redact.Maybe).Redact(h.Command)
	if letters := []rune(details); len(letters) > mostDetails {
		details = string(letters[:mostDetails]) + "…"
	}
	if t != OldBinary && t != DuplicateHook {
		r.noted[[2]string{cmp.Or(h.ToolUseID, e.ToolUseID), h.Event}] = true
	}
	for i := range r.Problems {
		if p := &r.Problems[i]; p.Type == t && p.Event == h.Event && p.Command == command && (t == OldBinary || p.Details == details) {
			p.note(e)
			return
		}
	}
	p := Problem{Type: t, Event: h.Event, Command: command, Details: details}
	p.note(e)
	r.Problems = append(r.Problems, p)
}

// note counts an entry that shows the problem.
func (p *Problem) note(e entry) {
	p.Count++
	p.Timestamp = e.Timestamp
	if e.UUID != "" {
		p.entries = append(p.entries, e.UUID)
	}
}

// textOf returns a content that is a text, or a list of blocks of text.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var list []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &list) != nil {
		return ""
	}
	var all []string
	for _, b := range list {
		all = append(all, b.Text)
	}
	return strings.Join(all, "\n")
}
