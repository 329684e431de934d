package scan

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReadMetadata(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Metadata{
		`{"originalRole":"user"}`: {Valid: true, Role: "user"},
		` { "originalRole" : "toolResult" , "toolCallId" : "call_1" } `:                {Valid: true, Role: "toolResult", CallID: "call_1", Answers: "call_1"},
		`{"raw":{"type":"toolCall","id":"a\"b\\","arguments":{"id":"no","x":[1,{}]}}}`: {Valid: true, RawType: "toolCall", CallID: `a"b\`},
		`{"raw":{"text":"{\"id\":\"no\"}","tool_use_id":"t"},"toolCallId":"first"}`:    {Valid: true, CallID: "first", Answers: "first"},
		`{"raw":"{}","responseId":"r"}`:                                                {Valid: true, ResponseID: "r"},
		`{"raw":{"id":7,"call_id":"c"},"n":null}`:                                      {Valid: true, CallID: "c"},
		`[{"originalRole":"user"}]`:                                                    {Valid: true},
		`"text"`:                                                                       {Valid: true},
		`{"originalRole":"user"`:                                                       {},
		``:                                                                             {},
		`{}`:                                                                           {Valid: true},
	} {
		if got := ReadMetadata([]byte(text)); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// A text of nothing but escapes is read in one go, not once for each of them.
func TestReadMetadataOfManyEscapes(t *testing.T) {
	t.Parallel()
	text := `{"x":"` + strings.Repeat(`\n`, 1<<20) + `","toolCallId":"c"}`
	if got := ReadMetadata([]byte(text)); got.CallID != "c" {
		t.Errorf("%+v", got)
	}
}

// FuzzReadMetadata: whatever stands in a cell, what is read of it is what a whole
// decoder reads.
func FuzzReadMetadata(f *testing.F) {
	f.Add(`{"originalRole":"user","raw":{"id":"x","type":"toolCall"}}`)
	f.Add(`{"a":[{"originalRole":"no"}],"originalRole":"yes\u00e9"}`)
	f.Add(`{"raw":{"raw":{"id":"deep"}},"toolCallId":""}`)
	f.Fuzz(func(t *testing.T, text string) {
		got := ReadMetadata([]byte(text))
		if got.Valid != json.Valid([]byte(text)) {
			t.Fatalf("valid: %v", got.Valid)
		}
		var m map[string]any
		if json.Unmarshal([]byte(text), &m) != nil {
			return
		}
		if role, ok := m["originalRole"].(string); ok && !strings.Contains(text, `\`) && strings.Count(text, "originalRole") == 1 && got.Role != role {
			t.Fatalf("role %q, want %q", got.Role, role)
		}
	})
}
