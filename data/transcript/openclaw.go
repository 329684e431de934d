package transcript

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data/jstext"
)

// openClaw reads OpenClaw's entries, whose messages are in the right form already.
type openClaw struct {
	inFile   bool   // The entries are lines of a file.
	unlinked bool   // No way to the last entry was found: entries follow nothing.
	last     string // The id of the entry before.
	reset    *Reset // The last one that was read.
}

// errJSON is what is wrong with a line that is cut off or garbled.
var errJSON = errors.New("not JSON")

// The characters at which the line reader of hosts ends a line, beside its end.
const lineSeparator, paragraphSeparator = "\u2028", "\u2029"

// openClawNode returns the id of an entry; visibleTree knows its place.
func openClawNode(line string) (n node, ok bool, err error) {
	l, err := readLink(line)
	return node{id: l.id}, err == nil && l.isCanonical(), err
}

// unfinished: OpenClaw writes whole messages.
func (*openClaw) unfinished() bool { return false }

func (*openClaw) state() (called map[string]string, model string) { return nil, "" }

func (o *openClaw) read(line string, at place) ([]Entry, error) {
	v := jstext.Parse(line)
	if !v.IsObject() {
		return nil, errJSON
	}
	id := strings.Clone(nonBlank(v.Field("id").Text()))
	parent := o.follow(v, id, at)
	if v.Field("type") != `"message"` {
		return nil, nil
	}
	message := v.Field("message")
	if !message.IsObject() || jstext.Trim(message.Field("role").Text()) == "" {
		return nil, errors.New("a message without a role")
	}
	e := Entry{Line: at.line, End: at.end, ID: id, Parent: parent, Reset: o.reset, Message: message}
	e.SplitByHost = o.inFile && (strings.Contains(line, lineSeparator) || strings.Contains(line, paragraphSeparator))
	e.Written = firstTime(v.Field("timestamp"))
	if e.At = firstTime(message.Field("timestamp")); e.At.IsZero() {
		e.At = e.Written
	}
	if e.ID == "" {
		e.ID = "line:" + strconv.FormatInt(at.line, 10)
	}
	return []Entry{e}, nil
}

// follow puts an entry on the way behind the one before it, whose id it gives.
func (o *openClaw) follow(v jstext.Value, id string, at place) (parent string) {
	typ := v.Field("type").Text()
	if typ == "session" {
		return ""
	}
	if typ == "reset" {
		o.reset = newReset(v, at.line, o.reset)
	}
	if !o.unlinked {
		parent = o.last
	}
	o.last = id
	return parent
}

// firstTime returns the first of some values that is a time: text as ISO 8601, a number
// as milliseconds, as JavaScript counts them.
func firstTime(values ...jstext.Value) time.Time {
	for _, v := range values {
		if v.IsString() {
			if t, err := time.Parse(time.RFC3339Nano, v.Text()); err == nil && isStorable(t) {
				return t.UTC()
			}
			continue
		}
		if ms, err := strconv.ParseFloat(string(v), 64); err == nil {
			if t := time.UnixMilli(int64(ms)); ms > 0 && isStorable(t) {
				return t.UTC()
			}
		}
	}
	return time.Time{}
}

// isStorable reports whether hosts can write a time.
func isStorable(t time.Time) bool { return t.Year() >= 1970 && t.Year() <= 9999 }
