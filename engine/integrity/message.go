package integrity

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/redact"
)

// scannedMessage is what is kept of a message after its text was read.
type scannedMessage struct {
	id, seq       int64
	role          string
	unixTime      int64 // In Unix seconds; 0: no valid time.
	createdAtHash uint64
	tokens        int64
	textHash      uint64 // A hash of the text.
	runes         int    // Letters of the text.
	estimate      int64  // Tokens of the text, as hosts count now.
	isBlank       bool
	hasCount      bool // token_count is a number.
	isForgotten   bool // The text is the stub of a forgotten one.
	// refersToPayload says that a payload lies in a file; its count may be of the payload.
	refersToPayload bool
	namesSender     bool // The host adds a text about the sender.
	namesEntry      bool // It names an entry of the transcript.
	identityHash    uint64
	injectedTag     string

	messageParts // What was kept of its parts.
}

var seed = maphash.MakeSeed()

// hash is a hash of a text that is the same within a run of the program.
func hash(s string) uint64 { return maphash.String(seed, s) }

// isBlank reports whether a text holds nothing but what JavaScript trims, as the host
// does.
func isBlank(s string) bool { return jstext.Trim(s) == "" }

// readMessages reads the conversation's messages, and checks what needs one message alone.
func (s *conversationScan) readMessages(ctx context.Context) error {
	variants := newVariantSearch(s)
	return lcm.EachRawMessage(ctx, s.db, s.row.ID, func(raw *lcm.RawMessage) error {
		s.messages = append(s.messages, scannedMessage{
			id: raw.ID, seq: raw.Seq, role: raw.Role, tokens: raw.Tokens.Value, hasCount: raw.Tokens.Valid, createdAtHash: hash(raw.CreatedAt.Raw),
			textHash: hash(raw.Content.Text), runes: utf8.RuneCountInString(raw.Content.Text), estimate: estimateTokens(raw.Content.Text),
			isBlank: isBlank(raw.Content.Text), namesSender: raw.Sender.Text != "" && raw.Role == "user",
			isForgotten: data.IsForgotten(raw.Content.Text), refersToPayload: isPayloadReference(raw.Content.Text),
			messageParts: messageParts{
				hasResponseID: strings.HasPrefix(raw.EventKey, "assistant-response:"),
				isHostNote:    raw.Role == "system" && isCompactionNote(raw.Content.Text),
			},
		})
		scanned := &s.messages[len(s.messages)-1]
		if scanned.namesEntry = raw.Entry != ""; len(s.anchors.imported) > 0 && raw.Hash != "" {
			scanned.identityHash = hash(raw.Hash)
		}
		if raw.CreatedAt.Valid() {
			scanned.unixTime = raw.CreatedAt.Unix()
		}
		s.checkText(messageAt(raw.ID), "content", raw.Content)
		s.checkTime(messageAt(raw.ID), raw.CreatedAt)
		s.checkEntryID("transcript entry", raw.Entry, raw.ID)
		s.checkEntryID("event", raw.EventKey, raw.ID)
		s.noteMentions(raw.Content.Text)
		if !scanned.isForgotten {
			s.checkStoredText(raw, scanned)
			p, dressed := identity.Split(raw.Role, raw.Content.Text)
			variants.compare(raw, scanned, p, dressed)
		}
		return nil
	})
}

// checkStoredText checks what depends on the text that somebody wrote. A stub stands for
// another text: the hash and the token count are still of that one, and no search table holds it.
func (s *conversationScan) checkStoredText(raw *lcm.RawMessage, scanned *scannedMessage) {
	s.checkHash(raw)
	s.checkMessageIndex(raw, scanned)
	s.checkReferences(raw)
	s.checkUnusual(raw, scanned)
}

// checkText finds a cell that isn't text.
func (s *conversationScan) checkText(where location, column string, v data.Stored) {
	var f *Finding
	switch {
	case v.Blob:
		f = s.add(ContentMalformed, where, fmt.Sprintf("%s is a BLOB of %d bytes, not text", column, len(v.Text)))
	case !utf8.ValidString(v.Text):
		f = s.add(ContentMalformed, where, column+" isn't valid UTF-8")
		f.Severity = Warn
	case strings.IndexByte(v.Text, 0) >= 0:
		f = s.add(ContentMalformed, where, column+" holds a NUL, at which SQL's functions stop")
		f.Severity = Warn
	default:
		return
	}
	f.Repair = "look at it: no rule knows what it should be"
}

// checkTime finds a creation time that is invalid or lies in the future.
func (s *conversationScan) checkTime(where location, v data.Time) {
	switch {
	case !v.Valid():
		s.add(TimeInvalid, where, fmt.Sprintf("created_at is %q", clip(v.Raw)))
	case v.After(s.now.AddDate(0, 0, 1)):
		s.add(TimeInvalid, where, "created in the future: "+v.Raw)
	}
}

// clip is the beginning of a text, as valid UTF-8.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// checkHash checks the hash by which the host recognizes a message.
func (s *conversationScan) checkHash(raw *lcm.RawMessage) {
	if !s.db.Schema().Has("messages", "identity_hash") || raw.Content.Blob {
		return
	}
	if raw.Hash == "" {
		s.withoutHash = append(s.withoutHash, raw.ID)
		return
	}
	// A reference may have the hash of the payload that lies in its file: hosts know it by either.
	// Where a secret was replaced, the host knows the message by the hash of its old text.
	known := isPayloadReference(raw.Content.Text) || redact.LastNumber(raw.Content.Text) > 0
	if !known && !identity.IsValid(raw.Role, raw.Content.Text, raw.Hash) {
		s.add(IdentityHashWrong, messageAt(raw.ID), "wrong hash: it fits neither the text nor the text without the host's preamble")
	}
}

// isPayloadReference reports whether a text refers to a payload that was moved into a file, perhaps
// after the message was stored.
func isPayloadReference(text string) bool {
	return strings.HasPrefix(text, "[LCM Tool Output: ") || strings.HasPrefix(text, "[LCM Raw Payload: ") || strings.Contains(text, " | LCM file: file_")
}

// checkMessageIndex compares a message with its row of the search table.
func (s *conversationScan) checkMessageIndex(raw *lcm.RawMessage, scanned *scannedMessage) {
	switch {
	case !raw.Indexed:
		if !scanned.isBlank {
			s.add(MessageNotIndexed, messageAt(raw.ID), "not in messages_fts")
		}
	case !raw.IndexedText.Null && raw.IndexedText.Text != raw.Content.Text && !isSameIndexText(raw.IndexedText.Text, raw.Content.Text):
		s.add(MessageIndexStale, messageAt(raw.ID), "messages_fts holds another text")
	}
}

// isSameIndexText reports whether the search table holds what hosts index of a text.
// Versions of the host split references into different lines.
func isSameIndexText(index, content string) bool {
	if !strings.HasPrefix(content, "[LCM ") {
		return false
	}
	return slices.Equal(strings.Fields(data.IndexText(content)), strings.Fields(data.IndexText(index)))
}

// checkReferences looks up the rows of the files that a message refers to.
func (s *conversationScan) checkReferences(raw *lcm.RawMessage) {
	for _, id := range referencedFiles(raw.Content.Text) {
		if !s.hasFileRow(id) {
			s.add(MessageFileRowMissing, messageAt(raw.ID), "refers to "+id+", of which there is no row", formatID(raw.ID), id)
		}
	}
	if !raw.LargeContent.Null && !s.hasFileRow(raw.LargeContent.Text) {
		s.add(PayloadFileRowMissing, messageAt(raw.ID), "large_content names "+clip(raw.LargeContent.Text)+", of which there is no row")
	}
}

// isCompactionNote reports whether a message is a note that hosts up to 0.6 kept of a
// compaction.
func isCompactionNote(content string) bool {
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

// checkUnusual finds messages that nobody said: notes, heartbeats, injected context,
// payloads.
func (s *conversationScan) checkUnusual(raw *lcm.RawMessage, scanned *scannedMessage) {
	if scanned.isHostNote {
		s.compactionNotes = append(s.compactionNotes, raw.ID)
	}
	if scanned.runes < 64 {
		switch text := strings.ToLower(jstext.Trim(raw.Content.Text)); {
		case raw.Role == "assistant" && text == "heartbeat_ok", raw.Role == "user" && text == "[openclaw heartbeat poll]":
			s.heartbeats = append(s.heartbeats, raw.ID)
		}
	}
	for _, tag := range []string{`<summary id="sum_`, "<active_memory_plugin", "<relevant-memories", "<relevant_memories", "<hindsight_memories"} {
		if strings.Contains(raw.Content.Text, tag) {
			scanned.injectedTag = tag
		}
	}
	if raw.Tokens.Value >= s.Limits.MessageTokens && !strings.HasPrefix(raw.Content.Text, "[LCM ") {
		s.add(PayloadInRow, messageAt(raw.ID), fmt.Sprintf("%d tokens in one message; from %d on, a payload belongs in a file", raw.Tokens.Value, s.Limits.MessageTokens))
	}
}
