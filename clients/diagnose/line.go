package diagnose

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"lcm-tui/internal/regularfile"
)

// mostLine is the size in bytes from which on a line is passed over. Entries about hooks are short.
const mostLine = 8 << 20

// eachLine calls fn with the lines of a file until it returns false. A line is valid during its call. One that
// is cut off at the end is passed over: it is still being written.
func eachLine(path string, fn func(line []byte) bool) error {
	f, err := regularfile.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 256<<10)
	var long []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if tooLong = tooLong || len(long)+len(part) > mostLine; tooLong {
				long = nil
			} else {
				long = append(long, part...)
			}
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if len(long) > 0 {
			part = append(long, part...)
		}
		if !tooLong && !fn(part) {
			return nil
		}
		long, tooLong = nil, false
	}
}

// What stands before the time of an entry, and before the version of the client.
var (
	timestampKey = []byte(`"timestamp":"`)
	versionKey   = []byte(`"version":"`)
)

// ownText returns the short text of an entry that stands behind a key, or an empty one. What a tool was given or returned may hold
// such a key, too: only then the line is read as JSON, which would take most of the time.
func ownText(line, key []byte) string {
	_, rest, ok := bytes.Cut(line, key)
	if !ok {
		return ""
	}
	if bytes.Contains(rest, key) {
		var e struct {
			Timestamp json.RawMessage `json:"timestamp"`
			Version   json.RawMessage `json:"version"`
		}
		if json.Unmarshal(line, &e) != nil {
			return ""
		}
		text := e.Timestamp
		if bytes.Equal(key, versionKey) {
			text = e.Version
		}
		rest = bytes.TrimPrefix(text, []byte{'"'})
	}
	const most = 40 // Bytes.
	text, _, isWhole := bytes.Cut(rest, []byte{'"'})
	if !isWhole || len(text) > most {
		return ""
	}
	return string(text)
}
