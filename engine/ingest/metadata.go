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
		putText(o, "toolCallId", firstText(m, "toolCallId", "tool_call_id"))
		putText(o, "toolName", firstText(m, "toolName", "tool_name"))
		if failed := m.Field("isError"); failed.IsBool() {
			o.Put("isError", failed)
		}
	}
	if i == 0 && w.Role == "assistant" {
		putText(o, "modelProvider", firstText(m, "provider"))
		putText(o, "modelApi", firstText(m, "api"))
		putText(o, "modelId", firstText(m, "model"))
		putText(o, "responseModelId", firstText(m, "responseModel"))
		for _, name := range []string{"reasoning_content", "reasoning", "reasoning_text"} {
			if v := m.Field(name); v.IsString() && v != jstext.Empty {
				o.Put("topLevelReasoningField", jstext.Quote(name))
				o.Put("topLevelReasoningContent", v)
				break
			}
		}
	}
	if i == 0 {
		putText(o, "kind", w.kind())
	}
	if i == 0 {
		w.putMarks(o)
	}
	return o
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

// kind is the kind of a system message, such as a summary that the host of its session made.
func (w *ingestion) kind() data.Stored {
	if w.Role != "system" {
		return null
	}
	return firstText(w.message, "kind")
}

// meta is the metadata of the i-th part: of a block or, if block is undefined, of a text.
func (w *ingestion) meta(i int, block jstext.Value) data.Stored {
	o := w.metadata(i)
	if block.Defined() {
		blockMarks(block, o)
		if t := block.Field("type"); t.IsString() {
			o.Put("rawType", t)
		}
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
