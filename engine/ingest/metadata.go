package ingest

import (
	"slices"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
)

// marks are the members of a part's metadata that name the files with its payloads.
type marks struct {
	raw, fileBlocks, output, image bool
	file                           string   // The one that holds the payload.
	files                          []string // Those that hold blocks of it.
	size                           int
	reason                         string
}

// put adds the marks to metadata, or to a block.
func (m marks) put(o *jstext.Object) {
	flag := func(name string, on bool) {
		if on {
			o.Put(name, jstext.True)
		}
	}
	flag("rawPayloadExternalized", m.raw)
	if m.file != "" {
		o.Put("externalizedFileId", jstext.Quote(m.file))
	}
	if len(m.files) > 0 {
		var ids []jstext.Value
		for _, id := range m.files {
			ids = append(ids, jstext.Quote(id))
		}
		o.Put("externalizedFileIds", jstext.Array(ids))
	}
	flag("fileBlocksExternalized", m.fileBlocks)
	if m.file != "" {
		o.Put("originalByteSize", jstext.Value(strconv.Itoa(m.size)))
	}
	flag("toolOutputExternalized", m.output)
	flag("imageExternalized", m.image)
	if m.reason != "" {
		o.Put("externalizationReason", jstext.Quote(m.reason))
	}
}

// metadata starts the metadata of the i-th part with the members that the message decides.
func (w *ingestion) metadata(i int) *jstext.Object {
	o := new(jstext.Object)
	o.Put("originalRole", jstext.Quote(w.runtime))
	m := w.message
	if w.Role == "tool" {
		if id := callIDOf(w.message); !id.Null {
			o.Put("toolCallId", jstext.Quote(id.Text))
		}
		putText(o, "toolName", firstText(m, "toolName", "tool_name"))
		if failed := m.Field("isError"); failed.IsBool() {
			o.Put("isError", failed)
		}
	}
	if i == 0 && w.Role == "assistant" {
		w.putModel(o)
		w.putReasoning(o)
	}
	if i == 0 {
		putText(o, "kind", w.kind())
	}
	if i == 0 {
		w.putMarks(o)
	}
	return o
}

// putModel adds the identity of the model that gave an answer. One that lacks a member is none.
func (w *ingestion) putModel(o *jstext.Object) {
	provider, api, model := firstText(w.message, "provider"), firstText(w.message, "api"), firstText(w.message, "model")
	if provider.Text == "" || api.Text == "" || model.Text == "" {
		return
	}
	putText(o, "modelProvider", provider)
	putText(o, "modelApi", api)
	putText(o, "modelId", model)
	putText(o, "responseModelId", firstText(w.message, "responseModel"))
}

// reasoningName is the member of an answer that holds its reasoning beside its content.
const reasoningName = "reasoning_content"

// putReasoning adds the reasoning of an answer that stands beside its content.
func (w *ingestion) putReasoning(o *jstext.Object) {
	if v := w.message.Field(reasoningName); w.Role == "assistant" && !isBlank(v.Text()) {
		o.Put("topLevelReasoningField", jstext.Quote(reasoningName))
		o.Put("topLevelReasoningContent", v)
	}
}

// putMarks adds the marks of the message: those of payloads that were moved out of it now, else
// those that an exported message brings, whose payloads were moved out when it was first stored.
func (w *ingestion) putMarks(o *jstext.Object) {
	if w.marks.reason != "" {
		w.marks.put(o)
		return
	}
	for name, v := range w.message.Fields() {
		if slices.Contains(messageMarkNames, name) {
			o.Put(name, v)
		}
	}
}

// messageMarkNames are the members of an exported message that name the files with its payloads.
var messageMarkNames = append([]string{"rawPayloadExternalized", "externalizedFileIds", "fileBlocksExternalized"}, markNames...)

// kind returns the kind of a system message, such as a summary that the host of its session made.
func (w *ingestion) kind() data.Stored {
	if w.Role != "system" {
		return null
	}
	return firstText(w.message, "kind")
}

// meta returns the metadata of the i-th part, which is made from a block.
func (w *ingestion) meta(i int, block jstext.Value) data.Stored {
	o := w.metadata(i)
	blockMarks(block, o)
	rawType := block.Field("type")
	if !rawType.IsString() {
		rawType = `"agent"`
	}
	o.Put("rawType", rawType)
	if !w.rules.ContentOnly {
		o.Put("raw", block)
	}
	return storedText(string(o.Value()))
}

// markNames are the members of a block that name the file with its payload.
var markNames = []string{"externalizedFileId", "originalByteSize", "toolOutputExternalized", "imageExternalized", "externalizationReason"}

func blockMarks(block jstext.Value, o *jstext.Object) {
	for name, v := range block.Fields() {
		if slices.Contains(markNames, name) {
			o.Put(name, v)
		}
	}
}

func putText(o *jstext.Object, name string, s data.Stored) {
	if s.Text != "" {
		o.Put(name, jstext.Quote(s.Text))
	}
}
