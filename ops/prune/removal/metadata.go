package removal

import (
	"strings"

	"lcm-tui/data/jstext"
)

// keptFields are the members of a part's metadata that stay when its text is forgotten; so do
// those that begin with externalized.
var keptFields = map[string]bool{
	"originalRole": true, "toolCallId": true, "toolName": true, "isError": true, "rawType": true, "modelProvider": true,
	"modelApi": true, "modelId": true, "responseModelId": true, "originalByteSize": true, "imageExternalized": true, "externalizationReason": true,
	"toolOutputExternalized": true, "externalizedFileId": true,
}

// keptRaw are the members of the raw block that stay: by them a host knows a tool call again when
// it is given the whole history.
var keptRaw = map[string]bool{
	"type": true, "id": true, "call_id": true, "callId": true, "toolCallId": true, "tool_call_id": true, "tool_use_id": true, "toolUseId": true, "name": true,
}

// reducedMetadata returns the metadata of a part without texts. It is nil where there is none or it is
// no JSON object.
func reducedMetadata(metadata any) any {
	text, ok := metadata.(string)
	if !ok {
		return nil
	}
	v := jstext.Parse(text)
	if !v.IsObject() {
		return nil
	}
	var o jstext.Object
	for name, field := range v.Fields() {
		switch {
		case name == "raw" && field.IsObject():
			o.Put(name, reducedRaw(field))
		case keptFields[name] || strings.HasPrefix(name, "externalized"):
			if isShort(field) {
				o.Put(name, field)
			}
		}
	}
	return string(o.Value())
}

func reducedRaw(raw jstext.Value) jstext.Value {
	var o jstext.Object
	for name, field := range raw.Fields() {
		if keptRaw[name] && isShort(field) {
			o.Put(name, field)
		}
	}
	return o.Value()
}

// isShort reports whether a value is an id, a name or a number and no text of a message.
func isShort(v jstext.Value) bool {
	return len(v) <= 512 && !v.IsObject() && !v.IsArray()
}
