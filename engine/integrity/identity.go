package integrity

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Identity is the hash by which hosts know a message again: since 0.13 of the text
// without what changes from one delivery to the next.
func Identity(role, content string) string {
	if p, ok := decorated(role, content); ok {
		return identity(role, p.canonical)
	}
	return identity(role, content)
}

// identified reports whether a hash fits a message: by the text as it stands, which
// older hosts and tools took, or by that without what changes. How many line ends
// stand before what the user said, and where a recap in prose ends, is left open.
func identified(hash, role, content string, p preamble, dressed bool) bool {
	if hash == identity(role, content) {
		return true
	}
	if !dressed {
		return false
	}
	return p.history || hash == identity(role, p.canonical) || hash == identity(role, p.head+p.rest) || hash == identity(role, p.head+strings.TrimLeft(p.rest, "\n"))
}

func identity(role, content string) string {
	h := sha256.New()
	h.Write([]byte(role))
	h.Write([]byte{0})
	h.Write([]byte(content))
	return hex.EncodeToString(h.Sum(nil))
}

// preamble is a user's message taken apart at the host's notes about where it came
// from.
type preamble struct {
	canonical string // The text without what changes from one delivery to the next.
	body      string // What the user said.

	head, rest string // The canonical text before what the user said, and that as it stands.
	history    bool   // The host added a recap.
}

const (
	conversationHeading = "Conversation info (untrusted metadata):"
	senderHeading       = "Sender (untrusted metadata):"
)

var historyHeadings = []string{
	"Chat history since last reply (untrusted, for context):",
	"Conversation context (untrusted, chronological, selected for current message):",
}

var conversationKeys = keys(`chat_id message_id reply_to_id sender_id conversation_label sender timestamp group_subject
	group_channel group_space group_members thread_label inbound_event_kind topic_id topic_name is_forum mention_reason mention_target
	mentioned_user_ids mentioned_usernames has_reply_context has_forwarded_context has_thread_starter history_count
	history_media_count history_truncated`)

var senderKeys = keys("label id name username tag e164")

func keys(list string) map[string]bool {
	m := map[string]bool{}
	for _, k := range strings.Fields(list) {
		m[k] = true
	}
	return m
}

// decorated takes a user's message with the host's notes apart; ok is false for
// every other message.
func decorated(role, content string) (p preamble, ok bool) {
	if role != "user" || !strings.Contains(content, conversationHeading) {
		return p, false
	}
	rest := strings.TrimLeft(content, " \t\r\n")
	prelude := ""
	if strings.HasPrefix(rest, "Delivery:") {
		if i := strings.Index(rest, "\n\n"); i >= 0 {
			prelude, rest = rest[:i], strings.TrimLeft(rest[i:], "\r\n")
		}
	}
	info, rest, ok := fenced(rest, conversationHeading, conversationKeys)
	if !ok {
		return p, false
	}
	history := historyCount(info)
	block, ok := steady(conversationHeading, info, history)
	if !ok {
		return p, false
	}
	blocks := []string{block}
	if sender, after, ok := fenced(strings.TrimLeft(rest, "\r\n"), senderHeading, senderKeys); ok {
		if block, ok := steady(senderHeading, sender, false); ok {
			blocks, rest = append(blocks, block), after
		}
	}
	if history {
		rest = withoutHistory(rest)
	}
	p = together(content, prelude, blocks, rest)
	p.history = history
	return p, true
}

// together writes the canonical text; a message that says nothing else stays as it is.
func together(content, prelude string, blocks []string, rest string) preamble {
	body := strings.TrimPrefix(strings.TrimPrefix(rest, "\n"), "\n")
	if strings.TrimSpace(body) == "" {
		return preamble{canonical: content}
	}
	if prelude != "" {
		blocks = append([]string{prelude}, blocks...)
	}
	head := strings.Join(blocks, "\n\n") + "\n\n"
	return preamble{canonical: head + body, body: strings.TrimSpace(body), head: head, rest: rest}
}

// fenced reads a heading and the JSON object in a fence below it.
func fenced(s, heading string, known map[string]bool) (object map[string]any, rest string, ok bool) {
	const open, shut = "\n```json\n", "\n```"
	body, ok := strings.CutPrefix(s, heading+open)
	if !ok {
		return nil, s, false
	}
	text, rest, ok := strings.Cut(body, shut)
	if !ok {
		return nil, s, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&object) != nil || d.More() {
		return nil, s, false
	}
	for k := range object {
		if known[k] {
			return object, rest, true
		}
	}
	return nil, s, false
}

// historyCount reports whether the notes announce a recap of what was said before.
func historyCount(info map[string]any) bool {
	n, ok := info["history_count"].(json.Number)
	if !ok {
		return false
	}
	i, err := n.Int64()
	return err == nil && i > 0
}

// steady is a block without what changes from one delivery to the next.
func steady(heading string, object map[string]any, history bool) (string, bool) {
	object = maps.Clone(object)
	drop := []string{}
	if heading == conversationHeading {
		drop = append(drop, "message_id", "reply_to_id", "timestamp")
		if history {
			drop = append(drop, "history_count", "history_media_count", "history_truncated")
		}
	}
	for _, k := range drop {
		delete(object, k)
	}
	if len(object) == 0 {
		return "", false
	}
	var b bytes.Buffer
	writeSorted(&b, object)
	return heading + "\n```json\n" + b.String() + "\n```", true
}

// writeSorted writes compact JSON whose keys are in the order of the alphabet, as
// JavaScript's localeCompare has it: letters before their case.
func writeSorted(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case map[string]any:
		b.WriteByte('{')
		for i, k := range slices.SortedFunc(maps.Keys(v), byLocale) {
			if i > 0 {
				b.WriteByte(',')
			}
			writeSorted(b, k)
			b.WriteByte(':')
			writeSorted(b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeSorted(b, e)
		}
		b.WriteByte(']')
	default:
		var one bytes.Buffer
		e := json.NewEncoder(&one)
		e.SetEscapeHTML(false)
		_ = e.Encode(v) // What came out of JSON goes into it.
		text := strings.TrimSuffix(one.String(), "\n")
		text = strings.ReplaceAll(strings.ReplaceAll(text, `\u2028`, "\u2028"), `\u2029`, "\u2029")
		b.WriteString(text)
	}
}

// byLocale puts punctuation before digits and those before letters, whatever their
// case, of which the lower comes first.
func byLocale(a, b string) int {
	rank := func(r rune) int {
		switch {
		case r >= '0' && r <= '9':
			return 1
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f:
			return 2
		}
		return 0
	}
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			if d := rank(x[i]) - rank(y[i]); d != 0 {
				return d
			}
			return int(x[i]) - int(y[i])
		}
	}
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	return -strings.Compare(a, b)
}

// withoutHistory takes out the recap that the host puts before what was said.
func withoutHistory(rest string) string {
	trimmed := strings.TrimLeft(rest, "\r\n")
	for _, heading := range historyHeadings {
		after, ok := strings.CutPrefix(trimmed, heading)
		if !ok {
			continue
		}
		if fence, ok := strings.CutPrefix(after, "\n```json\n"); ok {
			if _, tail, ok := strings.Cut(fence, "\n```"); ok {
				return tail
			}
		}
		if _, tail, ok := strings.Cut(after, "\n\n"); ok {
			return "\n\n" + tail
		}
		return ""
	}
	return rest
}
