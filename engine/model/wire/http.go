package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"lcm-tui/engine/model"
)

// httpClient is the one way to a vendor: it checks every answer the same way, whoever asked.
type httpClient struct {
	http   *http.Client
	server Server
}

func newHTTPClient(s Server) *httpClient {
	if s.Transport == nil {
		s.Transport = transport(s.Key)
	}
	return &httpClient{server: s, http: &http.Client{
		Transport: s.Transport,
		// A redirect is never followed: it would carry the key and the conversation
		// to wherever it points.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// transport returns the standard one with small headers. A key that goes to a server nearby
// without encryption goes there directly and not through a proxy, which could read it.
func transport(key model.Secret) http.RoundTripper {
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

// mostError is how much of an error is read, in bytes: its beginning says what it is.
const mostError = 64 << 10

// do sends a request and gives the body of the answer, which is whole, JSON, and not an error.
func (c *httpClient) do(req *http.Request) ([]byte, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.broken(err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return nil, c.redirected(resp)
	case resp.StatusCode >= 400:
		return nil, c.failed(resp)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, model.MostAnswer+1))
	body = c.server.Key.ScrubBytes(body)
	switch {
	case err != nil:
		return nil, c.broken(err)
	case len(body) > model.MostAnswer:
		return nil, c.malformed(fmt.Sprintf("it is longer than %d MB", model.MostAnswer>>20))
	}
	return body, c.check(resp, body)
}

// failed returns the error of an answer whose status is one. What can't be read of it, or is
// too much, doesn't matter: the status says enough.
func (c *httpClient) failed(resp *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostError))
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return c.failure(resp, c.server.Key.ScrubBytes(body))
}

// check wants one JSON object that isn't an error. Servers that don't name the
// type of what they send are let pass.
func (c *httpClient) check(resp *http.Response, body []byte) error {
	name, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	var object *struct {
		Error json.RawMessage `json:"error"`
	}
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return c.malformed("it is empty")
	case name == "text/html", name == "text/event-stream":
		return c.malformed(strings.TrimSuffix(fmt.Sprintf("it is %s, not JSON: %s", name, pageText(resp, body)), ": "))
	case json.Unmarshal(body, &object) != nil:
		return c.malformed(strings.TrimSuffix("it is not JSON: "+pageText(resp, body), ": "))
	case object == nil: // null, which the vendors' libraries take for an answer that isn't there.
		return c.malformed("it is null")
	case len(object.Error) > 0 && string(object.Error) != "null":
		return c.failure(resp, body)
	}
	return nil
}

func (c *httpClient) malformed(message string) *model.Error {
	return &model.Error{Kind: model.KindMalformed, Provider: c.server.Provider, Message: c.shorten(message)}
}

// shorten returns a text of others on one line that can be read, without the key.
func (c *httpClient) shorten(s string) string { return model.Shorten(c.server.Key.Scrub(s)) }

// broken returns the error of a request that got no whole answer. That of a context
// which is done stays what it is.
func (c *httpClient) broken(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	message := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the answer broke off"
	}
	var certificate *tls.CertificateVerificationError
	untrusted := errors.As(err, &certificate) || errors.Is(err, http.ErrSchemeMismatch)
	return &model.Error{Kind: model.KindNetwork, Provider: c.server.Provider, Message: c.shorten(message), Untrusted: untrusted, Cause: err}
}

func (c *httpClient) redirected(resp *http.Response) *model.Error {
	to := "elsewhere"
	if u, err := resp.Location(); err == nil {
		to = u.Scheme + "://" + u.Host
	}
	return &model.Error{
		Kind: model.KindBadRequest, Provider: c.server.Provider, Status: resp.StatusCode,
		Message: "it redirects to " + c.shorten(to) + ", which was not followed",
		Next:    "if that is the vendor's own address, give it as the base URL",
	}
}

// where returns the address of a request, without what may be secret in it.
func where(r *http.Request) string { return r.URL.Scheme + "://" + r.URL.Host + r.URL.Path }

// post sends JSON with a bearer's key and decodes the answer.
func (c *httpClient) post(ctx context.Context, url string, body, into any) error {
	return c.postWith(ctx, url, bearer(c.server.Key), body, into)
}

// bearer returns the header of a bearer's key; empty without a key.
func bearer(key model.Secret) http.Header {
	if !key.Set() {
		return http.Header{}
	}
	return http.Header{"Authorization": {"Bearer " + key.Reveal()}}
}

// postWith sends JSON with these headers as well and decodes the answer.
func (c *httpClient) postWith(ctx context.Context, url string, header http.Header, body, into any) error {
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
	got, err := c.do(req)
	if err != nil {
		return err
	}
	err = json.Unmarshal(got, into)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return c.malformed(fmt.Sprintf("its %q is a value of JSON that doesn't belong there: %s", wrong.Field, wrong.Value))
	}
	if err != nil {
		return c.malformed(err.Error())
	}
	return nil
}
