package integrity

import "hash/maphash"

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

// messageParts is what is kept of a message's parts.
type messageParts struct {
	message       int64
	partCount     int
	partsHash     uint64 // Equal for parts of the same content.
	callsHash     uint64 // Equal for parts of the same types, texts and calls, whatever their metadata masks.
	partTokens    int64  // The most tokens that the parts may count.
	hasContent    bool   // A part has content.
	namesCall     bool   // A part names a call, where the host looks for it.
	metadataCall  string // A call that the metadata names where the host doesn't look.
	ofHostTool    bool   // A part is of a tool of the host.
	isHostNote    bool   // The host's note of a compaction, or its own summary: it may be missing from contexts.
	hasResponseID bool   // It names the response of a provider.
	isMirror      bool   // It is the host's copy of an answer as a channel delivered it.
	hasReasoning  bool   // It keeps the reasoning of a model.
	partRole      string // The role that the first part names.
	calls         []callPart
}

// callPart is a part that names a call.
type callPart struct {
	id, name       string
	ofTypeTool     bool // The part has the type tool.
	onlyInMetadata bool // Only its metadata names the call.
}

var seed = maphash.MakeSeed()

// hash is a hash of a text that is the same within a run of the program.
func hash(s string) uint64 { return maphash.String(seed, s) }
