package install

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// The lines around our rules in a file that others write too.
const (
	rulesBegin = "<!-- lcm-tui: rules begin -->"
	rulesEnd   = "<!-- lcm-tui: rules end -->"
)

// rules plans our lines in a file of rules. They are added at the end; nothing of others changes.
func (s Setup) rules(e Environment, isRemoval bool) ([]*Change, error) {
	place := textPlaceOf(s.Client.Name)
	path := place.rulesFile(e, s.Scope)
	f, err := e.readFile(path)
	if err != nil {
		return nil, err
	}
	c := &Change{
		Part: PartRules, Client: s.Client, Scope: s.Scope, Path: path, Target: f.target, Before: f.content, Creates: !f.exists, file: f,
		pointer: rulesBegin, isRemoval: isRemoval, secretsOf: noSecrets,
	}
	start, end, err := findRules(f.content)
	if err != nil {
		return nil, refuse(path, err, "put both lines into their places, or remove both")
	}
	if isRemoval && start < 0 {
		c.nothing = path + " has no rules of this program; nothing to do"
		return []*Change{c}, nil
	}
	isExact := false
	if c.origin.content, c.origin.isNew, isExact = e.before(PartRules, f); !isExact {
		c.origin.content, c.origin.isNew = f.content, !f.exists
		if start >= 0 {
			c.origin.content = withoutRules(f.content, start, end)
			c.origin.isNew = strings.TrimSpace(string(c.origin.content)) == strings.TrimSpace(place.header)
		}
	}
	if c.After = c.origin.content; isRemoval {
		c.Removes = c.origin.isNew
		return []*Change{c}, nil
	}
	if c.origin.isNew {
		c.origin.content = []byte(place.header)
	}
	c.After = withRules(c.origin.content)
	if bytes.Equal(c.After, c.Before) {
		c.nothing = path + " has these rules already; nothing to do"
	}
	return []*Change{c}, nil
}

// findRules returns where our lines stand; start is negative where there are none.
func findRules(src []byte) (start, end int, err error) {
	start, end = bytes.Index(src, []byte(rulesBegin)), bytes.Index(src, []byte(rulesEnd))
	if start < 0 && end < 0 {
		return -1, -1, nil
	}
	if start < 0 || end < start || bytes.Count(src, []byte(rulesBegin)) > 1 || bytes.Count(src, []byte(rulesEnd)) > 1 {
		return -1, -1, fmt.Errorf("%w: one begins or ends without the other, or is there twice", errRules)
	}
	end += len(rulesEnd)
	return start, end + len(lineBreakAt(src, end)), nil
}

var errRules = errors.New("the lines around our rules do not belong together")

// withoutRules takes our lines out, with the blank line before them.
func withoutRules(src []byte, start, end int) []byte {
	if before := start - len(lineBreakBefore(src, start)); before < start && (before == 0 || lineBreakBefore(src, before) != "") {
		start = before
	}
	return replaceBytes(src, start, end, "")
}

// withRules adds our lines at the end, behind a blank line, with the line breaks of the text.
func withRules(src []byte) []byte {
	newline := lineBreak(src)
	text := strings.ReplaceAll(rulesBegin+"\n"+embeddedText("rules")+rulesEnd+"\n", "\n", newline)
	separator := ""
	switch {
	case len(bytes.TrimPrefix(src, []byte(byteOrderMark))) == 0:
	case bytes.HasSuffix(src, []byte("\n")):
		separator = newline
	default:
		separator = newline + newline
	}
	return append(bytes.Clone(src), separator+text...)
}
