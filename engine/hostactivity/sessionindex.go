package hostactivity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/regularfile"
)

// maxIndex is how large an index of sessions may be, in bytes.
const maxIndex = 64 << 20

// sessionIndex is what the host's indexes of one agent say.
type sessionIndex struct {
	found bool            // There is an index.
	names map[string]bool // All session keys and ids, and whatever else is a text in it.
	err   error           // Why it can't be read.
	store bool            // There is a database of sessions, by which hosts of 1.0 know them.
}

// agentFolders returns the folders of all agents of the host.
func (c *Check) agentFolders() []string {
	if !c.listed && c.stateDir != "" {
		c.listed = true
		c.agents, _ = filepath.Glob(filepath.Join(escapeGlob(c.stateDir), "agents", "*")) // The pattern is good.
	}
	return c.agents
}

// foldersOf returns the folders of the agents that may have the session of a conversation.
func (c *Check) foldersOf(conv Conversation) []string {
	folders := c.agentFolders()
	if conv.Transcript != "" { // It lies in agents/<agent>/sessions.
		folders = append([]string{filepath.Dir(filepath.Dir(conv.Transcript))}, folders...)
	}
	return folders
}

// escapeGlob returns a path as a pattern that matches it alone.
func escapeGlob(path string) string {
	var out []rune
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' || r == '\\' && filepath.Separator == '/' {
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}

// index reads the indexes of the agent with a folder: sessions.json, and the database in which
// newer hosts keep sessions and transcripts.
func (c *Check) index(ctx context.Context, folder string) *sessionIndex {
	if known := c.indexes[folder]; known != nil {
		return known
	}
	index := &sessionIndex{names: map[string]bool{}}
	index.err = errors.Join(index.readFile(filepath.Join(folder, "sessions", "sessions.json")), index.readDatabase(ctx, filepath.Join(folder, "agent", sessiondb.FileName)))
	c.indexes[folder] = index
	return index
}

// readFile adds the texts of sessions.json.
func (i *sessionIndex) readFile(path string) error {
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		return nil
	}
	text, err := regularfile.Read(path, maxIndex)
	if err != nil {
		return err
	}
	var all any
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	i.found = true
	i.addTexts(all)
	return nil
}

// addTexts adds all names and texts of a JSON value.
func (i *sessionIndex) addTexts(v any) {
	switch v := v.(type) {
	case string:
		i.names[v] = true
	case []any:
		for _, e := range v {
			i.addTexts(e)
		}
	case map[string]any:
		for name, e := range v {
			i.names[name] = true
			i.addTexts(e)
		}
	}
}

// readDatabase adds the sessions of a transcript database and their keys.
func (i *sessionIndex) readDatabase(ctx context.Context, path string) (err error) {
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		return nil
	}
	db, err := sessiondb.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if !db.HasTranscripts() {
		return nil // Before it kept transcripts it kept no sessions of conversations either.
	}
	all, err := db.Sessions(ctx)
	if err != nil {
		return err
	}
	if w := db.Warnings(); len(w) > 0 {
		return errors.Join(w...)
	}
	err = db.OwedTurns(ctx, func(t sessiondb.OwedTurn) {
		var payload any
		if i.names[t.Session] = true; json.Unmarshal([]byte(t.Payload), &payload) == nil {
			i.addTexts(payload)
		}
	})
	if err != nil {
		return err
	}
	i.found, i.store = true, true
	for _, s := range all {
		i.names[s.ID] = true
		for _, key := range s.Keys {
			i.names[key] = true
		}
	}
	return nil
}

// Transcript returns the transcript that the host's sessions.json beside a transcript gives a session
// key; empty where it gives none, or can't be read.
func Transcript(path, key string) string {
	folder := filepath.Dir(path)
	text, err := regularfile.Read(filepath.Join(folder, "sessions.json"), maxIndex)
	if err != nil {
		return ""
	}
	var sessions map[string]struct {
		ID   string `json:"sessionId"`
		File string `json:"sessionFile"`
	}
	if json.Unmarshal(text, &sessions) != nil || sessions[key].ID == "" && sessions[key].File == "" {
		return ""
	}
	file := sessions[key].File
	if file == "" {
		file = sessions[key].ID + ".jsonl"
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(folder, file)
	}
	return file
}
