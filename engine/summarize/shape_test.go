package summarize_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"lcm-tui/data"
)

// shapes makes messages of every shape that hosts store, and some that they don't.
type shapes struct{ *rand.Rand }

func (g shapes) one(of ...string) string { return of[g.IntN(len(of))] }

// words are a text, with what texts have in them.
func (g shapes) words() string {
	var b strings.Builder
	for range 1 + g.IntN(4) {
		b.WriteString(g.one(
			"ship it", "  indented", "trailing \t", "", " \n\t", "a\n\n \nb\r\n", "部署支付服", "한국어 메시지", "𠮷野家 👩‍👩‍👧", "\ufeffbom\ufeff", "next\u0085line",
			"no\u00a0break\u2028", "<think>hm</think>", "search <重试队列一>", "<relevant-memories n=\"2\">\nlikes tea\n</relevant-memories>", "<relevant-memories>open",
			"MEDIA:/tmp/a.jpg", "\n MEDIA:/tmp/b.png\n", "MEDIA:x", "see data:image/png;base64,iVBORw0KGgo=, then", "data:a/b;x=y;BASE64,QUJD and more\nlines (end)",
			strings.Repeat("QUJD", 256)+"==", strings.Repeat("a", 1023), "null", "{", "[1, 2", `"quoted"`, "file_0123456789abcdef", "<|im_start|>", "\u0000nul",
		))
		b.WriteString(g.one("", " ", "\n", "\n\n"))
	}
	return b.String()
}

// value is any JSON value, of which some hold text.
func (g shapes) value(depth int) any {
	if depth > 3 {
		return g.words()
	}
	switch g.IntN(9) {
	case 0:
		return g.IntN(100)
	case 1:
		return g.IntN(2) == 0
	case 2:
		return nil
	case 3, 4:
		list := make([]any, g.IntN(3))
		for i := range list {
			list[i] = g.value(depth + 1)
		}
		return list
	case 5, 6:
		object := map[string]any{}
		for range g.IntN(4) {
			name := g.one("text", "message", "summary", "segments", "items", "content", "output", "data", "value", "command", "query", "input", "path", "note", "id", "type")
			if object[name] = g.value(depth + 1); name == "type" {
				object[name] = g.one("text", "thinking", "toolCall", "tool_result", "image", "odd")
			}
		}
		return object
	}
	return g.words()
}

// json is the text of a value, now and then as nobody writes it.
func (g shapes) json(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(g.IntN(2) == 0)
	if g.IntN(4) == 0 {
		enc.SetIndent("", " ")
	}
	if enc.Encode(v) != nil {
		return ""
	}
	s := strings.TrimSuffix(b.String(), "\n")
	switch g.IntN(12) {
	case 0:
		return strings.ReplaceAll(s, "a", `\ud83d`)
	case 1:
		return string([]rune(s)[:len([]rune(s))/2])
	}
	return s
}

// part is one of a message's parts. A column may be empty, as where it's NULL.
func (g shapes) part(i int) data.Part {
	p := data.Part{ID: fmt.Sprint("part", i), Ordinal: int64(i), Type: g.one("text", "text", "reasoning", "tool", "tool", "tool", "agent", "file", "snapshot", "patch", "retry")}
	raw := map[string]any{"type": g.one("text", "thinking", "redacted_thinking", "toolCall", "function_call", "tool_use", "tool_result", "function_call_output", "image", "odd")}
	for _, name := range []string{"text", "thinking", "content", "output", "data"} {
		if g.IntN(4) == 0 {
			raw[name] = g.value(2)
		}
	}
	given := any(map[string]any{g.one("command", "path", "query", "content", "cmd"): g.words()})
	if g.IntN(3) == 0 {
		given = g.json(given)
	}
	if raw[g.one("input", "arguments", "params")] = given; g.IntN(2) == 0 {
		p.ToolInput = g.json(given)
	}
	if g.IntN(3) == 0 {
		p.ToolOutput = g.json(g.value(2))
	}
	if g.IntN(3) == 0 {
		p.Text = g.words()
	}
	if g.IntN(3) > 0 {
		p.Metadata = g.json(map[string]any{"originalRole": "assistant", "raw": raw})
	}
	return p
}

// message is a message with what it says in its text, in its parts, or nowhere.
func (g shapes) message() data.Message {
	m := data.Message{Role: g.one("user", "assistant", "tool", "system")}
	switch g.IntN(4) {
	case 0:
		m.Content = g.words()
	case 1:
		m.Content = g.json(g.value(0))
	case 2:
		m.Content = g.one("", " ", "\n", `[{"type":"text","text":""}]`)
	default:
		m.Content = g.words() + g.json(g.value(1))
	}
	for i := range g.IntN(5) {
		m.Parts = append(m.Parts, g.part(i))
	}
	return m
}

// oracle says the same of a message as Body, in another way: by lines and by decoded
// JSON, from the rule and not from the program.
type oracle struct{}

func (o oracle) body(m data.Message) string {
	text := o.clean(m.Content)
	for _, p := range m.Parts {
		if p.Type == "file" || p.Type == "snapshot" {
			return strings.TrimSpace("[Media attachment]"[:18*b2i(text == "")] + text + " [with media attachment]"[:24*b2i(text != "")])
		}
	}
	var known, unread []string
	for _, p := range m.Parts {
		if p.Type == "reasoning" {
			continue
		}
		if s := o.part(p); !o.blank(s) {
			known = append(known, s)
		}
		if _, object := o.given(p).(map[string]any); object {
			unread = append(unread, "null")
		}
	}
	if text == "" {
		text = o.clean(strings.Join(known, "\n"))
	}
	if text == "" {
		text = strings.Join(unread, "\n")
	}
	return text
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (oracle) blank(s string) bool { return strings.TrimFunc(s, oracle{}.space) == "" }

// space is what JavaScript's trim takes away.
func (oracle) space(r rune) bool {
	return strings.ContainsRune("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", r) || r >= '\u2000' && r <= '\u200a'
}

// decode is the value of a JSON text; not ok if it isn't JSON.
func (oracle) decode(s string) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(s))
	err := d.Decode(&v)
	return v, err == nil && strings.Trim(s[d.InputOffset():], " \t\n\r") == ""
}

func (o oracle) raw(p data.Part) map[string]any {
	meta, _ := o.decode(p.Metadata)
	object, _ := meta.(map[string]any)
	raw, _ := object["raw"].(map[string]any)
	return raw
}

// given is what a tool was given.
func (o oracle) given(p data.Part) any {
	if !o.blank(p.ToolInput) {
		return o.column(p.ToolInput)
	}
	raw := o.raw(p)
	if v, ok := raw["input"]; ok {
		return v
	}
	return raw["arguments"]
}

func (o oracle) column(s string) any {
	if v, ok := o.decode(s); ok {
		return v
	}
	return s
}

func (o oracle) part(p data.Part) string {
	if !o.blank(p.Text) {
		return p.Text
	}
	for _, v := range []any{o.given(p), o.column(p.ToolOutput)} {
		if s := strings.Join(o.texts(v, 0), "\n"); s != "" {
			return s
		}
	}
	raw := o.raw(p)
	if slices.Contains([]any{"thinking", "reasoning", "redacted_thinking", "image", "image_url", "input_image"}, raw["type"]) {
		return ""
	}
	delete(raw, "type") // What a tool gave back counts in its own part.
	return strings.Join(o.texts(raw, 0), "\n")
}

func (o oracle) texts(v any, depth int) (out []string) {
	if depth > 6 {
		return nil
	}
	switch v := v.(type) {
	case string:
		if !o.blank(v) {
			out = append(out, v)
		}
	case []any:
		for _, e := range v {
			out = append(out, o.texts(e, depth+1)...)
		}
	case map[string]any:
		if kind, _ := v["type"].(string); slices.Contains(strings.Fields(`thinking reasoning redacted_thinking image image_url input_image
			tool_use toolUse tool-use toolCall functionCall function_call function_call_output tool_result toolResult tool`), kind) {
			return nil
		}
		for _, name := range strings.Fields(`text transcript transcription message summary segments utterances paragraphs alternatives words items results
			content output result payload data value command query arguments input`) {
			if _, encoded := v[name].(string); encoded && (name == "data" || name == "value") {
				continue
			}
			out = append(out, o.texts(v[name], depth+1)...)
		}
	}
	return out
}

func (o oracle) clean(text string) string {
	text = o.plain(text)
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		if v, ok := o.decode(text); ok {
			return o.plain(strings.Join(o.texts(v, 0), "\n"))
		}
	}
	return text
}

// plain goes through the text from left to right, rune by rune.
func (o oracle) plain(text string) string {
	text = o.withoutTag(text)
	text = o.withoutURLs(text)
	text = o.withoutRuns(text)
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimRightFunc(line, o.space)
		if line != "" && !strings.HasPrefix(strings.TrimLeftFunc(line, o.space), "MEDIA:/") {
			lines = append(lines, line)
		}
	}
	return strings.TrimFunc(strings.Join(lines, "\n"), o.space)
}

// withoutTag knows the one tag of the shapes.
func (oracle) withoutTag(text string) string {
	const name, end = "<relevant-memories", "</relevant-memories>"
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return text
		}
		i += at
		rest := text[i+len(name):]
		open := strings.IndexByte(rest, '>')
		if open < 0 || open > 0 && !unicode.IsSpace(rune(rest[0])) {
			at = i + 1
			continue
		}
		closed := strings.Index(rest[open:], end)
		if closed < 0 {
			at = i + 1
			continue
		}
		text, at = text[:i]+rest[open+closed+len(end):], i
	}
}

func (o oracle) withoutURLs(text string) string {
	for _, head := range []string{"data:image/png;base64,", "data:a/b;x=y;BASE64,"} {
		var b strings.Builder
		for {
			before, after, found := strings.Cut(text, head)
			b.WriteString(before)
			if !found {
				break
			}
			rest := strings.TrimLeftFunc(after, func(r rune) bool { return o.space(r) || o.base64(r) || r == '=' })
			if rest == after {
				b.WriteString(head)
			} else {
				b.WriteString("[embedded media omitted]")
			}
			text = rest
		}
		text = b.String()
	}
	return text
}

func (oracle) base64(r rune) bool {
	return r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '+' || r == '/')
}

func (o oracle) withoutRuns(text string) string {
	var out, run []rune
	flush := func() {
		if len(run) >= 1024 {
			run = []rune("[embedded media omitted]\x01")
		}
		out, run = append(out, run...), nil
	}
	for _, r := range text {
		if o.base64(r) {
			run = append(run, r)
			continue
		}
		if flush(); r == '=' && len(out) > 0 && out[len(out)-1] == 1 {
			continue
		}
		out = append(out, r)
	}
	flush()
	return strings.ReplaceAll(string(out), "\x01", "")
}

// TestBodyOfEveryShape compares the text of messages of every shape with what the rule
// says of them.
func TestBodyOfEveryShape(t *testing.T) {
	t.Parallel()
	g := shapes{rand.New(rand.NewPCG(8, 11))}
	known, media, unread := 0, 0, 0
	for range 4_000 {
		m := g.message()
		got, want := form().Body(m), oracle{}.body(m)
		if got != want {
			t.Fatalf("%q\nparts %+v\ngives %q\nnot   %q", m.Content, m.Parts, got, want)
		}
		switch {
		case strings.HasSuffix(got, "media attachment]"):
			media++
		case got == "null":
			unread++
		case got != "":
			known++
		}
		if strings.Contains(got, "\n\n") || got != strings.TrimFunc(got, oracle{}.space) {
			t.Fatalf("%q has blank lines or ends", got)
		}
	}
	if min(known, media, unread) < 5 {
		t.Errorf("too few of a kind: %d with text, %d with media, %d unread", known, media, unread)
	}
}

// TestSummaryOfEveryShape: of a stored summary what a model thought before it goes, and
// JSON in it stays.
func TestSummaryOfEveryShape(t *testing.T) {
	t.Parallel()
	g := shapes{rand.New(rand.NewPCG(8, 12))}
	for range 2_000 {
		text := g.words()
		if g.IntN(3) == 0 {
			text = g.json(g.value(0))
		}
		text = strings.ReplaceAll(text, "<think>", "")
		want := oracle{}.plain(text)
		for _, thought := range []string{"", " <think>a\nb</think>", "<THINKING>a</thinking\n>\n<reasoning>b</reasoning>"} {
			if got := form().Summary(thought + text); got != want {
				t.Fatalf("%q\ngives %q\nnot   %q", thought+text, got, want)
			}
		}
	}
}
