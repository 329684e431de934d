package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/data/sessiondb"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/lazyregexp"
)

// plain is a session id that can stand in a file's name.
var plain = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// ErrNoTranscript says that a conversation has no transcript where one was looked for.
var ErrNoTranscript = errors.New("there is no transcript")

// Find returns the transcript of a conversation in places, which are folders of session files and
// transcript databases: the newest one that Codex wrote of its session, or of the thread that
// OpenClaw noted beside the session's file; else the one of its session in a transcript database;
// else the session file that is called like it.
func Find(ctx context.Context, places []string, conv lcm.Conversation) (string, error) {
	if path := findRollout(places, conv); path != "" {
		return path, nil
	}
	for _, database := range databases(places) {
		address := transcript.Address(database, conv.SessionID)
		if f, err := transcript.Open(ctx, address); err == nil && f.Session.ID == conv.SessionID {
			return address, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	if plain.MatchString(conv.SessionID) {
		for _, folder := range places {
			for _, pattern := range []string{conv.SessionID + ".jsonl", filepath.Join("*", conv.SessionID+".jsonl")} {
				if found := filesystem.Glob(folder, pattern); len(found) > 0 {
					return found[0], nil
				}
			}
		}
	}
	missing := &hint.Error{
		Err:      ErrNoTranscript,
		Text:     fmt.Sprintf("there is no transcript of conversation %d in the folders and databases of the hosts", conv.ID),
		Next:     "there are no such folders; --transcript PATH names the file",
		OnScreen: "there are no such folders; f names the file",
	}
	if len(places) > 0 {
		looked := "looked in " + strings.Join(places, ", ")
		missing.Next, missing.OnScreen = looked+"; --transcript PATH names another", looked+"; f names another file"
	}
	return "", missing
}

// databases returns the transcript databases among some places, and those of the agents whose folders
// of session files are among them.
func databases(places []string) (out []string) {
	for _, place := range places {
		for _, path := range []string{place, filepath.Join(filepath.Dir(place), "agent", sessiondb.FileName)} {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && filepath.Ext(path) == filepath.Ext(sessiondb.FileName) && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	return out
}

// findRollout returns the newest rollout of a conversation, or empty.
func findRollout(folders []string, conv lcm.Conversation) string {
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
			found = append(found, filesystem.Glob(folder, "rollout-*"+id+"*.jsonl")...)
			found = append(found, filesystem.Glob(folder, "*", "*", "*", "rollout-*"+id+"*.jsonl")...)
			found = append(found, filesystem.Glob(filepath.Join(filepath.Dir(folder), "agent", "codex-home", "sessions"), "*", "*", "*", "*"+id+"*.jsonl")...)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.MaxFunc(found, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
}

// threadOf returns the thread of Codex' that OpenClaw noted beside a session's file.
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
