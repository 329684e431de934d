package model

import "encoding/json"

// Tool is a function that a model may call.
type Tool struct {
	Name, Description string
	// Parameters is the JSON schema of its arguments, an object.
	Parameters json.RawMessage
}

// ToolCall is a model's call of a tool.
type ToolCall struct {
	// ID pairs the call with its result.
	ID, Name string
	// Arguments is a JSON object, as the model wrote it. It may be no JSON at all.
	Arguments string
}

// ToolResult is what a tool returned for a call.
type ToolResult struct {
	CallID, Text string
	IsError      bool
}

// Exchange is one message of a conversation with tools: the user's text, a reply of the model
// with its calls, or the results of these calls.
type Exchange struct {
	// Role is RoleUser or RoleModel.
	Role    Role
	Text    string
	Calls   []ToolCall   // Of the model.
	Results []ToolResult // Of the user, for all calls of the reply before.
}

// Role is who says something in a conversation with tools.
type Role string

// The roles.
const (
	RoleUser  Role = "user"
	RoleModel Role = "model"
)

// ToolRequest is one call of a model that may call tools.
type ToolRequest struct {
	System   string
	Messages []Exchange
	// Tools are those that it may call. With NoCalls it sees them and must answer in text.
	Tools     []Tool
	NoCalls   bool
	MaxTokens int
}

// ToolReply is a model's answer: a text, calls of tools, or both.
type ToolReply struct {
	// Message is the reply to be put behind the messages of the next request.
	Message Exchange
	// Model is "provider/model".
	Model string
	// Truncated says that the text was cut off at MaxTokens.
	Truncated bool
	// InputTokens and OutputTokens are the vendor's counts, of all tries; 0 is unknown.
	InputTokens, OutputTokens int64
	// Cost is in US dollars, if Priced.
	Cost   float64
	Priced bool
}

// Object gives the JSON object of a call's arguments, or an empty one where it is none: a server
// refuses a conversation that holds what it sent itself.
func (c ToolCall) Object() json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Arguments), &object) != nil || object == nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(c.Arguments)
}
