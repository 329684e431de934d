package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"lcm-tui/clients"
)

// Event is what a client says when it calls a hook. Members that aren't known are passed over.
type Event struct {
	Name       string
	Session    string
	Transcript string // The path of the session file.
	Helper     string // That of the helper that stopped.
	CWD        string
	Source     string // Of a start: startup, resume, fork, clear or compact.
	Reason     string // Of an end.
	Trigger    string // Of a compaction: manual or auto.
	Prompt     string // That the user gave.
}

// mostInput is how much of an event is read, in bytes.
const mostInput = 4 << 20

// ReadEvent reads the event that a client writes to a hook.
func ReadEvent(in io.Reader) (e Event, err error) {
	b, err := io.ReadAll(io.LimitReader(in, mostInput+1))
	if err != nil {
		return e, fmt.Errorf("read event: %w", err)
	}
	if len(b) > mostInput {
		return e, fmt.Errorf("read event: it is longer than %d MB", mostInput>>20)
	}
	var members map[string]any
	if err := json.Unmarshal(b, &members); err != nil {
		return e, fmt.Errorf("read event: %w", err)
	}
	for name, to := range map[string]*string{
		"hook_event_name": &e.Name, "session_id": &e.Session, "transcript_path": &e.Transcript, "agent_transcript_path": &e.Helper,
		"cwd": &e.CWD, "source": &e.Source, "reason": &e.Reason, "trigger": &e.Trigger, "prompt": &e.Prompt,
	} {
		*to, _ = members[name].(string)
	}
	if e.Name == "" {
		return e, errors.New("read event: it has no hook_event_name")
	}
	return e, nil
}

// kind is what is done at an event.
type kind int

const (
	other   kind = iota
	start        // A session begins, or goes on: history goes into its context.
	prompt       // The user gave a prompt: hints go into the context.
	turn         // An answer is whole.
	compact      // The client will compact the session.
	end          // The session ends.
)

// kinds are the events of all clients, by their names there.
var kinds = map[string]kind{
	"SessionStart": start, "UserPromptSubmit": prompt, "BeforeAgent": prompt, "Stop": turn, "SubagentStop": turn, "PostCompact": turn, "AfterAgent": turn,
	"PreCompact": compact, "PreCompress": compact, "SessionEnd": end,
}

// limits are how long a client waits at an event at most; the answer is there before.
var limits = map[kind]time.Duration{start: 1800 * time.Millisecond, prompt: time.Second, turn: 9 * time.Second, compact: 4500 * time.Millisecond, end: 280 * time.Millisecond}

// Shows reports whether the answer may show what was recorded.
func (e Event) Shows() bool { return kinds[e.Name] == start || kinds[e.Name] == prompt }

// Limit returns how long the answer to the event may take.
func (e Event) Limit() time.Duration {
	if e.Name == "PostCompact" { // Its client doesn't wait as long as at other turns.
		return limits[start]
	}
	if d := limits[kinds[e.Name]]; d > 0 {
		return d
	}
	return time.Second
}

// Reply returns what a client is answered, as it reads it from standard output.
func Reply(c clients.Client, event string, a Answer) string {
	if kinds[event] == compact && c == clients.ClaudeCode {
		return a.Instructions // Its plain output is added to the prompt of the compaction.
	}
	if a.Context == "" {
		if c == clients.Gemini {
			return "{}\n" // It takes nothing but one object.
		}
		return ""
	}
	var out struct {
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	out.Specific.Event, out.Specific.Context = event, a.Context
	b, err := json.Marshal(out)
	if err != nil {
		return ""
	}
	return string(b) + "\n"
}
