package planfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxDepth is how deep values of a plan file are inside of each other at most.
const maxDepth = 32

// checkSyntax fails unless the bytes are one JSON object in which no name stands twice: readers of
// JSON disagree on which of them counts. Names that differ in case only are the same.
func checkSyntax(body []byte) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var open []map[string]bool // The names of each open object; nil for a list.
	name := false              // A name comes next.
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && len(open) == 0:
			return nil
		case err != nil:
			return fmt.Errorf("it can't be read: %w", err)
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				open = append(open, map[string]bool{})
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
			if len(open) > maxDepth {
				return errors.New("its values are too deep inside of each other")
			}
			name = len(open) > 0 && open[len(open)-1] != nil
			continue
		case string:
			if name {
				names, lower := open[len(open)-1], strings.ToLower(token)
				if names[lower] {
					return fmt.Errorf("the name %.60q stands twice in an object", token)
				}
				names[lower] = true
				name = false
				continue
			}
		}
		name = len(open) > 0 && open[len(open)-1] != nil
	}
}

// DecodeRequest reads the request of a plan file into a struct. A field that it doesn't have is an
// error.
func DecodeRequest(request json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(request))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
