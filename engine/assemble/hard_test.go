package assemble

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
)

// columns are a part as it is stored; a nil is NULL.
type columns struct{ kind, text, call, tool, input, output, metadata any }

// randomConversation makes up a conversation of every shape in which messages are stored.
type randomConversation struct {
	*rand.Rand
	ids    int
	nobody bool   // No user says anything.
	folder string // Of large files.
}

// one returns any of some texts.
func (r *randomConversation) one(of ...string) string { return of[r.IntN(len(of))] }

// words returns a few words, some of them blank, wide, or hostile.
func (r *randomConversation) words() string {
	out := make([]string, 1+r.IntN(12))
	for i := range out {
		out[i] = r.one("retry", "queue", "OPS-701", "<b> & \"c\"", "数据库", "𠮷野家", "line\nbreak", "\u2028", "tenant_id", "", "POOL_SIZE=9")
	}
	return strings.Join(out, " ")
}

// call returns the id of a call: a new one, or one that was used before.
func (r *randomConversation) call() string {
	if r.IntN(3) > 0 {
		r.ids++
	}
	return fmt.Sprintf("%s_%d", []string{"call", "exec"}[r.ids%2], r.ids/2)
}

func (r *randomConversation) either(a, b any) any {
	if r.IntN(2) == 0 {
		return a
	}
	return b
}

// meta returns metadata with a role, more members, and the host's block.
func meta(role, more, raw string) string {
	s := `{"originalRole":"` + role + `"` + more
	if raw != "" {
		s += `,"rawType":` + cellType(raw) + `,"raw":` + raw
	}
	return s + "}"
}

func cellType(raw string) string {
	_, kind, ok := strings.Cut(raw, `"type":`)
	if !ok {
		return `""`
	}
	return `"` + strings.SplitN(kind, `"`, 3)[1] + `"`
}

func quoted(s string) string { return string(textBlock(s).Field("text")) }

// user returns a message of the user.
func (r *randomConversation) user() (content string, parts []columns) {
	text := r.words()
	plain := columns{kind: "text", text: text, metadata: meta("user", "", `{"type":"text","text":`+quoted(text)+`}`)}
	switch r.IntN(10) {
	case 0:
		return text, nil
	case 1:
		return " ", []columns{{kind: "text", text: " ", metadata: `{"originalRole":"user"}`}}
	case 2:
		return text, []columns{plain, plain}
	case 3:
		return text, []columns{plain, {kind: "text", text: "  ", metadata: meta("user", "", `{"type":"text","text":"  "}`)}}
	case 4:
		return "", []columns{{kind: "file", metadata: meta("user", "", `{"type":"image","data":"iVBO","mimeType":"image/png"}`)}, plain}
	case 5:
		return text, []columns{{kind: "agent", text: text, metadata: `{"originalRole":"user","source":"non-array-content","raw":{"text":` + quoted(text) + `,"nested":{"2":1,"1":[null,1e3]}}}`}}
	case 6:
		return text, []columns{{kind: "text", text: r.either(text, nil), metadata: r.either(nil, `{"raw":`)}}
	case 7:
		return text, []columns{{kind: "text", text: text, metadata: `{"originalRole":"bashExecution","source":"bash-exec","command":"ls"}`}}
	}
	return text, []columns{{kind: "text", text: text, metadata: `{"originalRole":"user"}`}}
}

// assistant returns a message of the assistant, with calls of tools or without.
func (r *randomConversation) assistant() (content string, parts []columns) {
	if r.IntN(12) == 0 {
		return r.one("", " \n", r.words()), nil
	}
	more := r.one("", `,"modelProvider":"p","modelApi":"a","modelId":"m"`, `,"modelProvider":"p","modelApi":"a","modelId":"m","responseModelId":"r"`) +
		r.one("", "", `,"topLevelReasoningField":"reasoning_content","topLevelReasoningContent":"why not"`)
	if r.IntN(2) == 0 {
		parts = append(parts, r.thought(more))
		more = ""
	}
	if r.IntN(2) == 0 {
		content = r.one(r.words(), "", "\n")
		parts = append(parts, columns{kind: "text", text: content, metadata: meta("assistant", more, `{"type":"text","text":`+quoted(content)+`}`)})
	}
	for range r.IntN(4) {
		parts = append(parts, r.asked())
	}
	if r.IntN(8) == 0 {
		parts = append(parts, r.thought(""))
	}
	if r.IntN(12) == 0 {
		parts = append(parts, columns{kind: "agent", metadata: meta("assistant", "", `{"type":"unknown_block","payload":{"a":1}}`)})
	}
	return content, parts
}

// thought returns thinking with each kind of signature.
func (r *randomConversation) thought(more string) columns {
	raw := r.one(
		`{"type":"thinking","thinking":"hm"}`,
		`{"type":"thinking","thinking":"hm","thinkingSignature":"sig-1"}`,
		`{"type":"thinking","thinking":"hm","thinkingSignature":"reasoning_content"}`,
		`{"type":"thinking","thinking":"hm","signature":"Er9"}`,
		`{"type":"thinking","thinking":"","thinkingSignature":"{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[]}"}`,
		`{"type":"thinking","thinking":"","thinkingSignature":"{\"id\":7,\"type\":\"reasoning\"}"}`,
		`{"type":"redacted_thinking","data":"EXG"}`,
		`{"type":"reasoning","id":"rs_2","summary":[{"type":"summary_text","text":"so"}]}`,
		"")
	return columns{kind: "reasoning", text: r.either("hm", nil), metadata: meta("assistant", more, raw)}
}

// asked returns a call of a tool in each form.
func (r *randomConversation) asked() columns {
	kind, id := r.one("toolCall", "toolUse", "tool_use", "tool-use", "functionCall", "function_call"), r.call()
	c := columns{kind: r.either("tool", "agent"), call: id, tool: r.one("exec", "read"), input: `{"path":"a<b"}`}
	c.metadata = meta("assistant", "", `{"type":"`+kind+`","id":"`+id+`","name":"exec"}`)
	switch r.IntN(8) {
	case 0:
		c.call = nil
	case 1:
		c.input = r.either(nil, "not JSON")
	case 2:
		c.input, c.tool = `"{\"a\":1}"`, nil
	}
	return c
}

// result returns what a tool answered, in each form.
func (r *randomConversation) result() (content string, parts []columns) {
	id, text := r.call(), r.words()
	names := `,"toolCallId":"` + id + `","toolName":"exec","isError":` + r.one("true", "false")
	raw := `{"type":"text","text":` + quoted(text) + `}`
	p := columns{kind: "text", text: text, call: id, tool: "exec", metadata: meta("toolResult", names, raw)}
	switch r.IntN(12) {
	case 0:
		return "", nil
	case 1:
		return text, []columns{{kind: "text", text: text, metadata: meta("toolResult", names, "")}}
	case 2:
		p.call, p.metadata = nil, meta("toolResult", `,"toolName":"exec"`, raw)
	case 3:
		return text, []columns{p, p}
	case 4:
		p.kind, p.text, p.metadata = "tool", nil, meta("toolResult", names, `{"type":"tool_result","tool_use_id":"x","content":[`+raw+`]}`)
	case 5:
		p.kind, p.text, p.output, p.metadata = "tool", nil, quoted(text), meta("toolResult", names, `{"type":"function_call_output","call_id":"x","output":"old"}`)
	case 6:
		p.kind, p.text = "tool", r.either(text, nil)
		p.metadata = meta("toolResult", names, `{"type":"tool_result","text":`+quoted(text)+`,"rawType":"text","tool_use_id":"x"}`)
	case 7:
		p.kind, p.text, p.metadata = "tool", r.either(nil, text), meta("toolResult", "", `{"type":"toolResult","is_error":true,"output":{"a":[1.50]}}`)
	case 8:
		return "", []columns{{kind: "text", text: "", call: id, metadata: meta("toolResult", names, `{"type":"text","text":""}`)}}
	}
	return text, []columns{p}
}

// hardContext returns a file whose first conversation is made up from a seed.
func hardContext(t *testing.T, seed uint64) *data.DB {
	t.Helper()
	r := &randomConversation{Rand: rand.New(rand.NewPCG(seed, 2)), folder: t.TempDir(), nobody: seed%6 == 0}
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Tx(func(h *fakehost.Writer) error { return r.write(h) })
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func (r *randomConversation) write(h *fakehost.Writer) error {
	conv, err := h.Conversation(fakehost.Conversation{Active: true})
	if err != nil {
		return err
	}
	file, err := h.File(fakehost.LargeFile{Conversation: conv, Folder: r.folder, Name: "out.txt", Exploration: r.one(" ", "Two columns.")}, make([]byte, 4567))
	var ids []int64
	for range 20 + r.IntN(60) {
		id, failed := r.message(h, conv, file)
		ids, err = append(ids, id), errors.Join(err, failed)
	}
	if err != nil || r.IntN(3) == 0 {
		return err
	}
	one, err1 := h.Leaf(conv, ids[:3], "first "+r.words(), fakehost.SummaryOptions{})
	two, err2 := h.Leaf(conv, ids[3:6], "<think>x</think> second "+r.words(), fakehost.SummaryOptions{})
	if r.IntN(2) == 0 {
		_, err = h.Condense(conv, []string{one, two}, "both "+r.words())
	}
	_, err3 := h.Leaf(conv, ids[6:8], "third "+r.words(), fakehost.SummaryOptions{})
	if r.IntN(2) == 0 {
		_, err4 := h.FocusBrief(fakehost.FocusBrief{Conversation: conv, Prompt: "p", Content: "the brief", Status: "active", CoveredSeq: int64(r.IntN(9))})
		err = errors.Join(err, err4)
	}
	return errors.Join(err, err1, err2, err3)
}

// message writes one message of any role, its parts just as they are.
func (r *randomConversation) message(h *fakehost.Writer, conv int64, file string) (int64, error) {
	role, m := "user", fakehost.Message{Parts: []fakehost.Part{}}
	var parts []columns
	switch n := r.IntN(20); {
	case n < 5 && r.nobody:
		role, m.Content = "system", "woken by a clock"
	case n < 5:
		m.Content, parts = r.user()
	case n < 12:
		role = "assistant"
		m.Content, parts = r.assistant()
	case n < 19:
		role = "tool"
		m.Content, parts = r.result()
		if r.IntN(4) == 0 {
			m.LargeContent = r.one(file, "file_0000000000000000")
		}
	default:
		role, m.Content = "system", "restarted"
	}
	m.Role = role
	id, err := h.Message(conv, m)
	for i, p := range parts {
		err = errors.Join(err, h.Exec(`INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, tool_call_id, tool_name, tool_input, tool_output, metadata)
			VALUES (?, ?, 's', ?, ?, ?, ?, ?, ?, ?, ?)`, fmt.Sprintf("p%d-%d", id, i), id, p.kind, i, p.text, p.call, p.tool, p.input, p.output, p.metadata))
	}
	if role == "user" && r.IntN(5) == 0 {
		err = errors.Join(err, h.Exec("UPDATE messages SET openclaw_sender_metadata = ? WHERE message_id = ?", r.one(`{"senderId":"1","senderName":"Zoë"}`, `"no object"`), id))
	}
	return id, err
}
