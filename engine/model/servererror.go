package model

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
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
var errorKinds = map[string]Kind{
	"authentication_error": KindAuth, "permission_error": KindAuth, "invalid_api_key": KindAuth, "unauthenticated": KindAuth,
	"insufficient_quota": KindQuota, "billing_error": KindQuota, "billing_hard_limit_reached": KindQuota,
	"rate_limit_error": KindRate, "rate_limit_exceeded": KindRate, "resource_exhausted": KindRate,
	"overloaded_error": KindOverloaded, "overloaded": KindOverloaded, "server_is_overloaded": KindOverloaded,
	"slow_down": KindOverloaded, "unavailable": KindOverloaded, "engine_overloaded": KindOverloaded,
	"context_length_exceeded": KindContextLength, "request_too_large": KindContextLength,
	"model_not_found": KindUnknownModel, "not_found_error": KindUnknownModel,
	"timeout_error": KindServer, "server_error": KindServer,
	"content_filter": KindRefused, "content_policy_violation": KindRefused,
}

var tooLong = regexp.MustCompile(`(?i)prompt is too long|maximum context length|context (?:window|length|size)|too many (?:input )?tokens|exceeds? the (?:model's )?(?:available )?context`)

var namesModel = regexp.MustCompile(`(?i)\bmodels?\b`)

// of is the kind of an error: by its code and type, else by the status, else by its message.
func (c serverError) of(status int) Kind {
	for _, word := range []string{c.code, c.kind} {
		if k, ok := errorKinds[word]; ok {
			return k
		}
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return KindAuth
	case status == http.StatusPaymentRequired:
		return KindQuota
	case status == http.StatusTooManyRequests:
		return KindRate
	case status == http.StatusServiceUnavailable, status == 529, status == http.StatusConflict:
		return KindOverloaded
	case status == http.StatusRequestTimeout, status >= 500, status < 400 && c.kind == "api_error":
		return KindServer
	case status == http.StatusRequestEntityTooLarge, tooLong.MatchString(c.message):
		return KindContextLength
	case status == http.StatusNotFound && namesModel.MatchString(c.message):
		return KindUnknownModel
	}
	return KindBadRequest
}

// failure is the error in an answer.
func (w *httpClient) failure(resp *http.Response, body []byte) *Error {
	c, ok := readServerError(body)
	if !ok || c.message == "" {
		c.message = pageText(resp, body)
	}
	e := &Error{
		Kind: c.of(resp.StatusCode), Provider: w.provider, Status: resp.StatusCode,
		Message: w.shorten(c.message), RetryAfter: retryAfter(resp.Header, time.Now()),
	}
	if resp.StatusCode < 300 {
		e.Status = 0
	}
	if e.Kind == KindAuth && !w.key.Set() {
		e.keyless = true
		e.hint = "give a key for this address with --key-env NAME, or as LCM_TUI_SUMMARY_API_KEY"
		if w.withheld != "" {
			e.hint += ";\n" + w.withheld
		}
	}
	if resp.StatusCode == http.StatusNotFound && e.Kind == KindBadRequest {
		e.hint = "check the base URL and --api: there is no such path: " + where(resp.Request)
	}
	return e
}

var title = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// beginning is the beginning of a server's text.
func beginning(s string) string {
	const enough = 4096
	return strings.ToValidUTF8(s[:min(len(s), enough)], "\ufffd")
}

// pageText is the message in a body that isn't JSON, such as a gateway's page.
func pageText(resp *http.Response, body []byte) string {
	body = body[:min(len(body), mostError)]
	if m := title.FindSubmatch(body); m != nil {
		return string(m[1])
	}
	if t := strings.TrimSpace(string(body)); t != "" && !strings.HasPrefix(t, "<") {
		return t
	}
	return http.StatusText(resp.StatusCode)
}

// shorten is a server's or a program's text on one line, at most 400 bytes.
func shorten(s string) string {
	const most = 400
	s = strings.Join(strings.Fields(beginning(s)), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// retryAfter is how long the server asks to wait: its header has milliseconds, seconds or a
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
