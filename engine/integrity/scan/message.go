package scan

import (
	"hash/maphash"
	"unicode/utf8"

	"lcm-tui/engine/token"
)

// Message is what is kept of a message after its text was read.
type Message struct {
	ID, Seq       int64
	Role          string
	UnixTime      int64 // In Unix seconds; 0: no valid time.
	CreatedAtHash uint64
	Tokens        int64
	TextHash      uint64 // A hash of the text.
	Runes         int    // Letters of the text.
	Estimate      int64  // Tokens of the text, as hosts count now.
	IsBlank       bool
	HasCount      bool // token_count is a number.
	IsForgotten   bool // The text is the stub of a forgotten one.
	// RefersToPayload says that a payload lies in a file; its count may be of the payload.
	RefersToPayload bool
	IsMadeResult    bool // The host wrote it in the place of a tool result that it didn't find.
	NamesSender     bool // The host adds a text about the sender.
	NamesEntry      bool // It names an entry of the transcript.
	IdentityHash    uint64
	InjectedTag     string

	MessageParts // What was kept of its parts.
}

// MessageParts is what is kept of a message's parts.
type MessageParts struct {
	Message       int64
	PartCount     int
	PartsHash     uint64 // Equal for parts of the same content.
	CallsHash     uint64 // Equal for parts of the same types, texts and calls, whatever their metadata masks.
	PartTokens    int64  // The most tokens that the parts may count.
	HasContent    bool   // A part has content.
	NamesCall     bool   // A part names a call, where the host looks for it.
	MetadataCall  string // A call that the metadata names where the host doesn't look.
	OfHostTool    bool   // A part is of a tool of the host.
	IsHostNote    bool   // The host's note of a compaction, or its own summary: it may be missing from contexts.
	HasResponseID bool   // It names the response of a provider.
	IsMirror      bool   // It is the host's copy of an answer as a channel delivered it.
	HasReasoning  bool   // It keeps the reasoning of a model.
	PartRole      string // The role that the first part names.
	Calls         []CallPart
}

// CallPart is a part that names a call.
type CallPart struct {
	ID, Name       string
	OfTypeTool     bool // The part has the type tool.
	OnlyInMetadata bool // Only its metadata names the call.
}

var seed = maphash.MakeSeed()

// Hash returns a hash of a text that is the same within a run of the program.
func Hash(s string) uint64 { return maphash.String(seed, s) }

// EstimateTokens returns the number of tokens of a text as hosts count now. Both estimators
// agree on ASCII, which is counted without looking at each letter.
func EstimateTokens(s string) int64 {
	if n := utf8.RuneCountInString(s); n == len(s) {
		return int64(n+3) / 4
	}
	return token.Weighted.Count(s)
}

// EstimateTokensBefore08 returns the number of tokens of a text as hosts before 0.8 counted.
func EstimateTokensBefore08(s string) int64 {
	if n := utf8.RuneCountInString(s); n == len(s) {
		return int64(n+3) / 4
	}
	return token.Units.Count(s)
}
