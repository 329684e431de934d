package integrity

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/integrity/scan"
	"lcm-tui/engine/redact"
)

// isBlank reports whether a text holds nothing but what JavaScript trims, as the host
// does.
func isBlank(s string) bool { return jstext.Trim(s) == "" }

// messageReader reads the messages of a conversation, and checks each by itself.
type messageReader struct {
	found       *findings
	file        *fileScan
	conv        int64
	mentions    *scan.FileMentions
	entryOwners map[string]int64 // The message of each id that is given once.

	messages []scan.Message // By seq.
	unusual  unusualMessages
}

// unusualMessages are messages that get one finding together.
type unusualMessages struct{ withoutHash, compactionNotes, heartbeats []int64 }

// readMessages reads the conversation's messages, and checks what needs one message alone.
func (r *messageReader) readMessages(ctx context.Context) error {
	variants := newVariantSearch(r.found)
	return lcm.EachRawMessage(ctx, r.file.db, r.conv, func(raw *lcm.RawMessage) error {
		r.messages = append(r.messages, scan.Message{
			ID: raw.ID, Seq: raw.Seq, Role: raw.Role, Tokens: raw.Tokens.Value, HasCount: raw.Tokens.Valid, CreatedAtHash: scan.Hash(raw.CreatedAt.Raw),
			TextHash: scan.Hash(raw.Content.Text), Runes: utf8.RuneCountInString(raw.Content.Text), Estimate: scan.EstimateTokens(raw.Content.Text),
			IsBlank: isBlank(raw.Content.Text), NamesSender: raw.Sender.Text != "" && raw.Role == "user",
			IsForgotten: data.IsForgotten(raw.Content.Text), RefersToPayload: isPayloadReference(raw.Content.Text),
			IsMadeResult: raw.Role == "tool" && strings.Contains(raw.Content.Text, madeResult),
			MessageParts: scan.MessageParts{
				HasResponseID: strings.HasPrefix(raw.EventKey, "assistant-response:"),
				IsHostNote:    raw.Role == "system" && isCompactionNote(raw.Content.Text),
			},
		})
		scanned := &r.messages[len(r.messages)-1]
		if scanned.NamesEntry = raw.Entry != ""; len(r.file.anchors.imported) > 0 && raw.Hash != "" {
			scanned.IdentityHash = scan.Hash(raw.Hash)
		}
		if raw.CreatedAt.Valid() {
			scanned.UnixTime = raw.CreatedAt.Unix()
		}
		checkText(r.found, messageAt(raw.ID), "content", raw.Content)
		checkTime(r.found, r.file.now, messageAt(raw.ID), raw.CreatedAt)
		r.checkEntryID("transcript entry", raw.Entry, raw.ID)
		r.checkEntryID("event", raw.EventKey, raw.ID)
		r.mentions.Note(raw.Content.Text)
		if !scanned.IsForgotten {
			r.checkStoredText(raw, scanned)
			p, dressed := identity.Split(raw.Role, raw.Content.Text)
			variants.compare(raw, scanned, p, dressed)
		}
		return nil
	})
}

// checkStoredText checks what depends on the text that somebody wrote. A stub stands for
// another text: the hash and the token count are still of that one, and no search table holds it.
func (r *messageReader) checkStoredText(raw *lcm.RawMessage, scanned *scan.Message) {
	r.checkHash(raw)
	r.checkMessageIndex(raw, scanned)
	r.checkReferences(raw)
	r.checkUnusual(raw, scanned)
}

// checkText finds a cell that isn't text.
func checkText(found *findings, where location, column string, v data.Stored) {
	var f *Finding
	switch {
	case v.Blob:
		f = found.add(ContentMalformed, where, fmt.Sprintf("%s is a BLOB of %d bytes, not text", column, len(v.Text)))
	case !utf8.ValidString(v.Text):
		f = found.add(ContentMalformed, where, column+" isn't valid UTF-8")
		f.Severity = Warn
	case strings.IndexByte(v.Text, 0) >= 0:
		f = found.add(ContentMalformed, where, column+" holds a NUL, at which SQL's functions stop")
		f.Severity = Warn
	default:
		return
	}
	f.Repair = "look at it: no rule knows what it should be"
}

// checkTime finds a creation time that is invalid or lies in the future.
func checkTime(found *findings, now time.Time, where location, v data.Time) {
	switch {
	case !v.Valid():
		found.add(TimeInvalid, where, fmt.Sprintf("created_at is %q", clip(v.Raw)))
	case v.After(now.AddDate(0, 0, 1)):
		found.add(TimeInvalid, where, "created in the future: "+v.Raw)
	}
}

// clip returns the beginning of a text, as valid UTF-8.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// checkHash checks the hash by which the host recognizes a message.
func (r *messageReader) checkHash(raw *lcm.RawMessage) {
	if !r.file.db.Schema().Has("messages", "identity_hash") || raw.Content.Blob {
		return
	}
	if raw.Hash == "" {
		r.unusual.withoutHash = append(r.unusual.withoutHash, raw.ID)
		return
	}
	if !IsKnownBy(raw.Role, raw.Content.Text, raw.Hash) {
		r.found.add(IdentityHashWrong, messageAt(raw.ID), "wrong hash: it fits neither the text nor the text without the host's preamble")
	}
}

// IsKnownBy reports whether a host may know a message by an identity hash.
func IsKnownBy(role, text, hash string) bool {
	// A reference may have the hash of the payload that lies in its file: hosts know it by either.
	// Where a secret was replaced, the host knows the message by the hash of its old text.
	known := isPayloadReference(text) || redact.LastNumber(text) > 0
	return hash != "" && (known || identity.IsValid(role, text, hash))
}

// isPayloadReference reports whether a text refers to a payload that was moved into a file, perhaps
// after the message was stored.
func isPayloadReference(text string) bool {
	return strings.HasPrefix(text, "[LCM Tool Output: ") || strings.HasPrefix(text, "[LCM Raw Payload: ") || strings.Contains(text, " | LCM file: file_")
}

// checkMessageIndex compares a message with its row of the search table.
func (r *messageReader) checkMessageIndex(raw *lcm.RawMessage, scanned *scan.Message) {
	switch {
	case !raw.Indexed:
		if !scanned.IsBlank {
			r.found.add(MessageNotIndexed, messageAt(raw.ID), "not in messages_fts")
		}
	case !raw.IndexedText.Null && raw.IndexedText.Text != raw.Content.Text && !isSameIndexText(raw.IndexedText.Text, raw.Content.Text):
		r.found.add(MessageIndexStale, messageAt(raw.ID), "messages_fts holds another text")
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
func (r *messageReader) checkReferences(raw *lcm.RawMessage) {
	for _, id := range scan.ReferencedFiles(raw.Content.Text) {
		if !r.file.hasFileRow(id) {
			r.found.add(MessageFileRowMissing, messageAt(raw.ID), "refers to "+id+", of which there is no row", formatID(raw.ID), id)
		}
	}
	if !raw.LargeContent.Null && !r.file.hasFileRow(raw.LargeContent.Text) {
		r.found.add(PayloadFileRowMissing, messageAt(raw.ID), "large_content names "+clip(raw.LargeContent.Text)+", of which there is no row")
	}
}

// madeResult stands in the text that hosts write in the place of a tool result that they don't find.
const madeResult = "missing tool result in session history; inserted synthetic error result"

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
func (r *messageReader) checkUnusual(raw *lcm.RawMessage, scanned *scan.Message) {
	if scanned.IsHostNote {
		r.unusual.compactionNotes = append(r.unusual.compactionNotes, raw.ID)
	}
	if scanned.Runes < 64 {
		switch text := strings.ToLower(jstext.Trim(raw.Content.Text)); {
		case raw.Role == "assistant" && text == "heartbeat_ok", raw.Role == "user" && text == "[openclaw heartbeat poll]":
			r.unusual.heartbeats = append(r.unusual.heartbeats, raw.ID)
		}
	}
	for _, tag := range []string{`<summary id="sum_`, "<active_memory_plugin", "<relevant-memories", "<relevant_memories", "<hindsight_memories"} {
		if strings.Contains(raw.Content.Text, tag) {
			scanned.InjectedTag = tag
		}
	}
	if raw.Tokens.Value >= r.file.Limits.MessageTokens && !strings.HasPrefix(raw.Content.Text, "[LCM ") {
		r.found.add(PayloadInRow, messageAt(raw.ID), fmt.Sprintf("%d tokens in one message; from %d on, a payload belongs in a file", raw.Tokens.Value, r.file.Limits.MessageTokens))
	}
}

// checkEntryID finds ids that a session file or the host gives once, and two messages
// have.
func (r *messageReader) checkEntryID(kind, id string, of int64) {
	if id == "" {
		return
	}
	key := kind + " " + id
	if kept, again := r.entryOwners[key]; again {
		r.found.add(TranscriptEntryDuplicate, messageAt(of), fmt.Sprintf("has the %s %s of message %d", kind, clip(id), kept), formatID(kept), formatID(of))
		return
	}
	r.entryOwners[key] = of
}
