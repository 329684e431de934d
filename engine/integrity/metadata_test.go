package integrity

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReadMetadata(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]metadata{
		`{"originalRole":"user"}`: {valid: true, role: "user"},
		` { "originalRole" : "toolResult" , "toolCallId" : "call_1" } `:                {valid: true, role: "toolResult", callID: "call_1", answers: "call_1"},
		`{"raw":{"type":"toolCall","id":"a\"b\\","arguments":{"id":"no","x":[1,{}]}}}`: {valid: true, rawType: "toolCall", callID: `a"b\`},
		`{"raw":{"text":"{\"id\":\"no\"}","tool_use_id":"t"},"toolCallId":"first"}`:    {valid: true, callID: "first", answers: "first"},
		`{"raw":"{}","responseId":"r"}`:                                                {valid: true, responseID: "r"},
		`{"raw":{"id":7,"call_id":"c"},"n":null}`:                                      {valid: true, callID: "c"},
		`[{"originalRole":"user"}]`:                                                    {valid: true},
		`"text"`:                                                                       {valid: true},
		`{"originalRole":"user"`:                                                       {},
		``:                                                                             {},
		`{}`:                                                                           {valid: true},
	} {
		if got := readMetadata([]byte(text)); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// A text of nothing but escapes is read in one go, not once for each of them.
func TestReadMetadataOfManyEscapes(t *testing.T) {
	t.Parallel()
	text := `{"x":"` + strings.Repeat(`\n`, 1<<20) + `","toolCallId":"c"}`
	if got := readMetadata([]byte(text)); got.callID != "c" {
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
		got := readMetadata([]byte(text))
		if got.valid != json.Valid([]byte(text)) {
			t.Fatalf("valid: %v", got.valid)
		}
		var m map[string]any
		if json.Unmarshal([]byte(text), &m) != nil {
			return
		}
		if role, ok := m["originalRole"].(string); ok && !strings.Contains(text, `\`) && strings.Count(text, "originalRole") == 1 && got.role != role {
			t.Fatalf("role %q, want %q", got.role, role)
		}
	})
}
