package fakevendor

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

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

// pages are bodies that no vendor means as an answer.
var pages = map[string]struct {
	status     int
	kind, text string
}{
	"html":       {200, "text/html", "<html><title>Welcome to the hotel</title>Please log in.</html>"},
	"page":       {200, "text/html", "<html></html>"},
	"words":      {200, "text/plain", "All is well."},
	"null":       {200, "application/json", "null"},
	"nothing":    {200, "application/json", ""},
	"odd":        {200, "application/json", `{"usage":"none"}`},
	"passed-503": {200, "application/json", `{"error":{"code":503,"message":"no instance is free"}}`}, // Behind the head of an answer, as a gateway passes it on.
	"gateway":    {502, "text/html", "<html><head><title>502 Bad Gateway</title></head></html>"},
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

// reply returns an answer in the format of the path.
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
