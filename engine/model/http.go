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
	"net/url"
)

// httpClient is the one way to a vendor: it checks every answer the same way, whoever
// asked. It has the method that the SDKs want of a client.
type httpClient struct {
	http     *http.Client
	provider string
	key      Secret
	withheld string // Why a key that is there isn't sent, or empty.
}

func newHTTPClient(r Resolved) *httpClient {
	w := &httpClient{provider: r.Provider, key: r.Key}
	if r.Withheld != "" {
		w.withheld = r.withheld()
	}
	w.http = &http.Client{
		Transport: transport(w.key),
		// A redirect is never followed: it would carry the key and the conversation
		// to wherever it points.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return w
}

// transport is the standard one with small headers. A key that goes to a server nearby
// without encryption goes there directly and not through a proxy, which could read it.
func transport(key Secret) http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.MaxResponseHeaderBytes = 256 << 10
	t.Proxy = func(r *http.Request) (*url.URL, error) {
		if key.Set() && r.URL.Scheme == "http" {
			return nil, nil
		}
		return http.ProxyFromEnvironment(r)
	}
	return t
}

// How much of an answer is read, in bytes: a summary is far smaller, and of an error
// the beginning says what it is.
const (
	mostAnswer = 4 << 20
	mostError  = 64 << 10
)

// Do sends a request. The answer is whole, JSON, and not an error.
func (w *httpClient) Do(req *http.Request) (*http.Response, error) {
	resp, err := w.http.Do(req)
	if err != nil {
		return nil, w.broken(err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return nil, w.redirected(resp)
	case resp.StatusCode >= 400:
		return nil, w.failed(resp)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer+1))
	body = w.key.scrubBytes(body)
	switch {
	case err != nil:
		return nil, w.broken(err)
	case len(body) > mostAnswer:
		return nil, w.malformed(fmt.Sprintf("it is longer than %d MB", mostAnswer>>20))
	}
	if err := w.check(resp, body); err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.Header.Set("Content-Type", "application/json")
	return resp, nil
}

// failed is the error of an answer whose status is one. What can't be read of it, or is
// too much, doesn't matter: the status says enough.
func (w *httpClient) failed(resp *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostError))
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return w.failure(resp, w.key.scrubBytes(body))
}

// check wants one JSON object that isn't an error. Servers that don't name the
// type of what they send are let pass.
func (w *httpClient) check(resp *http.Response, body []byte) error {
	name, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	var object *struct {
		Error json.RawMessage `json:"error"`
	}
	switch {
	case name == "text/html", name == "text/event-stream":
		return w.malformed(fmt.Sprintf("it is %s, not JSON: %s", name, pageText(resp, body)))
	case json.Unmarshal(body, &object) != nil:
		return w.malformed("it is not JSON: " + pageText(resp, body))
	case object == nil: // null, which the vendors' libraries take for an answer that isn't there.
		return w.malformed("it is null")
	case len(object.Error) > 0 && string(object.Error) != "null":
		return w.failure(resp, body)
	}
	return nil
}

func (w *httpClient) malformed(message string) *Error {
	return &Error{Kind: KindMalformed, Provider: w.provider, Message: w.shorten(message)}
}

// shorten is a text of others on one line that can be read, without the key.
func (w *httpClient) shorten(s string) string { return shorten(w.key.scrub(s)) }

// broken is the error of a request that got no whole answer. That of a context
// which is done stays what it is.
func (w *httpClient) broken(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	message := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the answer broke off"
	}
	return &Error{Kind: KindNetwork, Provider: w.provider, Message: w.shorten(message), cause: err}
}

func (w *httpClient) redirected(resp *http.Response) *Error {
	to := "elsewhere"
	if u, err := resp.Location(); err == nil {
		to = u.Scheme + "://" + u.Host
	}
	return &Error{
		Kind: KindBadRequest, Provider: w.provider, Status: resp.StatusCode,
		Message: "it redirects to " + w.shorten(to) + ", which was not followed",
		hint:    "if that is the vendor's own address, give it as the base URL",
	}
}

// where is the address of a request, without what may be secret in it.
func where(r *http.Request) string { return r.URL.Scheme + "://" + r.URL.Host + r.URL.Path }

// post sends JSON with a bearer's key and decodes the answer.
func (w *httpClient) post(ctx context.Context, url string, body, into any) error {
	return w.postWith(ctx, url, w.bearer(), body, into)
}

// bearer is the header of a bearer's key; empty without a key.
func (w *httpClient) bearer() http.Header {
	if !w.key.Set() {
		return http.Header{}
	}
	return http.Header{"Authorization": {"Bearer " + w.key.reveal()}}
}

// postWith sends JSON with these headers as well and decodes the answer.
func (w *httpClient) postWith(ctx context.Context, url string, header http.Header, body, into any) error {
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
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	resp, err := w.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		return w.malformed(err.Error())
	}
	return nil
}
