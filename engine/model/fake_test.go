package model_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// source is long enough that a repetition of it can't be chance.
var source = strings.Repeat("[2026-01-02 15:04 UTC | user]\nThe cat sat on the mat, and nobody knew why it was there.\n", 5)

const summary = "A cat sat on a mat."

var request = summarize.Request{
	System: "Be brief.", Prompt: "Summarize:\n" + source, Source: source, Previous: "Before that, a dog.",
	Kind: "leaf", Mode: summarize.Normal, Target: 300, MaxTokens: 2348,
}

// seen is a request that a vendor got.
type seen struct {
	path   string
	header http.Header
	body   map[string]any
}

// vendor plays a server of all wire formats. The name of the model says how it
// behaves.
type vendor struct {
	*httptest.Server
	mu   sync.Mutex
	got  []seen
	hung chan struct{} // Closed when a request hangs.
	gone chan struct{} // Closed when a hanging request was cancelled.
}

func newVendor(t *testing.T) *vendor {
	t.Helper()
	v := &vendor{hung: make(chan struct{}), gone: make(chan struct{})}
	v.Server = httptest.NewServer(http.HandlerFunc(v.serve))
	t.Cleanup(v.Close)
	return v
}

func (v *vendor) hits() []seen {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]seen{}, v.got...)
}

func (v *vendor) serve(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	s := seen{r.URL.Path, r.Header.Clone(), map[string]any{}}
	_ = json.Unmarshal(b, &s.body)
	v.mu.Lock()
	v.got = append(v.got, s)
	n := len(v.got)
	v.mu.Unlock()
	name, _ := s.body["model"].(string)
	switch name {
	case "hang":
		close(v.hung)
		<-r.Context().Done()
		close(v.gone)
		return
	case "drop":
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = c.Close()
		}
		return
	case "cut":
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "5000")
		fmt.Fprint(w, `{"id":"1","content":[{"type":"te`)
		return
	case "html":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html><title>Welcome to the hotel</title>Please log in.</html>")
		return
	case "words":
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "All is well.")
		return
	case "null":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, "null")
		return
	case "gateway":
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		fmt.Fprint(w, "<html><head><title>502 Bad Gateway</title></head></html>")
		return
	case "twice-busy":
		if n > 2 {
			name = "good"
			break
		}
		w.Header().Set("Retry-After", "600")
		name = "429"
	}
	if e, ok := faults[name]; ok {
		e.write(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	text, stop := summary, "good"
	switch name {
	case "echo":
		text = source
	case "marker":
		text = "The start of it all\n[Truncated from 5000 tokens]"
	case "blank":
		text = " \n"
	case "small": // It stops until it's given more room.
		if room, _ := s.body["max_tokens"].(float64); room < 4000 {
			stop = "max"
		}
	case "thinking":
		text = "<think>What could it be?</think>"
	case "thoughtful":
		text = "<think>What could it be?</think>\n\n" + summary
	case "max", "none", "refusal", "tool", "tool-word", "shout", "reasoning":
		stop = name
	}
	fmt.Fprint(w, reply(r.URL.Path, text, stop))
}

// fault is an error that a vendor reports.
type fault struct {
	status             int
	kind, code, saying string
}

var faults = map[string]fault{
	"429":     {429, "rate_limit_error", "rate_limit_exceeded", "slow down"},
	"quota":   {429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota"},
	"500":     {500, "api_error", "server_error", "oops"},
	"529":     {529, "overloaded_error", "overloaded", "Overloaded"},
	"200-529": {200, "overloaded_error", "overloaded", "Overloaded"},
	"401":     {401, "authentication_error", "invalid_api_key", "invalid key KEY"},
	"404":     {404, "not_found_error", "model_not_found", "model: 404 does not exist"},
	"long":    {400, "invalid_request_error", "", "prompt is too long: 250000 tokens > 200000 maximum"},
	"400":     {400, "invalid_request_error", "", "no such parameter"},
}

func (f fault) write(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key")
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.status)
	body, _ := json.Marshal(strings.ReplaceAll(f.saying, "KEY", key))
	if strings.HasSuffix(r.URL.Path, "/messages") {
		fmt.Fprintf(w, `{"type":"error","error":{"type":%q,"message":%s}}`, f.kind, body)
		return
	}
	fmt.Fprintf(w, `{"error":{"message":%s,"type":%q,"code":%q}}`, body, f.kind, f.code)
}

// reply is an answer in the format of the path.
func reply(path, text, stop string) string {
	t, _ := json.Marshal(text)
	switch {
	case strings.HasSuffix(path, "/messages"):
		why := map[string]string{"good": `"end_turn"`, "reasoning": `"end_turn"`, "max": `"max_tokens"`, "none": "null", "refusal": `"refusal"`, "tool": `"tool_use"`, "tool-word": `"tool_use"`, "shout": `"END_TURN"`}[stop]
		block := fmt.Sprintf(`{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":%s}`, t)
		switch stop {
		case "reasoning":
			block = `{"type":"thinking","thinking":"hm","signature":"s"}`
		case "tool":
			block += `,{"type":"tool_use","id":"t","name":"read","input":{}}`
		}
		return fmt.Sprintf(`{"id":"m","type":"message","role":"assistant","model":"x","content":[%s],"stop_reason":%s,"usage":{"input_tokens":1000,"output_tokens":100}}`, block, why)
	case strings.HasSuffix(path, "/responses"):
		status := map[string]string{
			"good": `"status":"completed","error":null`, "reasoning": `"status":"completed"`, "max": `"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}`,
			"none": `"error":null`, "refusal": `"status":"incomplete","incomplete_details":{"reason":"content_filter"}`, "tool": `"status":"completed"`, "tool-word": `"status":"completed"`, "shout": `"status":"Completed"`,
		}[stop]
		message := fmt.Sprintf(`,{"type":"message","content":[{"type":"output_text","text":%s}]}`, t)
		switch stop {
		case "reasoning":
			message = ""
		case "tool":
			message += `,{"type":"function_call","name":"read","arguments":"{}"}`
		}
		return fmt.Sprintf(`{"id":"r",%s,"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}%s],"usage":{"input_tokens":1000,"output_tokens":100}}`, status, message)
	}
	why := map[string]string{"good": `"stop"`, "reasoning": `"stop"`, "max": `"length"`, "none": "null", "refusal": `"content_filter"`, "tool": `"tool_calls"`, "tool-word": `"tool_calls"`, "shout": `"STOP"`}[stop]
	tools := ""
	if stop == "tool" {
		tools = `,"tool_calls":[{"id":"t","type":"function","function":{"name":"read","arguments":"{}"}}]`
	}
	if stop == "reasoning" {
		t = []byte("null")
	}
	return fmt.Sprintf(`{"id":"c","choices":[{"index":0,"message":{"role":"assistant","reasoning_content":"hm","content":%s%s},"finish_reason":%s}],"usage":{"prompt_tokens":1000,"completion_tokens":100}}`, t, tools, why)
}

// quick are retries that a test can wait for.
var quick = model.Retry{First: time.Millisecond, Most: 2 * time.Millisecond, Patience: 5 * time.Millisecond}

// env is an environment.
type env map[string]string

func (e env) get(name string) string { return e[name] }

func choose(t *testing.T, c model.Choice, e env, host model.HostConfig) summarize.Model {
	t.Helper()
	if c.Retry == (model.Retry{}) {
		c.Retry = quick
	}
	m, err := model.Choose(c, e.get, host)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
