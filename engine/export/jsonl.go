package export

import (
	"bytes"
	"encoding/json"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// RowsVersion is the version of the form that jsonl writes.
const RowsVersion = "lcm-tui/1"

// rowsFormat writes rows: a line for the export, each conversation, and each row of it.
type rowsFormat struct{ plainFormat }

func (f *rowsFormat) begin() error {
	return f.row("export", struct {
		Version string  `json:"version"`
		Program string  `json:"program"`
		Content Content `json:"content"`
		Host    string  `json:"host"`
	}{RowsVersion, f.o.Version, f.content, f.db.Kind().String()})
}

func (f *rowsFormat) open(c *conversation) error {
	if err := f.row("conversation", c.Conversation); err != nil {
		return err
	}
	if f.content != All {
		return nil
	}
	for _, file := range sortedFiles(c.files) {
		if err := f.row("large_file", file); err != nil {
			return err
		}
	}
	return f.contextRows(c)
}

// contextRows writes the places of the context.
func (f *rowsFormat) contextRows(c *conversation) error {
	places, err := lcm.ContextPlaces(f.ctx, f.db, c.ID)
	for _, p := range places {
		row := struct {
			Conversation int64   `json:"conversation_id"`
			Ordinal      int64   `json:"ordinal"`
			Type         string  `json:"item_type"`
			Message      *int64  `json:"message_id,omitempty"`
			Summary      *string `json:"summary_id,omitempty"`
		}{c.ID, p.Ordinal, "message", &p.Message, nil}
		if p.Summary != "" {
			row.Type, row.Message, row.Summary = "summary", nil, &p.Summary
		}
		if err := f.row("context_item", row); err != nil {
			return err
		}
	}
	return err
}

func (f *rowsFormat) summary(s *summary) error {
	return f.row("summary", struct {
		Conversation     int64     `json:"conversation_id"`
		ID               string    `json:"summary_id"`
		Kind             string    `json:"kind"`
		Depth            int64     `json:"depth"`
		Content          string    `json:"content"`
		Tokens           int64     `json:"token_count"`
		EarliestAt       data.Time `json:"earliest_at"`
		LatestAt         data.Time `json:"latest_at"`
		CreatedAt        data.Time `json:"created_at"`
		Descendants      int64     `json:"descendant_count"`
		DescendantTokens int64     `json:"descendant_token_count"`
		SourceTokens     int64     `json:"source_message_token_count"`
		Model            string    `json:"model"`
		FileIDs          string    `json:"file_ids"`
		Sources          []string  `json:"source_summary_ids"`
		InContext        bool      `json:"in_context"`
		FirstSeq         int64     `json:"first_seq,omitempty"`
		LastSeq          int64     `json:"last_seq,omitempty"`
	}{
		s.Conversation, s.ID, s.Kind, s.Depth, s.Content, s.Tokens, s.EarliestAt, s.LatestAt, s.CreatedAt, s.Descendants,
		s.DescendantTokens, s.SourceTokens, s.Model, s.FileIDs, listOrEmpty(s.sources), s.ordinal >= 0, s.extent.First, s.extent.Last,
	})
}

func (f *rowsFormat) message(m message) error {
	type part struct {
		ID         string  `json:"part_id"`
		Type       string  `json:"part_type"`
		Ordinal    int64   `json:"ordinal"`
		Text       *string `json:"text_content"`
		ToolCallID *string `json:"tool_call_id"`
		ToolName   *string `json:"tool_name"`
		ToolInput  *string `json:"tool_input"`
		ToolOutput *string `json:"tool_output"`
		Metadata   *string `json:"metadata"`
	}
	parts := []part{}
	for i := range m.Parts {
		p := &m.Parts[i]
		parts = append(parts, part{
			p.ID, p.Type, p.Ordinal, cell(&p.Text), cell(&p.ToolCallID), cell(&p.ToolName), cell(&p.ToolInput), cell(&p.ToolOutput), cell(&p.Metadata),
		})
	}
	return f.row("message", struct {
		Conversation int64     `json:"conversation_id"`
		ID           int64     `json:"message_id"`
		Seq          int64     `json:"seq"`
		Role         string    `json:"role"`
		Content      *string   `json:"content"`
		Tokens       int64     `json:"token_count"`
		CreatedAt    data.Time `json:"created_at"`
		Hash         string    `json:"identity_hash,omitempty"`
		Entry        string    `json:"transcript_entry_id,omitempty"`
		EventKey     string    `json:"stable_event_key,omitempty"`
		Sender       *string   `json:"openclaw_sender_metadata,omitempty"`
		LargeContent *string   `json:"large_content,omitempty"`
		InContext    bool      `json:"in_context"`
		Summaries    []string  `json:"summary_ids"`
		Forgotten    bool      `json:"forgotten,omitempty"`
		Parts        []part    `json:"parts"`
	}{
		f.now.ID, m.ID, m.Seq, m.Role, cell(&m.Content), m.Tokens.Value, m.CreatedAt, f.hash(m), m.Entry, m.EventKey, cell(&m.Sender),
		cell(&m.LargeContent), m.InContext, listOrEmpty(m.Summaries), m.forgotten, parts,
	})
}

// hash returns the identity_hash of a message. It confirms a guess of what was said, so an export
// without secrets has none.
func (f *rowsFormat) hash(m message) string {
	if f.o.Scrubber != nil {
		return ""
	}
	return m.Hash
}

// scrubStrings scrubs every string in a value, whichever column it is of.
func (f *rowsFormat) scrubStrings(v jstext.Value) jstext.Value {
	switch {
	case v.IsString():
		return jstext.Quote(f.scrub(v.Text()))
	case v.IsArray():
		out := []jstext.Value{}
		for e := range v.Elements() {
			out = append(out, f.scrubStrings(e))
		}
		return jstext.Array(out)
	case v.IsObject():
		var o jstext.Object
		for name, e := range v.Fields() {
			o.Put(name, f.scrubStrings(e))
		}
		return o.Value()
	}
	return v
}

// row writes a line: what kind of row it is, then its members.
func (f *rowsFormat) row(kind string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	row := b.String()
	if f.o.Scrubber != nil {
		row = string(f.scrubStrings(jstext.Parse(row))) + "\n"
	}
	return f.write(`{"type":`, string(jstext.Quote(kind)), ",", row[1:])
}

func cell(s *data.Stored) *string {
	if s.Null {
		return nil
	}
	return &s.Text
}

func listOrEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
