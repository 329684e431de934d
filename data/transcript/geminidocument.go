package transcript

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"lcm-tui/data/jstext"
)

// IsGeminiDocument reports whether a file is named as older versions of Gemini CLI name a session, which they write
// whole, as one JSON document.
func IsGeminiDocument(path string) bool {
	return strings.HasPrefix(filepath.Base(path), "session-") && filepath.Ext(path) == ".json" && filepath.Base(filepath.Dir(path)) == "chats"
}

// documentSource is such a document. Its lines are the session without its messages, and each message.
type documentSource struct{ fileSource }

func (s documentSource) eachLine(ctx context.Context, size int64, fn func(place, string) (bool, error), bad func(*LineError)) error {
	if size > maxLine {
		return fmt.Errorf("read transcript %s: %w", s.path, errTooLong)
	}
	h, err := s.open()
	if err != nil {
		return fmt.Errorf("read transcript: %w", err)
	}
	defer h.Close()
	b, err := io.ReadAll(io.LimitReader(h, size))
	if err != nil {
		return fmt.Errorf("read transcript: %w", err)
	}
	v := jstext.Parse(string(b))
	if !v.IsObject() { // It is being written.
		bad(&LineError{1, errJSON})
		return nil
	}
	lines := []string{string(v.Without("messages"))}
	for m := range v.Field("messages").Elements() {
		lines = append(lines, string(m))
	}
	for i, line := range lines {
		at := place{line: int64(i + 1), end: int64(i + 1)}
		if i == len(lines)-1 {
			at.end = size
		}
		if more, err := fn(at, line); err != nil || !more || ctx.Err() != nil {
			if err == nil {
				err = ctx.Err()
			}
			return err
		}
	}
	return nil
}
