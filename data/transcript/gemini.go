package transcript

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/regularfile"
)

// gemini reads Gemini CLI's lines: the session, a message, changes of the session ($set), which may list all messages
// again, and a return of the user ($rewindTo). A message is written again, with its id, when its tools have
// answered. So each call of a tool and each answer is a message of its own here, and what was given stays as it is.
type gemini struct {
	given   map[string]bool // Ids of entries.
	rewound map[string]bool // Ids of entries that aren't given.
}

func (g *gemini) unfinished() bool { return false }

func (g *gemini) state() (called map[string]string, model string) { return nil, "" }

// geminiMessages returns the messages of a line.
func geminiMessages(v jstext.Value) (out []jstext.Value) {
	if v.Field("id").IsString() {
		return []jstext.Value{v}
	}
	list := v.Field("$set").Field("messages")
	if v.Field("projectHash").IsString() {
		list = v.Field("messages")
	}
	for m := range list.Elements() {
		if m.Field("id").IsString() {
			out = append(out, m)
		}
	}
	return out
}

func (g *gemini) read(line string, at place) (out []Entry, err error) {
	v := jstext.Parse(line)
	if !v.IsObject() {
		return nil, errJSON
	}
	for _, m := range geminiMessages(v) {
		for _, e := range geminiEntries(m) {
			if g.given[e.ID] || g.rewound[e.ID] {
				continue
			}
			g.given[e.ID] = true
			e.Line, e.End = at.line, at.end
			out = append(out, e)
		}
	}
	return out, nil
}

// geminiEntries returns what a message of Gemini CLI is: a message of the user, answers of tools, or an answer of the
// model and the tools that it called.
func geminiEntries(m jstext.Value) (out []Entry) {
	at := firstTime(m.Field("timestamp"))
	add := func(id string, message jstext.Value) *Entry {
		out = append(out, Entry{ID: strings.Clone(id), At: at, Message: message})
		return &out[len(out)-1]
	}
	id := m.Field("id").Text()
	blocks, results := geminiBlocks(m.Field("content"))
	switch m.Field("type").Text() {
	case "user":
		for i, r := range results {
			add("result:"+cmp.Or(r.Field("id").Text(), nthOf(id, i)), geminiResult(r, nil))
		}
		if len(blocks) > 0 {
			e := add(id, message(geminiRole(blocks), oneText(blocks), nil))
			if strings.HasPrefix(jstext.Trim(blocks[0].Field("text").Text()), "<state_snapshot>") {
				*e = summaryOfHost(*e, oneText(blocks))
			}
		}
	case "gemini":
		blocks = append(geminiThoughts(m.Field("thoughts")), blocks...)
		if len(blocks) > 0 {
			add(id, geminiAnswer(m, blocks...))
		}
		n := 0
		for c := range m.Field("toolCalls").Elements() {
			call := cmp.Or(c.Field("id").Text(), nthOf(id, n))
			n++
			add("call:"+call, geminiAnswer(m, `{"type":"toolCall","id":`+orEmpty(c.Field("id"))+`,"name":`+orEmpty(c.Field("name"))+`,"arguments":`+orObject(c.Field("args"))+`}`))
			for i, r := range geminiResults(c) {
				add(partID("result:"+call, i), r)
			}
		}
	case "info", "warning", "error":
		if len(blocks) > 0 {
			add(id, message("system", oneText(blocks), nil))
		}
	}
	return out
}

// nthOf names a call or an answer of a tool that has no id by its place in a message.
func nthOf(message string, n int) string { return fmt.Sprintf("%s:%d", message, n) }

// geminiResults returns the messages that the answer of a called tool is. What stands beside it, such as an image that the
// tool read, belongs to the last one.
func geminiResults(call jstext.Value) (out []jstext.Value) {
	beside, results := geminiBlocks(call.Field("result"))
	if len(results) == 0 && len(beside) > 0 {
		results = append(results, pick(call, "id", "name"))
	}
	for i, r := range results {
		if i < len(results)-1 {
			out = append(out, geminiResult(r, nil))
			continue
		}
		out = append(out, geminiResult(r, beside))
	}
	return out
}

// geminiRole returns the role of a message of the user; what begins with a slash is a command of the client.
func geminiRole(blocks []jstext.Value) string {
	if strings.HasPrefix(blocks[0].Field("text").Text(), "/") {
		return "system"
	}
	return "user"
}

// oneText returns blocks as content: a single text as it is.
func oneText(blocks []jstext.Value) jstext.Value {
	if len(blocks) == 1 && blocks[0].Field("type") == `"text"` {
		return blocks[0].Field("text")
	}
	return jstext.Array(blocks)
}

// injectedText begins texts that Gemini CLI and hooks put before the model.
var injectedText = []string{"<session_context>", "<hook_context>"}

// geminiBlocks returns the parts of a content in the form that OpenClaw has for them, and the answers of tools among
// them. Calls stand among the message's tools.
func geminiBlocks(content jstext.Value) (blocks, results []jstext.Value) {
	if content.IsString() {
		content = jstext.Array([]jstext.Value{textPart(content)})
	} else if content.IsObject() {
		content = jstext.Array([]jstext.Value{content})
	}
	for p := range content.Elements() {
		if p.IsString() {
			p = textPart(p)
		}
		text := p.Field("text")
		starts := func(s string) bool { return strings.HasPrefix(jstext.Trim(text.Text()), s) }
		switch {
		case p.Field("functionResponse").IsObject():
			results = append(results, p.Field("functionResponse"))
		case p.Field("functionCall").IsObject(), text.IsString() && (text == jstext.Empty || slices.ContainsFunc(injectedText, starts)):
		case text.IsString() && p.Field("thought") == jstext.True:
			blocks = append(blocks, thinkingBlock(text))
		case text.IsString():
			blocks = append(blocks, textBlock(text))
		case p.Field("inlineData").IsObject():
			d := p.Field("inlineData")
			blocks = append(blocks, `{"type":"image","source":{"type":"base64","media_type":`+orEmpty(d.Field("mimeType"))+`,"data":`+orEmpty(d.Field("data"))+`}}`)
		case p.IsObject():
			blocks = append(blocks, p)
		}
	}
	return blocks, results
}

func textPart(text jstext.Value) jstext.Value { return `{"text":` + text + `}` }

func thinkingBlock(text jstext.Value) jstext.Value {
	return `{"type":"thinking","thinking":` + orEmpty(text) + `}`
}

func orObject(v jstext.Value) jstext.Value {
	if !v.IsObject() {
		return "{}"
	}
	return v
}

// geminiThoughts returns what the model thought.
func geminiThoughts(thoughts jstext.Value) (blocks []jstext.Value) {
	for t := range thoughts.Elements() {
		text := jstext.Trim(t.Field("subject").Text() + "\n" + t.Field("description").Text())
		if text != "" {
			blocks = append(blocks, thinkingBlock(jstext.Quote(text)))
		}
	}
	return blocks
}

func geminiAnswer(m jstext.Value, blocks ...jstext.Value) jstext.Value {
	return message("assistant", jstext.Array(blocks), func(o *jstext.Object) {
		o.Put("api", `"google-generative-ai"`)
		o.Put("provider", `"google"`)
		o.Put("model", m.Field("model"))
	})
}

// geminiResult returns the message that a tool's answer is: its output or its error, or, where it has neither, all of
// it; then what stands in parts of it, and beside it.
func geminiResult(r jstext.Value, beside []jstext.Value) jstext.Value {
	response := r.Field("response")
	output, failed := response.Field("output"), response.Field("error")
	isError := jstext.False
	if failed.IsString() {
		output, isError = failed, jstext.True
	}
	if !output.IsString() && response.Defined() {
		output = jstext.Quote(string(response))
	}
	parts, _ := geminiBlocks(r.Field("parts"))
	parts = append(parts, beside...)
	var content []jstext.Value
	if len(parts) == 0 || output.IsString() && output != jstext.Empty {
		block := `{"type":"tool_result","tool_use_id":` + orEmpty(r.Field("id")) + `,"content":""}`
		content = slices.Collect(resultContent(block, output).Elements())
	}
	return message("toolResult", jstext.Array(append(content, parts...)), func(o *jstext.Object) {
		o.Put("toolCallId", r.Field("id"))
		o.Put("toolName", r.Field("name"))
		o.Put("isError", isError)
	})
}

// findRewound returns the ids of the entries that the user of Gemini CLI went back before. A message that is written
// again is a part of the session again.
func (f *File) findRewound(ctx context.Context) (map[string]bool, error) {
	if some, err := f.wentBack(ctx); err != nil || !some {
		return nil, err
	}
	r := rewinds{at: map[string]int{}, entries: map[string][]string{}, gone: map[string]bool{}}
	err := f.eachLine(ctx, func(_ place, line string) (bool, error) {
		v := jstext.Parse(line)
		for _, m := range geminiMessages(v) {
			r.add(m)
		}
		if to := rewindTarget(v); to != "" {
			r.goBack(to)
		}
		return true, nil
	}, nil)
	return r.gone, err
}

// addGeminiWay adds the ids of the entries of a line that are a part of the session.
func addGeminiWay(line string, rewound, on map[string]bool) {
	for _, m := range geminiMessages(jstext.Parse(line)) {
		for _, e := range geminiEntries(m) {
			if !e.OutsideContext && !rewound[e.ID] {
				on[strings.Clone(e.ID)] = true
			}
		}
	}
}

// rewindMember is in lines that say to which message the user went back.
const rewindMember = `"$rewindTo"`

// rewindTarget returns the id of the message before which the session goes on.
func rewindTarget(v jstext.Value) string { return v.Field("$rewindTo").Text() }

// rewinds finds what returns of the user leave of a session.
type rewinds struct {
	ids     []string            // Of the messages that are a part of it, in their order.
	at      map[string]int      // Where each stands there.
	entries map[string][]string // The ids of the entries of each.
	gone    map[string]bool     // Ids of entries.
}

func (r *rewinds) add(m jstext.Value) {
	id := strings.Clone(m.Field("id").Text())
	if _, known := r.at[id]; !known {
		r.at[id] = len(r.ids)
		r.ids = append(r.ids, id)
	}
	for _, e := range geminiEntries(m) {
		delete(r.gone, e.ID)
		r.entries[id] = append(r.entries[id], e.ID)
	}
}

// goBack takes a message and all behind it out; all of them where it isn't there, as the client does.
func (r *rewinds) goBack(to string) {
	keep := r.at[to]
	for _, id := range r.ids[keep:] {
		delete(r.at, id)
		for _, e := range r.entries[id] {
			r.gone[e] = true
		}
	}
	r.ids = r.ids[:keep]
}

// learnGemini takes the session from the first line.
func (s *Session) learnGemini(line string) {
	f := fields(line, "sessionId", "projectHash", "startTime", "kind")
	if f["projectHash"].IsString() {
		s.ID, s.Started, s.Aside = f["sessionId"].Text(), firstTime(f["startTime"]), f["kind"] == `"subagent"`
	}
}

// projectRootFile names, in the folder of a project below that of Gemini CLI, the project's own folder.
const projectRootFile = ".project_root"

// learnGeminiFolder takes from a file's place what its lines don't say: the session's working folder, and for which
// session a helper worked.
func (s *Session) learnGeminiFolder(path string) {
	chats := filepath.Dir(path)
	if s.Aside {
		s.ID = filepath.Base(chats) + "/" + s.ID
		chats = filepath.Dir(chats)
	}
	h, err := regularfile.Open(filepath.Join(filepath.Dir(chats), projectRootFile))
	if err != nil {
		return
	}
	defer h.Close()
	const longest = 4 << 10
	b, err := io.ReadAll(io.LimitReader(h, longest))
	if root := strings.TrimSpace(string(b)); err == nil && filepath.IsAbs(root) {
		s.CWD = root
	}
}
