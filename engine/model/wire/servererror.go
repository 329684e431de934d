package wire

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/internal/lazyregexp"
)

// serverError is the error in the body of an answer, in the form of any vendor.
type serverError struct{ kind, code, message string }

// readServerError finds the error in a body, if there is one.
func readServerError(body []byte) (c serverError, ok bool) {
	var doc struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &doc) != nil {
		return c, false
	}
	var inner struct {
		Type    string          `json:"type"`
		Status  string          `json:"status"`
		Code    json.RawMessage `json:"code"` // A word, a number or null.
		Message string          `json:"message"`
	}
	switch {
	case json.Unmarshal(doc.Error, &inner) == nil && string(doc.Error) != "null":
		code := strings.Trim(string(inner.Code), `"`)
		return serverError{strings.ToLower(inner.Type + inner.Status), strings.ToLower(code), inner.Message}, true
	case json.Unmarshal(doc.Error, &c.message) == nil && c.message != "":
		return c, true
	case len(doc.Detail) > 0 && string(doc.Detail) != "null":
		return serverError{message: strings.Trim(string(doc.Detail), `"`)}, true
	}
	return serverError{message: doc.Message}, doc.Message != ""
}

// errorKinds are the kinds of types and codes that count more than the status. A stream or a
// gateway reports an overload with status 200.
var errorKinds = map[string]model.Kind{
	"authentication_error": model.KindAuth, "permission_error": model.KindAuth, "invalid_api_key": model.KindAuth, "unauthenticated": model.KindAuth,
	"insufficient_quota": model.KindQuota, "billing_error": model.KindQuota, "billing_hard_limit_reached": model.KindQuota,
	"rate_limit_error": model.KindRate, "rate_limit_exceeded": model.KindRate, "resource_exhausted": model.KindRate,
	"overloaded_error": model.KindOverloaded, "overloaded": model.KindOverloaded, "server_is_overloaded": model.KindOverloaded,
	"slow_down": model.KindOverloaded, "unavailable": model.KindOverloaded, "engine_overloaded": model.KindOverloaded,
	"context_length_exceeded": model.KindContextLength, "request_too_large": model.KindContextLength,
	"model_not_found": model.KindUnknownModel, "not_found_error": model.KindUnknownModel,
	"timeout_error": model.KindServer, "server_error": model.KindServer,
	"content_filter": model.KindRefused, "content_policy_violation": model.KindRefused,
}

var tooLong = lazyregexp.New(`(?i)prompt is too long|maximum context length|context (?:window|length|size)|too many (?:input )?tokens|exceeds? the (?:model's )?(?:available )?context`)

var namesModel = lazyregexp.New(`(?i)\bmodels?\b`)

// of returns the kind of an error: by its code and type, else by the status, else by its message.
func (c serverError) of(status int) model.Kind {
	for _, word := range []string{c.code, c.kind} {
		if k, ok := errorKinds[word]; ok {
			return k
		}
	}
	if n, err := strconv.Atoi(c.code); err == nil && status < 300 { // A gateway gives the status of the server behind it.
		status = n
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return model.KindAuth
	case status == http.StatusPaymentRequired:
		return model.KindQuota
	case status == http.StatusTooManyRequests:
		return model.KindRate
	case status == http.StatusServiceUnavailable, status == 529, status == http.StatusConflict:
		return model.KindOverloaded
	case status == http.StatusRequestTimeout, status >= 500, status < 400 && c.kind == "api_error":
		return model.KindServer
	case status == http.StatusRequestEntityTooLarge, tooLong.MatchString(c.message):
		return model.KindContextLength
	case status == http.StatusNotFound && namesModel.MatchString(c.message):
		return model.KindUnknownModel
	}
	return model.KindBadRequest
}

// failure returns the error in an answer.
func (c *httpClient) failure(resp *http.Response, body []byte) *model.Error {
	found, ok := readServerError(body)
	if !ok || found.message == "" {
		found.message = pageText(resp, body)
	}
	e := &model.Error{
		Kind: found.of(resp.StatusCode), Provider: c.server.Provider, Status: resp.StatusCode,
		Message: c.shorten(found.message), RetryAfter: retryAfter(resp.Header, time.Now()),
	}
	if resp.StatusCode < 300 {
		e.Status = 0
	}
	if e.Kind == model.KindAuth && !c.server.Key.Set() {
		e.Keyless = true
		e.Next = "give a key for this address with --key-env NAME, or as LCM_TUI_SUMMARY_API_KEY"
		if c.server.Withheld != "" {
			e.Next += ";\n" + c.server.Withheld
		}
	}
	if resp.StatusCode == http.StatusNotFound && e.Kind == model.KindBadRequest {
		e.Next = "check the base URL and --api: there is no such path: " + where(resp.Request)
	}
	return e
}

var title = lazyregexp.New(`(?is)<title[^>]*>(.*?)</title>`)

// pageText returns the message in a body that isn't JSON, such as a gateway's page; empty where neither it nor the status says
// what is wrong.
func pageText(resp *http.Response, body []byte) string {
	body = body[:min(len(body), mostError)]
	if m := title.FindSubmatch(body); m != nil {
		return string(m[1])
	}
	if t := strings.TrimSpace(string(body)); t != "" && !strings.HasPrefix(t, "<") {
		return t
	}
	if resp.StatusCode < 300 {
		return ""
	}
	return http.StatusText(resp.StatusCode)
}

// retryAfter returns how long the server asks to wait: its header has milliseconds, seconds or a
// date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(min(ms, 1e9) * float64(time.Millisecond))
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
