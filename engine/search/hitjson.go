package search

import (
	"bytes"
	"encoding/json"

	"lcm-tui/data"
)

// hitJSON is a hit as the commands print it and as hits are saved. Its id is that of the message,
// summary, part, file or focus brief.
type hitJSON struct {
	Conversation int64     `json:"conversation_id"`
	Kind         Kind      `json:"kind"`
	ID           any       `json:"id"`
	Role         *string   `json:"role"`
	At           data.Time `json:"at"`
	Snippet      string    `json:"snippet"`
	InContext    bool      `json:"in_context"`
	Message      int64     `json:"message_id,omitempty"`
	Seq          *int64    `json:"seq,omitempty"`
	Depth        *int64    `json:"depth,omitempty"`
	PartField    string    `json:"part_field,omitempty"`
	Tool         string    `json:"tool_name,omitempty"`
	FileName     string    `json:"file_name,omitempty"`
	Matches      int       `json:"matches"`
	Copies       int       `json:"copies"`
}

// MarshalJSON implements json.Marshaler.
func (h Hit) MarshalJSON() ([]byte, error) {
	out := hitJSON{
		Conversation: h.Conversation, Kind: h.Kind, ID: h.ID(), At: h.At, Snippet: h.Snippet, InContext: h.InContext,
		Message: h.Message, PartField: h.Part.Field, Tool: h.Part.Tool, FileName: h.FileName, Matches: h.Matches, Copies: max(h.Copies, 1),
	}
	if h.Role != "" {
		out.Role = &h.Role
	}
	switch h.Kind {
	case MessageKind:
		out.ID, out.Seq = h.Message, &h.Seq
	case PartKind:
		out.Seq = &h.Seq
	case SummaryKind:
		out.Depth = &h.Depth
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // The encoder outside decides that.
	err := enc.Encode(out)
	return b.Bytes(), err
}
