package export

import (
	"strconv"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/transcript"
)

// openClawFormat writes a session file of OpenClaw.
type openClawFormat struct {
	plainFormat
	parent string          // The entry before.
	seen   map[string]bool // Ids of entries.
}

func (f *openClawFormat) open(c *conversation) error {
	f.parent, f.seen = "", map[string]bool{}
	var o jstext.Object
	o.Put("type", `"session"`)
	o.Put("version", "3")
	o.Put("id", jstext.Quote(c.SessionID))
	o.Put("timestamp", jstext.Quote(isoTime(began(c))))
	o.Put("cwd", `"/"`)
	o.Put(transcript.ExportedField, jstext.True)
	return f.write(string(o.Value()), "\n")
}

// began returns when a conversation began: its own time or, where it has none, that of its first
// message.
func began(c *conversation) data.Time {
	if c.CreatedAt.Valid() {
		return c.CreatedAt
	}
	return c.span.FirstAt
}

func (f *openClawFormat) summary(s *summary) error {
	var o jstext.Object
	o.Put("role", `"user"`)
	o.Put("content", jstext.Quote(s.shown()))
	return f.entry(s.ID, s.LatestAt, o.Value())
}

func (f *openClawFormat) message(m message) error {
	return f.entry(m.entry(), m.CreatedAt, m.original)
}

// entry writes a line. An id that the file has already gets a suffix, since entries are known by
// their ids.
func (f *openClawFormat) entry(id string, at data.Time, content jstext.Value) error {
	for base, n := id, 2; f.seen[id]; n++ {
		id = base + "-" + strconv.Itoa(n)
	}
	f.seen[id] = true
	var line, stamped jstext.Object
	for name, v := range content.Fields() {
		stamped.Put(name, v)
	}
	if at.Valid() && !content.Field("timestamp").Defined() {
		stamped.Put("timestamp", jstext.Value(strconv.FormatInt(at.UnixMilli(), 10)))
	}
	line.Put("type", `"message"`)
	line.Put("id", jstext.Quote(id))
	line.Put("parentId", orNull(f.parent))
	if at.Valid() {
		line.Put("timestamp", jstext.Quote(isoTime(at)))
	}
	line.Put("message", stamped.Value())
	f.parent = id
	return f.write(string(line.Value()), "\n")
}

// orNull returns a string, or null for an empty one.
func orNull(s string) jstext.Value {
	if s == "" {
		return jstext.Null
	}
	return jstext.Quote(s)
}
