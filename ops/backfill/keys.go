package backfill

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Keys are the session keys that OpenClaw notes beside its session files, in
// sessions.json, by session. It is read once for each folder.
type Keys struct {
	mu      sync.Mutex
	folders map[string]map[string]string
}

// most is the largest sessions.json that is read.
const most = 256 << 20

// Of returns the key of a session file's session, or empty. What can't be read says
// nothing.
func (k *Keys) Of(path, session string) string {
	if k == nil {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	dir := filepath.Dir(path)
	if k.folders == nil {
		k.folders = map[string]map[string]string{}
	}
	keys, ok := k.folders[dir]
	if !ok {
		keys = readKeys(filepath.Join(dir, "sessions.json"))
		k.folders[dir] = keys
	}
	if key := keys[filepath.Base(path)]; key != "" {
		return key
	}
	return keys[session]
}

// readKeys returns session keys by session and by the base name of its file.
func readKeys(path string) map[string]string {
	out := map[string]string{}
	if info, err := os.Stat(path); err != nil || info.Size() > most {
		return out
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return out
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(b, &all) != nil {
		return out
	}
	for key, raw := range all {
		var about struct{ SessionID, SessionFile string }
		if json.Unmarshal(raw, &about) != nil || !strings.HasPrefix(key, "agent:") {
			continue
		}
		if about.SessionID != "" {
			out[about.SessionID] = key
		}
		if about.SessionFile != "" {
			out[filepath.Base(about.SessionFile)] = key
		}
	}
	return out
}
