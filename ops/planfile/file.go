package planfile

import (
	"encoding/json"

	"lcm-tui/data/change"
	"lcm-tui/data/fileidentity"
	"lcm-tui/data/lcm"
	"lcm-tui/ops"
)

// Version is the version of the format of plan files.
const Version = 1

// note is what a plan file says of itself to whoever opens it.
const note = "A plan of lcm-tui: it holds texts of conversations, so keep it private. lcm-tui plan show FILE shows it, lcm-tui apply FILE writes it. Don't edit it."

// File is a plan in a file.
type File struct {
	Header
	// Plan is what the review shows. It can't be applied: Prepare returns one that can.
	Plan ops.Plan
	// Path, SHA256 and Bytes are those of the file that it was read from or written to.
	Path, SHA256 string
	Bytes        int64

	document document
}

// Header says where a plan comes from.
type Header struct {
	Note    string `json:"note"`
	Version int    `json:"lcm_tui_plan"`
	MadeBy  string `json:"made_by"` // The version of this program.
	MadeAt  string `json:"made_at"`
	Op      string `json:"op"`
	// Request is what the operation was asked for, where it can be planned again; else null.
	Request  json.RawMessage       `json:"request"`
	Database fileidentity.Identity `json:"database"`
}

// document is the JSON of a plan file but for its digest.
type document struct {
	Header
	Title    string          `json:"title"`
	Guards   []change.Guard  `json:"guards"`
	Changes  []change.Change `json:"changes"`
	Set      *ops.Set        `json:"set,omitempty"`
	Refused  []ops.Refusal   `json:"refused,omitempty"`
	Forecast *ops.Forecast   `json:"forecast,omitempty"`
	Files    []largeFile     `json:"files"`
	Texts    []ops.Text      `json:"texts"`
	Items    []ops.Item      `json:"items,omitempty"`
	Contexts []contextChange `json:"contexts,omitempty"`
	Impact   ops.Impact      `json:"impact"`
	Notes    []string        `json:"notes"`
	Warnings []string        `json:"warnings"`
	Model    string          `json:"model,omitempty"` // Who made the texts.
	Price    string          `json:"price,omitempty"`
	Backup   string          `json:"backup,omitempty"` // The name that the notes say; another one is made.
	application
	Sources []lcm.SourceText `json:"sources,omitempty"`
}

// application is how a plan is applied.
type application struct {
	Rebuild []string `json:"rebuild,omitempty"`
	Bulk    bool     `json:"bulk,omitempty"`
	Alone   bool     `json:"alone,omitempty"`
	Forgets bool     `json:"forgets,omitempty"`
	Leaves  []int64  `json:"leaves,omitempty"`
	First   int64    `json:"first_message_id,omitempty"`
	Away    []int64  `json:"needs_host_away,omitempty"` // Of earlier versions; not used.
	Force   bool     `json:"force,omitempty"`           // The same.
}

// contextChange is a context before and after, for showing it.
type contextChange struct {
	Conversation int64             `json:"conversation_id"`
	Before       []lcm.ContextItem `json:"before"`
	After        []lcm.ContextItem `json:"after"`
}

// Codec writes and reads the request of an operation.
type Codec struct {
	// Encode returns the request of an operation that was planned, or nil where another plan of it
	// may differ: it asks a model, or makes up ids.
	Encode func(op ops.Op, plan ops.Plan) (any, error)
	// Decode returns the operation of a request.
	Decode func(request json.RawMessage) (ops.Op, error)
}

// Codecs are the codecs of operations, by name.
type Codecs map[string]Codec

// encode returns the request of an operation as JSON; null where there is none.
func (c Codecs) encode(op ops.Op, plan ops.Plan) (json.RawMessage, error) {
	codec, ok := c[plan.Op]
	if !ok {
		return json.RawMessage("null"), nil
	}
	request, err := codec.Encode(op, plan)
	if err != nil {
		return nil, err
	}
	return marshal(request)
}
