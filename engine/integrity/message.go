package integrity

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/engine/identity"
)

// said is a message of which the text has been read and let go.
type said struct {
	id, seq  int64
	role     string
	at       int64 // In seconds; 0: no time.
	stamp    uint64
	tokens   int64
	text     uint64 // A hash of the text.
	letters  int    // Of the text.
	estimate int64  // Of the text, as it is counted now.
	blank    bool
	counted  bool // token_count is a number.
	sender   bool // The host renders something about who sent it.
	injected string

	bundle // Of its parts.
}

var seed = maphash.MakeSeed()

func hash(s string) uint64 { return maphash.String(seed, s) }

// jsSpace are the code points that JavaScript trims, and so the host.
const jsSpace = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

func isBlank(s string) bool { return strings.Trim(s, jsSpace) == "" }

// hear reads the conversation's messages. What concerns one row alone is told of at
// once.
func (t *talk) hear(ctx context.Context) error {
	twins := newTwins(t)
	return t.db.EachRawMessage(ctx, t.row.ID, func(m *data.RawMessage) error {
		t.said = append(t.said, said{
			id: m.ID, seq: m.Seq, role: m.Role, tokens: m.Tokens.Value, counted: m.Tokens.Valid, stamp: hash(m.CreatedAt.Raw),
			text: hash(m.Content.Text), letters: utf8.RuneCountInString(m.Content.Text), estimate: weigh(m.Content.Text),
			blank: isBlank(m.Content.Text), sender: m.Sender.Text != "" && m.Role == "user",
			bundle: bundle{
				response: strings.HasPrefix(m.EventKey, "assistant-response:"),
				note:     m.Role == "system" && compactionNote(m.Content.Text),
			},
		})
		s := &t.said[len(t.said)-1]
		if m.CreatedAt.Valid() {
			s.at = m.CreatedAt.Unix()
		}
		p, dressed := identity.Split(m.Role, m.Content.Text)
		t.cell(message(m.ID), "content", m.Content)
		t.timed(message(m.ID), m.CreatedAt)
		t.hashed(m)
		t.indexed(m, s)
		t.referring(m)
		t.entry("transcript entry", m.Entry, m.ID)
		t.entry("event", m.EventKey, m.ID)
		t.unusual(m, s)
		t.mention(m.Content.Text)
		twins.meet(m, s, p, dressed)
		return nil
	})
}

// cell: text that isn't text.
func (t *talk) cell(where at, column string, v data.Stored) {
	var f *Finding
	switch {
	case v.Blob:
		f = t.add(ContentMalformed, where, fmt.Sprintf("%s is a BLOB of %d bytes, not text", column, len(v.Text)))
	case !utf8.ValidString(v.Text):
		f = t.add(ContentMalformed, where, column+" isn't valid UTF-8")
		f.Severity = Warn
	case strings.IndexByte(v.Text, 0) >= 0:
		f = t.add(ContentMalformed, where, column+" holds a NUL, at which SQL's functions stop")
		f.Severity = Warn
	default:
		return
	}
	f.Repair = "look at it: what it should say isn't known to any rule"
}

// timed: when a row was made.
func (t *talk) timed(where at, v data.Time) {
	switch {
	case !v.Valid():
		t.add(TimeInvalid, where, fmt.Sprintf("created_at is %q", clipped(v.Raw)))
	case v.After(t.now.AddDate(0, 0, 1)):
		t.add(TimeInvalid, where, "made in the future: "+v.Raw)
	}
}

func clipped(s string) string {
	const most = 60
	if len(s) <= most {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// hashed: the hash by which the host knows a message again.
func (t *talk) hashed(m *data.RawMessage) {
	if !t.db.Schema().Has("messages", "identity_hash") || m.Content.Blob {
		return
	}
	if m.Hash == "" {
		t.hashless = append(t.hashless, m.ID)
		return
	}
	if !identity.Valid(m.Role, m.Content.Text, m.Hash) {
		t.add(IdentityHashWrong, message(m.ID), "wrong hash: it fits neither the text nor the text without the host's preamble")
	}
}

// indexed: what searches go by.
func (t *talk) indexed(m *data.RawMessage, s *said) {
	switch {
	case !m.Indexed:
		if !s.blank {
			t.add(MessageNotIndexed, message(m.ID), "not in messages_fts")
		}
	case !m.IndexedText.Null && m.IndexedText.Text != m.Content.Text && !sameIndex(m.IndexedText.Text, m.Content.Text):
		t.add(MessageIndexStale, message(m.ID), "messages_fts holds another text")
	}
}

// sameIndex: whether the search table holds what hosts index of a text. They split
// references into lines in more than one way.
func sameIndex(index, content string) bool {
	if !strings.HasPrefix(content, "[LCM ") {
		return false
	}
	return slices.Equal(strings.Fields(data.IndexText(content)), strings.Fields(data.IndexText(index)))
}

// referring: payloads that were moved out.
func (t *talk) referring(m *data.RawMessage) {
	for _, id := range referred(m.Content.Text) {
		if !t.knows(id) {
			t.add(MessageFileRowMissing, message(m.ID), "refers to "+id+", of which there is no row", number(m.ID), id)
		}
	}
	if !m.LargeContent.Null && !t.knows(m.LargeContent.Text) {
		t.add(PayloadFileRowMissing, message(m.ID), "large_content names "+clipped(m.LargeContent.Text)+", of which there is no row")
	}
}

// compactionNote: hosts up to 0.6 kept these.
func compactionNote(content string) bool {
	rest, ok := strings.CutPrefix(content, "LCM compaction ")
	if !ok {
		return false
	}
	_, rest, ok = strings.Cut(rest, " pass (")
	if !ok {
		return false
	}
	_, _, ok = strings.Cut(rest, " -> ")
	return ok
}

// unusual: what doesn't belong among what was said.
func (t *talk) unusual(m *data.RawMessage, s *said) {
	if s.note {
		t.events = append(t.events, m.ID)
	}
	if s.letters < 64 {
		switch text := strings.ToLower(strings.Trim(m.Content.Text, jsSpace)); {
		case m.Role == "assistant" && text == "heartbeat_ok", m.Role == "user" && text == "[openclaw heartbeat poll]":
			t.heartbeats = append(t.heartbeats, m.ID)
		}
	}
	for _, tag := range []string{`<summary id="sum_`, "<active_memory_plugin", "<relevant-memories", "<relevant_memories", "<hindsight_memories"} {
		if strings.Contains(m.Content.Text, tag) {
			s.injected = tag
		}
	}
	if m.Tokens.Value >= t.Limits.MessageTokens && !strings.HasPrefix(m.Content.Text, "[LCM ") {
		t.add(PayloadInRow, message(m.ID), fmt.Sprintf("%d tokens in one message, of %d a payload belongs into a file", m.Tokens.Value, t.Limits.MessageTokens))
	}
}
