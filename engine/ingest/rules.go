package ingest

import (
	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/token"
)

// Rules are how one generation of hosts stores messages.
type Rules struct {
	// First is the form of the hosts before 0.3, which knew few types of blocks and
	// kept less beside them.
	First bool
	// Raw hashes contents as they are, as hosts before 0.13 did.
	Raw       bool
	Estimator token.Estimator
	// AllImages moves the images of every form into files. A host moves only those in its own
	// form, which the transcripts of other programs don't have.
	AllImages bool
	// ContentOnly leaves out what the content and the key of an event don't need: the texts of
	// parts, their copies in the metadata, tokens and hash.
	ContentOnly bool
	// Threshold is the number of tokens from which on a payload goes into a file.
	Threshold int64
}

// RulesOf returns the rules of the host that wrote a file. The columns of the file show its
// version.
func RulesOf(s *data.Schema, e token.Estimator, threshold int64) Rules {
	return Rules{
		First: !s.Has("summaries", "descendant_token_count"), Raw: !s.Has("messages", "transcript_entry_id"),
		Estimator: e, Threshold: threshold,
	}
}

// Stored is a message as a host stores it.
type Stored struct {
	Role, Content string
	Tokens        int64
	Identity      string // The identity_hash.
	EventKey      string // The stable_event_key, or empty.
	Sender        string // JSON about who sent it, or empty.
	Parts         []lcm.RawPart
	Files         []File
	IsMirror      bool // It is the host's copy of an answer as a channel delivered it.

	mirrored string // What a mirror says, with its payloads.
}

// File is a payload that was moved out of a message.
type File struct {
	ID, Name, MIME string
	Body           string
	Exploration    string
	Lines          int // 0 of an image.
}

// Skip says why a host doesn't store a message.
type Skip string

// The reasons.
const (
	Foreign   Skip = "of a role that isn't stored"
	Failed    Skip = "an answer that failed before it said anything"
	Heartbeat Skip = "a heartbeat"
	Mirror    Skip = "the copy of an answer as it was delivered"
	Repeated  Skip = "of the same response or call as a message before it"
	Empty     Skip = "a message without content"
)

// Store converts a message into what a host stores, or returns why it stores nothing. The
// salt is part of the ids of files: with the same salt the same payload gets the same id.
func (r Rules) Store(m jstext.Value, salt string) (Stored, Skip) {
	w := ingestion{rules: r, salt: salt, message: m, runtime: m.Field("role").Text(), content: m.Field("content")}
	var skip Skip
	if w.Role, skip = w.role(); skip != "" {
		return Stored{}, skip
	}
	if !r.First && !w.content.Defined() {
		return Stored{}, Empty
	}
	w.noteMirror()
	w.externalize()
	if r.First {
		w.Content, w.Parts = w.firstContent(), w.firstParts()
		w.Tokens = w.firstTokens()
	} else {
		w.Content = w.text()
		w.Parts = w.parts()
		if !r.ContentOnly {
			w.Tokens = assemble.Weigh(r.Estimator, w.Role, w.Content, w.Parts)
		}
	}
	if r.ContentOnly {
		w.EventKey = w.eventKey()
		return w.Stored, ""
	}
	if w.Identity = identity.Hash(w.Role, w.Content); r.Raw {
		w.Identity = identity.RawHash(w.Role, w.Content)
	}
	w.EventKey, w.Sender = w.eventKey(), senderOf(w.message, w.Role)
	return w.Stored, ""
}

// ingestion is the conversion of one message.
type ingestion struct {
	Stored
	rules   Rules
	salt    string
	message jstext.Value
	runtime string       // The role as the host knows it at run time.
	content jstext.Value // Payloads that went into files are replaced by references.
	marks   marks        // Of the message, on the first part.
	least   int64        // From how many bytes on a payload goes into a file; 0 decides by tokens.
}
