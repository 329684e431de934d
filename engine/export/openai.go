package export

import (
	"slices"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/assemble"
)

// openAIFormat writes one JSON array of chat messages. Providers refuse a call without its result
// right behind it, and a result without its call: what follows an answer with calls is held back
// until the results are there, and what has no partner gets one or is left out.
type openAIFormat struct {
	plainFormat
	some    bool                    // A message stands in the array.
	called  map[string]bool         // Calls that were written.
	waiting []string                // Calls of the last answer, in order.
	results map[string]jstext.Value // Their results, as far as they came.
	held    []jstext.Value          // Messages that stand behind the results.
}

// maxHeld is how many messages are held back for a result that is still to come.
const maxHeld = 64

// missingResult is the text in the place of a result that doesn't exist.
const missingResult = "[no result is stored for this call]"

func (f *openAIFormat) begin() error {
	f.called, f.results = map[string]bool{}, map[string]jstext.Value{}
	return f.write("[")
}

func (f *openAIFormat) end() error {
	if err := f.settle(); err != nil {
		return err
	}
	return f.write("\n]\n")
}

func (f *openAIFormat) summary(s *summary) error {
	var o jstext.Object
	o.Put("role", `"user"`)
	o.Put("content", jstext.Quote(s.shown()))
	return f.place(o.Value())
}

func (f *openAIFormat) message(m message) error {
	switch m.role {
	case assemble.RoleToolResult:
		return f.takeResults(m)
	case assemble.RoleAssistant:
		return f.answer(m)
	}
	role := jstext.Value(`"user"`)
	if m.role == "system" {
		role = `"system"`
	}
	var o jstext.Object
	o.Put("role", role)
	o.Put("content", chatContent(m.blocks()))
	return f.place(o.Value())
}

// place writes a message, or holds it back while results are awaited.
func (f *openAIFormat) place(v jstext.Value) error {
	if len(f.waiting) == 0 {
		return f.put(v)
	}
	f.held = append(f.held, v)
	if len(f.held) >= maxHeld {
		return f.settle()
	}
	return nil
}

// put writes a message of the array.
func (f *openAIFormat) put(v jstext.Value) error {
	lead := "\n"
	if f.some {
		lead = ",\n"
	}
	f.some = true
	return f.write(lead, string(v))
}

// answer writes a message of the assistant. A call that an earlier one made is left out.
func (f *openAIFormat) answer(m message) error {
	var calls []jstext.Value
	var ids []string
	var rest []block
	for _, b := range m.blocks() {
		switch {
		case b.kind != callBlock:
			rest = append(rest, b)
		case b.id == "": // No result can name it.
			rest = append(rest, block{kind: otherBlock, raw: b.raw})
		case !f.called[b.id]:
			f.called[b.id] = true
			ids, calls = append(ids, b.id), append(calls, chatCall(b))
		}
	}
	text := joinTexts(rest)
	if len(calls) == 0 {
		if text == "" {
			return nil
		}
		var o jstext.Object
		o.Put("role", `"assistant"`)
		o.Put("content", jstext.Quote(text))
		return f.place(o.Value())
	}
	if err := f.settle(); err != nil {
		return err
	}
	var o jstext.Object
	o.Put("role", `"assistant"`)
	o.Put("content", orNull(text))
	o.Put("tool_calls", jstext.Array(calls))
	f.waiting = ids
	return f.put(o.Value())
}

// chatCall returns a call in the form of the chat API, with its arguments as a string.
func chatCall(b block) jstext.Value {
	var function, o jstext.Object
	name := b.name
	if name == "" {
		name = "unknown"
	}
	function.Put("name", jstext.Quote(name))
	arguments := string(b.arguments())
	if b.input.IsString() {
		arguments = b.input.Text()
	}
	function.Put("arguments", jstext.Quote(arguments))
	o.Put("id", jstext.Quote(b.id))
	o.Put("type", `"function"`)
	o.Put("function", function.Value())
	return o.Value()
}

// takeResults takes the results of a tool's message; the images of one follow as a message of the
// user, the only one that may have them.
func (f *openAIFormat) takeResults(m message) error {
	var images []block
	for _, b := range m.blocks() {
		if b.kind != resultBlock {
			images = append(images, b)
			continue
		}
		_, twice := f.results[b.id]
		if !slices.Contains(f.waiting, b.id) || twice {
			f.result.Unpaired++
			continue
		}
		var o jstext.Object
		o.Put("role", `"tool"`)
		o.Put("tool_call_id", jstext.Quote(b.id))
		o.Put("content", jstext.Quote(b.text))
		f.results[b.id] = o.Value()
	}
	if len(images) > 0 {
		var o jstext.Object
		o.Put("role", `"user"`)
		o.Put("content", chatContent(images))
		if err := f.place(o.Value()); err != nil {
			return err
		}
	}
	if len(f.waiting) > 0 && len(f.results) == len(f.waiting) {
		return f.settle()
	}
	return nil
}

// settle writes the results of the last answer's calls in their order, a made one for each that
// didn't come, and then what was held back.
func (f *openAIFormat) settle() error {
	waiting, held := f.waiting, f.held
	f.waiting, f.held = nil, nil
	for _, id := range waiting {
		r, ok := f.results[id]
		if !ok {
			var o jstext.Object
			o.Put("role", `"tool"`)
			o.Put("tool_call_id", jstext.Quote(id))
			o.Put("content", jstext.Quote(missingResult))
			r = o.Value()
		}
		if err := f.put(r); err != nil {
			return err
		}
	}
	clear(f.results)
	for _, v := range held {
		if err := f.put(v); err != nil {
			return err
		}
	}
	return nil
}

// joinTexts returns the texts of an answer. What the model thought is no message to another model.
func joinTexts(bs []block) string {
	var out []string
	for _, b := range bs {
		switch b.kind {
		case textBlock:
			out = append(out, b.text)
		case thinkingBlock, imageBlock:
		default:
			out = append(out, b.plain())
		}
	}
	return strings.Join(out, "\n")
}

// chatContent returns the content of a message of the user: a text or, with images, a list.
func chatContent(bs []block) jstext.Value {
	var list []jstext.Value
	images := false
	for _, b := range bs {
		var o jstext.Object
		if b.kind == imageBlock && b.data != "" {
			images = true
			var url jstext.Object
			url.Put("url", jstext.Quote("data:"+b.mime+";base64,"+b.data))
			o.Put("type", `"image_url"`)
			o.Put("image_url", url.Value())
		} else {
			o.Put("type", `"text"`)
			o.Put("text", jstext.Quote(b.plain()))
		}
		list = append(list, o.Value())
	}
	if images {
		return jstext.Array(list)
	}
	var out []string
	for _, b := range bs {
		out = append(out, b.plain())
	}
	return jstext.Quote(strings.Join(out, "\n"))
}
