package comparison

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"lcm-tui/data"
)

// NotFoundError says that there is no rollout of a conversation on this machine.
type NotFoundError struct {
	Conversation int64
	Folders      []string // Where it was looked for.
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no Codex rollout of conversation %d in the folders of session files", e.Conversation)
}

// Hint says where it was looked for.
func (e *NotFoundError) Hint() string {
	if len(e.Folders) == 0 {
		return "there are no such folders; --rollout FILE names the file"
	}
	return "looked in " + strings.Join(e.Folders, ", ") + "; --rollout FILE names another file"
}

// ScreenHint says where it was looked for, and which command reads another file.
func (e *NotFoundError) ScreenHint() string {
	if len(e.Folders) == 0 {
		return "there are no such folders; the command compare reads a file that you name"
	}
	return "looked in " + strings.Join(e.Folders, ", ") + "; the command compare reads a file that you name"
}

// plain is a session id that can stand in a file's name.
var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Find is the newest rollout of a conversation in folders of session files: the one of
// its session, which Codex wrote itself, or the one of the thread that OpenClaw noted
// beside the session's file.
func Find(folders []string, conv data.Conversation) (string, error) {
	var found []string
	for _, folder := range folders {
		ids := []string{conv.SessionID}
		if thread := threadOf(folder, conv.SessionID); thread != "" {
			ids = append(ids, thread)
		}
		for _, id := range ids {
			if !plain.MatchString(id) {
				continue
			}
			for _, pattern := range []string{
				filepath.Join(folder, "rollout-*"+id+"*.jsonl"),
				filepath.Join(folder, "*", "*", "*", "rollout-*"+id+"*.jsonl"),
				filepath.Join(filepath.Dir(folder), "agent", "codex-home", "sessions", "*", "*", "*", "*"+id+"*.jsonl"),
			} {
				paths, _ := filepath.Glob(pattern) // The pattern is a good one.
				found = append(found, paths...)
			}
		}
	}
	if len(found) == 0 {
		return "", &NotFoundError{conv.ID, folders}
	}
	return slices.MaxFunc(found, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) }), nil
}

// threadOf is the thread of Codex' that OpenClaw noted beside a session's file.
func threadOf(folder, session string) string {
	if !plain.MatchString(session) {
		return ""
	}
	f, err := os.Open(filepath.Join(folder, session+".jsonl.codex-app-server.json"))
	if err != nil {
		return ""
	}
	defer f.Close()
	const most = 1 << 20 // Bytes; it has some hundred.
	b, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return ""
	}
	var note struct {
		Thread string `json:"threadId"`
	}
	if json.Unmarshal(b, &note) != nil {
		return ""
	}
	return note.Thread
}
