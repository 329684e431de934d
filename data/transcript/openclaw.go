package transcript

import (
	"errors"
	"strconv"
	"time"

	"lcm-tui/data/jstext"
)

// openClaw reads OpenClaw's entries, whose messages are in the right form already.
type openClaw struct {
	reset *Reset // The last one that was read.
}

// errJSON is what is wrong with a line that is cut off or garbled.
var errJSON = errors.New("not JSON")

// openClawNode is the entry's place in the tree. Entries of older hosts have no
// ids and follow each other.
func openClawNode(line []byte) (n node, ok bool, err error) {
	typ := ""
	parent, found := "", false
	err = eachField(line, func(key, value []byte) bool {
		switch string(key) {
		case "type":
			typ = text(value)
		case "id":
			n.id = text(value)
		case "parentId":
			parent, found = text(value), true
			n.root = string(value) == "null"
		}
		return typ == "" || n.id == "" || !found
	})
	n.parent, n.loose = parent, parent == ""
	return n, err == nil && typ != "session" && typ != "", err
}

// unfinished: OpenClaw writes whole messages.
func (*openClaw) unfinished() bool { return false }

func (o *openClaw) read(line []byte, at place) ([]Entry, error) {
	v := jstext.Parse(string(line))
	if !v.IsObject() {
		return nil, errJSON
	}
	switch v.Field("type") {
	case `"message"`:
	case `"reset"`:
		o.reset = newReset(v, at.line, o.reset)
		return nil, nil
	default:
		return nil, nil
	}
	message := v.Field("message")
	if !message.IsObject() || !message.Field("role").IsString() {
		return nil, errors.New("a message without a role")
	}
	e := Entry{Line: at.line, End: at.end, ID: v.Field("id").Text(), Message: message, Reset: o.reset}
	e.At = firstTime(message.Field("timestamp"), v.Field("timestamp"))
	if e.ID == "" {
		e.ID = "line:" + strconv.FormatInt(at.line, 10)
	}
	return []Entry{e}, nil
}

// firstTime is the first of some values that is a time: text as ISO 8601, a number
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
