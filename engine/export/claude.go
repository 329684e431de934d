package export

import (
	"crypto/sha256"
	"encoding/hex"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/engine/assemble"
)

// claudeFormat writes a session file of Claude Code: one line a message, with Anthropic's blocks.
type claudeFormat struct {
	plainFormat
	session, parent string
	seen            map[string]bool
}

func (f *claudeFormat) open(c *conversation) error {
	f.session, f.parent, f.seen = uuidOf(c.SessionID), "", map[string]bool{}
	return nil
}

// uuidOf returns an id in the form of a UUID: one that is a UUID stays, of another it is made.
func uuidOf(id string) string {
	if isUUID(id) {
		return id
	}
	sum := sha256.Sum256([]byte("lcm-tui\x00" + id))
	b := sum[:16]
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return false
		}
	}
	return true
}

func (f *claudeFormat) summary(s *summary) error {
	var o jstext.Object
	o.Put("role", `"user"`)
	o.Put("content", jstext.Quote(s.shown()))
	return f.line("user", s.ID, s.LatestAt, "message", o.Value())
}

func (f *claudeFormat) message(m message) error {
	var o jstext.Object
	switch m.role {
	case "system":
		return f.line("system", m.entry(), m.CreatedAt, "content", jstext.Quote(m.Content.Text))
	case assemble.RoleAssistant:
		return f.line("assistant", m.entry(), m.CreatedAt, "message", f.answer(m))
	}
	o.Put("role", `"user"`)
	if text := m.original.Field("content"); text.IsString() && m.role != assemble.RoleToolResult {
		o.Put("content", text)
	} else {
		o.Put("content", f.blocks(m))
	}
	return f.line("user", m.entry(), m.CreatedAt, "message", o.Value())
}

// answer returns a message of the assistant. Each has an id of its own, so that a reader doesn't take
// two for one.
func (f *claudeFormat) answer(m message) jstext.Value {
	var o jstext.Object
	blocks := m.blocks()
	stop := jstext.Value(`"end_turn"`)
	for _, b := range blocks {
		if b.kind == callBlock {
			stop = `"tool_use"`
		}
	}
	model := m.original.Field("model").Text()
	if model == "" {
		model = "<synthetic>"
	}
	o.Put("id", jstext.Quote("msg_"+m.entry()))
	o.Put("type", `"message"`)
	o.Put("role", `"assistant"`)
	o.Put("model", jstext.Quote(model))
	o.Put("content", f.blocks(m))
	o.Put("stop_reason", stop)
	o.Put("stop_sequence", jstext.Null)
	o.Put("usage", `{"input_tokens":0,"output_tokens":0}`)
	return o.Value()
}

// blocks returns Anthropic's blocks of a message. One of a type that we don't know is left as it is.
func (f *claudeFormat) blocks(m message) jstext.Value {
	var out []jstext.Value
	for _, b := range m.blocks() {
		var o jstext.Object
		switch b.kind {
		case textBlock:
			o.Put("type", `"text"`)
			o.Put("text", jstext.Quote(b.text))
		case thinkingBlock:
			o.Put("type", `"thinking"`)
			o.Put("thinking", jstext.Quote(b.text))
			o.Put("signature", jstext.Quote(b.signature))
		case callBlock:
			o.Put("type", `"tool_use"`)
			o.Put("id", jstext.Quote(b.id))
			o.Put("name", jstext.Quote(b.name))
			o.Put("input", b.arguments())
		case resultBlock:
			o.Put("type", `"tool_result"`)
			o.Put("tool_use_id", jstext.Quote(b.id))
			o.Put("content", jstext.Quote(b.text))
			if b.failed {
				o.Put("is_error", jstext.True)
			}
		case imageBlock:
			if b.data == "" {
				out = append(out, b.raw)
				continue
			}
			var source jstext.Object
			source.Put("type", `"base64"`)
			source.Put("media_type", jstext.Quote(b.mime))
			source.Put("data", jstext.Quote(b.data))
			o.Put("type", `"image"`)
			o.Put("source", source.Value())
		default:
			out = append(out, b.raw)
			continue
		}
		out = append(out, o.Value())
	}
	return jstext.Array(out)
}

// line writes a line behind the one before it.
func (f *claudeFormat) line(kind, id string, at data.Time, member string, v jstext.Value) error {
	uuid := uuidOf(id)
	for n := "'"; f.seen[uuid]; n += "'" {
		uuid = uuidOf(id + n)
	}
	f.seen[uuid] = true
	var o jstext.Object
	o.Put("parentUuid", orNull(f.parent))
	o.Put("isSidechain", jstext.False)
	o.Put("userType", `"external"`)
	o.Put("cwd", `"/"`)
	o.Put("sessionId", jstext.Quote(f.session))
	o.Put("type", jstext.Quote(kind))
	if kind == "system" {
		o.Put("subtype", `"informational"`)
	}
	o.Put(member, v)
	o.Put("uuid", jstext.Quote(uuid))
	if at.Valid() {
		o.Put("timestamp", jstext.Quote(isoTime(at)))
	}
	f.parent = uuid
	return f.write(string(o.Value()), "\n")
}
