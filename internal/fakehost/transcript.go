package fakehost

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Transcript is an agent's log of a session.
type Transcript struct {
	Path    string
	Header  string    // The id in its first line.
	Entries []Message // Those of older agents have no entry ids.
}

// encode returns the file, a line for each entry.
func (t Transcript) encode() ([]byte, error) {
	type content struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	type line struct {
		Type    string  `json:"type"`
		Version int     `json:"version,omitempty"`
		ID      string  `json:"id,omitempty"`
		Parent  *string `json:"parentId,omitempty"`
		At      string  `json:"timestamp,omitempty"`
		Message any     `json:"message,omitempty"`
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(line{Type: "session", Version: 3, ID: t.Header}); err != nil {
		return nil, err
	}
	for i, m := range t.Entries {
		blocks := []content{}
		if m.Content != "" {
			blocks = append(blocks, content{"text", m.Content})
		}
		l := line{Type: "message", ID: m.EntryID, Message: map[string]any{"role": m.Role, "content": blocks}}
		if i > 0 && m.EntryID != "" {
			l.Parent = &t.Entries[i-1].EntryID
		}
		if !m.At.IsZero() {
			l.At = m.At.UTC().Format(time.RFC3339Nano)
		}
		if err := e.Encode(l); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// Save writes the file.
func (t Transcript) Save() error {
	b, err := t.encode()
	if err != nil {
		return fmt.Errorf("write transcript: %w", err)
	}
	if err := os.WriteFile(t.Path, b, 0o600); err != nil {
		return fmt.Errorf("write transcript: %w", err)
	}
	return nil
}

// hasIDs reports whether its entries have ids.
func (t Transcript) hasIDs() bool { return len(t.Entries) > 0 && t.Entries[0].EntryID != "" }

// position returns where an entry id stands, or -1.
func (t Transcript) position(id string) int {
	for i, e := range t.Entries {
		if id != "" && e.EntryID == id {
			return i
		}
	}
	return -1
}
