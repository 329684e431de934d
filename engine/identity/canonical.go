package identity

import (
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// A block that a channel puts before a user's message: its heading, then an object
// in a fence.
const (
	conversationHeading = "Conversation info (untrusted metadata)"
	senderHeading       = "Sender (untrusted metadata)"
	fence               = "```json\n"
	fenceEnd            = "\n```"
)

// blockKind is a kind of block. At least one of its known members is present.
type blockKind struct {
	heading string
	members []string
}

var (
	aboutConversation = blockKind{conversationHeading, []string{
		"chat_id", "message_id", "reply_to_id", "sender_id", "conversation_label", "sender", "timestamp", "group_subject",
		"group_channel", "group_space", "group_members", "thread_label", "inbound_event_kind", "topic_id", "topic_name",
		"is_forum", "mention_reason", "mention_target", "mentioned_user_ids", "mentioned_usernames", "has_reply_context",
		"has_forwarded_context", "has_thread_starter", "history_count", "history_media_count", "history_truncated",
	}}
	aboutSender = blockKind{senderHeading, []string{"label", "id", "name", "username", "tag", "e164"}}
)

// The members that differ between two deliveries of one message.
var (
	volatileMembers = []string{"message_id", "reply_to_id", "timestamp"}
	volatileHistory = []string{"history_count", "history_media_count", "history_truncated"}
)

// Preamble is a user's message taken apart at a channel's block about the
// conversation.
type Preamble struct {
	Blocks string // The channel's blocks before it, in canonical form.
	Body   string // The user's own text, which follows the blocks.
	Recap  bool   // A recap of the history was announced, and is left out.
}

// Split divides a user's message into the channel's blocks and the user's text. ok is false for
// other messages, and where the user's text is blank.
func Split(role, content string) (p Preamble, ok bool) {
	if role != "user" || !strings.Contains(content, conversationHeading) {
		return p, false
	}
	prelude, rest := cutPrelude(strings.TrimLeftFunc(content, jstext.IsSpace))
	about, rest, ok := aboutConversation.cut(rest)
	if !ok {
		return p, false
	}
	drop := volatileMembers
	if p.Recap = isPositive(about.Field("history_count")); p.Recap {
		drop = append(drop[:len(drop):len(drop)], volatileHistory...)
	}
	if about = about.Without(drop...); about == "{}" {
		return p, false
	}
	p.Blocks = prelude + aboutConversation.write(about)
	if sender, after, ok := aboutSender.cut(strings.TrimLeft(rest, "\n")); ok {
		p.Blocks, rest = p.Blocks+"\n\n"+aboutSender.write(sender), after
	}
	if p.Recap {
		rest = trimRecap(rest)
	}
	p.Body = rest
	return p, jstext.Trim(rest) != ""
}

// Canonical returns the content by which hosts recognize a message. It differs from the
// content for a user's message that begins with a channel's block about the
// conversation: there the members that change with each delivery are left out, the
// others are sorted, and a recap of the history is left out.
func Canonical(role, content string) string {
	p, ok := Split(role, content)
	if !ok {
		return content
	}
	return p.Blocks + "\n\n" + strings.TrimPrefix(p.Body, "\n\n")
}

// cutPrelude cuts a first paragraph about the delivery off a message.
func cutPrelude(s string) (prelude, rest string) {
	if !strings.HasPrefix(s, "Delivery:") {
		return "", s
	}
	i := strings.Index(s, "\n\n")
	if i < 0 {
		return "", s
	}
	return s[:i+2], s[i+2:]
}

// cut takes a block of the kind off the start of a text.
func (k blockKind) cut(s string) (object jstext.Value, rest string, ok bool) {
	inner, found := strings.CutPrefix(s, k.heading+":\n"+fence)
	if !found {
		return "", s, false
	}
	text, rest, found := cutFence(inner)
	if object = jstext.Parse(text); !found || !object.IsObject() || !k.hasKnownMember(object) {
		return "", s, false
	}
	return object, rest, true
}

// cutFence returns the text up to the line that closes a fence, and what follows it.
func cutFence(s string) (text, rest string, ok bool) {
	text, rest, ok = strings.Cut(s, fenceEnd)
	return text, rest, ok && (rest == "" || rest[0] == '\n')
}

func (k blockKind) hasKnownMember(object jstext.Value) bool {
	for _, name := range k.members {
		if object.Field(name).Defined() {
			return true
		}
	}
	return false
}

// write returns the block of an object, its members sorted.
func (k blockKind) write(object jstext.Value) string {
	return k.heading + ":\n" + fence + string(sortMembers(object)) + fenceEnd
}

// positiveInteger matches a number above zero without a fraction, as JavaScript writes it.
var positiveInteger = lazyregexp.New(`^[1-9][0-9]*(e\+[0-9]+)?$`)

func isPositive(v jstext.Value) bool { return positiveInteger.MatchString(string(v)) }

// recapHeadings stand above the messages that were sent since the last reply.
var recapHeadings = []string{
	"Chat history since last reply (untrusted, for context):\n",
	"Conversation context (untrusted, chronological, selected for current message):\n",
}

// trimRecap removes a recap of the history from the start of a text: a fence with an array, or
// a paragraph of lines.
func trimRecap(s string) string {
	for _, heading := range recapHeadings {
		body, ok := strings.CutPrefix(strings.TrimLeft(s, "\n"), heading)
		if !ok {
			continue
		}
		if inner, fenced := strings.CutPrefix(body, fence); fenced {
			if text, rest, ok := cutFence(inner); ok && jstext.Parse(text).IsArray() {
				return rest
			}
			return s
		}
		_, rest, _ := strings.Cut(body, "\n\n")
		return "\n\n" + rest
	}
	return s
}
