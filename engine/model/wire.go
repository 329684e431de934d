package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
)

// wire is the one way to a vendor: it checks every answer the same way, whoever
// asked. It has the method that the SDKs want of a client.
type wire struct {
	http     *http.Client
	provider string
	key      Secret
}

func newWire(provider string, key Secret) *wire {
	return &wire{
		provider: provider, key: key,
		http: &http.Client{
			// A redirect is never followed: it would carry the key and the conversation
			// to wherever it points.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// most is how much of an answer is read. A summary is far smaller.
const most = 16 << 20

// Do sends a request. The answer is whole, JSON, and not an error.
func (w *wire) Do(req *http.Request) (*http.Response, error) {
	resp, err := w.http.Do(req)
	if err != nil {
		return nil, w.broken(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return nil, w.broken(err)
	case len(body) > most:
		return nil, w.malformed(fmt.Sprintf("it is longer than %d MB", most>>20))
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return nil, w.redirected(resp)
	case resp.StatusCode >= 400:
		return nil, w.failure(resp, body)
	}
	if err := w.check(resp, body); err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.Header.Set("Content-Type", "application/json")
	return resp, nil
}

// check wants one JSON object that isn't an error. Servers that don't name the
// type of what they send are let pass.
func (w *wire) check(resp *http.Response, body []byte) error {
	name, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	var object struct {
		Error json.RawMessage `json:"error"`
	}
	switch {
	case name == "text/html", name == "text/event-stream":
		return w.malformed(fmt.Sprintf("it is %s, not JSON: %s", name, brief(page(resp, body))))
	case json.Unmarshal(body, &object) != nil:
		return w.malformed("it is not JSON: " + brief(page(resp, body)))
	case len(object.Error) > 0 && string(object.Error) != "null":
		return w.failure(resp, body)
	}
	return nil
}

func (w *wire) malformed(message string) *Error {
	return &Error{Kind: KindMalformed, Provider: w.provider, Message: w.key.scrub(message)}
}

// broken is the error of a request that got no whole answer. That of a context
// which is done stays what it is.
func (w *wire) broken(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	message := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the answer broke off"
	}
	return &Error{Kind: KindNetwork, Provider: w.provider, Message: w.key.scrub(brief(message)), cause: err}
}

func (w *wire) redirected(resp *http.Response) *Error {
	to := "elsewhere"
	if u, err := resp.Location(); err == nil {
		to = u.Scheme + "://" + u.Host
	}
	return &Error{
		Kind: KindBadRequest, Provider: w.provider, Status: resp.StatusCode,
		Message: "it redirects to " + to + ", which was not followed",
		hint:    "if that is the vendor's own address, give it as the base URL",
	}
}

// where is the address of a request, without what may be secret in it.
func where(r *http.Request) string { return r.URL.Scheme + "://" + r.URL.Host + r.URL.Path }

// post sends JSON with a bearer's key and decodes the answer.
func (w *wire) post(ctx context.Context, url string, body, into any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, &b)
	if err != nil {
		return fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if w.key.Set() {
		req.Header.Set("Authorization", "Bearer "+w.key.reveal())
	}
	resp, err := w.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		return w.malformed(brief(err.Error()))
	}
	return nil
}
