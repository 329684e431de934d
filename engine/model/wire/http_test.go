package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/retry"
	"lcm-tui/engine/model/wire"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakevendor"
	"lcm-tui/internal/testlength"
)

// formats are the ways to ask over HTTP.
var formats = []struct {
	provider string
	api      wire.API
	path     string
}{
	{"anthropic", wire.Messages, "/v1/messages"},
	{"openai", wire.Responses, "/v1/responses"},
	{"openai", wire.Chat, "/v1/chat/completions"},
}

const keyText = "very-secret-key-0123456789"

var secret = model.NewSecret(keyText)

// quick are retries that a test can wait for.
var quick = retry.Policy{First: time.Millisecond, Most: 2 * time.Millisecond, Patience: 5 * time.Millisecond}

// options returns those of a server.
func options(s wire.Server) retry.Options {
	return retry.Options{
		Name: s.Provider + "/" + s.Model, Provider: s.Provider, Key: s.Key, Policy: quick, Identity: func() string { return s.BaseURL },
		Price: func(int64, int64) (float64, bool) { return 0, false },
	}
}

// ask asks a server for a summary.
func ask(ctx context.Context, s wire.Server) (summarize.Reply, error) {
	return retry.Summaries(wire.New(s), options(s)).Summarize(ctx, fakevendor.Request)
}

// eachFormat runs a test with a fresh vendor for each format.
func eachFormat(t *testing.T, run func(t *testing.T, v *fakevendor.Vendor, ask func(name string) (summarize.Reply, error))) {
	t.Helper()
	for _, f := range formats {
		t.Run(string(f.api), func(t *testing.T) {
			t.Parallel()
			v := fakevendor.New(t)
			run(t, v, func(name string) (summarize.Reply, error) {
				return ask(t.Context(), wire.Server{Provider: f.provider, API: f.api, Model: name, BaseURL: v.URL, Key: secret})
			})
		})
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		v := fakevendor.New(t)
		s := wire.Server{Provider: f.provider, API: f.api, Model: "good", BaseURL: v.URL, Key: secret}
		o := options(s)
		o.Price = func(in, out int64) (float64, bool) { return float64(in+10*out) / 1e6, true }
		m := retry.Summaries(wire.New(s), o)
		got, err := m.Summarize(t.Context(), fakevendor.Request)
		if err != nil {
			t.Fatal(err)
		}
		want := summarize.Reply{Text: fakevendor.Summary, Model: f.provider + "/good", InputTokens: 1000, OutputTokens: 100, Cost: 0.002, Priced: true}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(f.api, diff)
		}
		hit := v.Hits()[0]
		if hit.Path != f.path {
			t.Errorf("path %s, want %s", hit.Path, f.path)
		}
		sent := hit.Header.Get("X-Api-Key") + strings.TrimPrefix(hit.Header.Get("Authorization"), "Bearer ")
		if sent != keyText {
			t.Errorf("%s: key %q", f.api, sent)
		}
		if diff := cmp.Diff(bodies[f.api], hit.Body); diff != "" {
			t.Error(f.api, diff)
		}
	}
}

// bodies are the requests in each format.
var bodies = map[wire.API]map[string]any{
	wire.Messages: {
		"model": "good", "max_tokens": 2348.0,
		"system":   []any{map[string]any{"type": "text", "text": fakevendor.Request.System}},
		"messages": []any{map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": fakevendor.Request.Prompt}}}},
	},
	wire.Responses: {
		"model": "good", "max_output_tokens": 2348.0, "store": false, "instructions": fakevendor.Request.System,
		"input": []any{map[string]any{"role": "user", "content": []any{map[string]any{"type": "input_text", "text": fakevendor.Request.Prompt}}}},
	},
	wire.Chat: {
		"model": "good", "max_tokens": 2348.0, "stream": false,
		"messages": []any{
			map[string]any{"role": "system", "content": fakevendor.Request.System},
			map[string]any{"role": "user", "content": fakevendor.Request.Prompt},
		},
	},
}

// TestASourceRepeated: an answer that repeats its source is one. Whoever asked compares the sizes.
func TestASourceRepeated(t *testing.T) {
	t.Parallel()
	eachFormat(t, func(t *testing.T, v *fakevendor.Vendor, ask func(string) (summarize.Reply, error)) {
		got, err := ask("echo")
		if err != nil || got.Text != strings.TrimSpace(fakevendor.Source) || len(v.Hits()) != 1 {
			t.Errorf("%v: %q", err, got.Text)
		}
	})
}

// TestFailures: what isn't a summary is a failure, of a kind that says which, and
// is asked for again only where that may help.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model string
		kind  model.Kind
		hits  int
		words string
	}{
		{"429", model.KindRate, 4, "slow down"},
		{"quota", model.KindQuota, 1, "exceeded your current quota"},
		{"500", model.KindServer, 4, "oops"},
		{"529", model.KindOverloaded, 4, "Overloaded"},
		{"200-529", model.KindOverloaded, 4, "Overloaded"},
		{"401", model.KindAuth, 1, "invalid key [key]"},
		{"404", model.KindUnknownModel, 1, "model: 404 does not exist"},
		{"long", model.KindContextLength, 1, "prompt is too long"},
		{"400", model.KindBadRequest, 1, "no such parameter"},
		{"drop", model.KindNetwork, 4, ""},
		{"cut", model.KindNetwork, 4, "broke off"},
		{"html", model.KindMalformed, 1, "Welcome to the hotel"},
		{"words", model.KindMalformed, 1, "All is well"},
		{"null", model.KindMalformed, 1, "it is null"},
		{"nothing", model.KindMalformed, 1, "it is empty"},
		{"page", model.KindMalformed, 1, "it is text/html, not JSON"},
		{"odd", model.KindMalformed, 1, `its "usage" is a value of JSON that doesn't belong there: string`},
		{"passed-503", model.KindOverloaded, 4, "no instance is free"},
		{"gateway", model.KindServer, 4, "502 Bad Gateway"},
		{"marker", model.KindMarked, 1, ""},
		{"blank", model.KindEmpty, 1, ""},
		{"thinking", model.KindEmpty, 1, "only reasoning"},
		{"reasoning", model.KindEmpty, 1, ""},
		{"max", model.KindTruncated, 1, ""},
		{"none", model.KindTruncated, 1, "doesn't say why"},
		{"tool", model.KindTruncated, 1, "calls a tool"},
		{"refusal", model.KindRefused, 1, ""},
	} {
		t.Run(c.model, func(t *testing.T) {
			t.Parallel()
			eachFormat(t, func(t *testing.T, v *fakevendor.Vendor, ask func(string) (summarize.Reply, error)) {
				got, err := ask(c.model)
				var e *model.Error
				if !errors.As(err, &e) || e.Kind != c.kind {
					t.Fatalf("got %v, want kind %s", err, c.kind)
				}
				if n := len(v.Hits()); n != c.hits || max(got.Calls, 1) != n {
					t.Errorf("asked %d times, want %d, and it says %d", n, c.hits, got.Calls)
				}
				if !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), keyText) || strings.HasSuffix(err.Error(), ": OK") || strings.Contains(err.Error(), "Go struct") {
					t.Errorf("it says %q", err)
				}
				if c.kind != model.KindBadRequest && e.Hint() == "" {
					t.Error("no hint")
				}
				if errors.Is(err, summarize.ErrAuth) != (c.kind == model.KindAuth) {
					t.Error("wrong about the key")
				}
				if got.Text != "" && c.kind != model.KindTruncated && c.kind != model.KindRefused {
					t.Errorf("text %q", got.Text)
				}
			})
		})
	}
}

// TestAnUntrustedServerIsAskedOnce: a certificate that isn't trusted, and a server without TLS, are the same at the next call.
func TestAnUntrustedServerIsAskedOnce(t *testing.T) {
	t.Parallel()
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	for name, address := range map[string]string{
		"certificate": untrusted.URL,
		"no TLS":      strings.Replace(fakevendor.New(t).URL, "http:", "https:", 1),
	} {
		for _, f := range formats {
			got, err := ask(t.Context(), wire.Server{Provider: f.provider, API: f.api, Model: "good", BaseURL: address, Key: secret})
			var e *model.Error
			if !errors.As(err, &e) || e.Kind != model.KindNetwork || !errors.Is(err, summarize.ErrPermanent) {
				t.Errorf("%s, %s: %v", name, f.api, err)
			}
			if got.Calls > 1 {
				t.Errorf("%s, %s: asked %d times", name, f.api, got.Calls)
			}
		}
	}
}

// TestCost: an answer that is refused was paid for nevertheless.
func TestCost(t *testing.T) {
	t.Parallel()
	eachFormat(t, func(t *testing.T, _ *fakevendor.Vendor, ask func(string) (summarize.Reply, error)) {
		got, err := ask("max")
		if !errors.Is(err, summarize.ErrIncomplete) || got.InputTokens != 1000 || got.OutputTokens != 100 || got.Priced {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestRetryAfterIsHonouredAndCapped(t *testing.T) {
	t.Parallel()
	eachFormat(t, func(t *testing.T, v *fakevendor.Vendor, ask func(string) (summarize.Reply, error)) {
		began := time.Now()
		got, err := ask("twice-busy")
		if err != nil || got.Text != fakevendor.Summary || len(v.Hits()) != 3 {
			t.Errorf("%v, %q after %d calls", err, got.Text, len(v.Hits()))
		}
		if d := time.Since(began); d < 2*quick.Patience || d > 10*time.Second {
			t.Errorf("it waited %v", d)
		}
	})
}

func TestThoughtsAreLeftOut(t *testing.T) {
	t.Parallel()
	eachFormat(t, func(t *testing.T, _ *fakevendor.Vendor, ask func(string) (summarize.Reply, error)) {
		if got, err := ask("thoughtful"); err != nil || got.Text != fakevendor.Summary {
			t.Errorf("%v, %q", err, got.Text)
		}
	})
}

// TestAReasonOfAToolWithoutACallIsAnEnd: no tool is offered, so a server that gives such
// a reason beside a text alone has given the whole text. Nor does it matter how a reason
// is written.
func TestAReasonOfAToolWithoutACallIsAnEnd(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tool-word", "shout"} {
		eachFormat(t, func(t *testing.T, _ *fakevendor.Vendor, ask func(string) (summarize.Reply, error)) {
			if got, err := ask(name); err != nil || got.Text != fakevendor.Summary {
				t.Errorf("%s: %v, %q", name, err, got.Text)
			}
		})
	}
}

// TestAnEndlessAnswerIsCutOff: of an answer, an error or a redirect only so much is read,
// and what fails in this way is what its status says.
func TestAnEndlessAnswerIsCutOff(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const whole = 256 << 20
	for _, f := range formats {
		for status, kind := range map[int]model.Kind{
			200: model.KindMalformed, 302: model.KindBadRequest, 400: model.KindBadRequest, 401: model.KindAuth, 429: model.KindRate, 500: model.KindServer,
		} {
			for _, begin := range []string{`{"error":{"message":"`, "<html><title>", " ", "\n\n"} {
				t.Run(fmt.Sprint(f.api, status, begin), func(t *testing.T) {
					t.Parallel()
					written := make(chan int, 1)
					server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						_, _ = io.Copy(io.Discard, r.Body)
						w.Header().Set("Location", "/elsewhere")
						w.Header().Set("Content-Type", "application/json")
						w.WriteHeader(status)
						_, _ = io.WriteString(w, begin)
						n, chunk := 0, []byte(strings.Repeat("so on ", 10_000))
						for n < whole {
							if _, err := w.Write(chunk); err != nil {
								break
							}
							n += len(chunk)
						}
						written <- n
					}))
					defer server.Close()
					s := wire.Server{Provider: f.provider, API: f.api, Model: "m", BaseURL: server.URL, Key: secret}
					got, err := wire.New(s).Summarize(t.Context(), fakevendor.Request)
					var e *model.Error
					if !errors.As(err, &e) || e.Kind != kind || got.Text != "" || len(err.Error()) > 1000 {
						t.Errorf("%.300v", err)
					}
					if n := <-written; n > whole/4 {
						t.Errorf("%d MB were taken", n>>20)
					}
				})
			}
		}
	}
}

func TestCancelEndsTheRequest(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		v := fakevendor.New(t)
		s := wire.Server{Provider: f.provider, API: f.api, Model: "hang", BaseURL: v.URL, Key: secret}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-v.Hung
			cancel()
		}()
		if _, err := ask(ctx, s); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", f.api, err)
		}
		<-v.Gone // Or the test's deadline says that the request went on.
	}
}

// TestRedirects: neither the key nor the conversation goes where the vendor
// didn't get it from us.
func TestRedirects(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		thief := fakevendor.New(t)
		vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, thief.URL+r.URL.Path, http.StatusTemporaryRedirect)
		}))
		t.Cleanup(vendor.Close)
		_, err := ask(t.Context(), wire.Server{Provider: f.provider, API: f.api, Model: "good", BaseURL: vendor.URL, Key: secret})
		var e *model.Error
		if !errors.As(err, &e) || e.Kind != model.KindBadRequest || !strings.Contains(err.Error(), "redirects to "+thief.URL) {
			t.Error(f.api, err)
		}
		if n := len(thief.Hits()); n != 0 {
			t.Errorf("%s: %d requests went elsewhere", f.api, n)
		}
	}
}

func TestBaseURLs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		api        wire.API
		base, path string
	}{
		{wire.Messages, "", "/v1/messages"},
		{wire.Messages, "/v1/", "/v1/messages"},
		{wire.Messages, "/v1/messages", "/v1/messages"},
		{wire.Messages, "/anthropic", "/anthropic/v1/messages"},
		{wire.Chat, "", "/v1/chat/completions"},
		{wire.Chat, "/v1", "/v1/chat/completions"},
		{wire.Chat, "/v1beta/openai/", "/v1beta/openai/chat/completions"},
		{wire.Responses, "/v1/responses", "/v1/responses"},
	} {
		v := fakevendor.New(t)
		_, err := ask(t.Context(), wire.Server{API: c.api, Model: "good", BaseURL: v.URL + c.base, Key: secret})
		if err != nil {
			t.Fatal(c, err)
		}
		if got := v.Hits()[0].Path; got != c.path {
			t.Errorf("%s at %q: %s, want %s", c.api, c.base, got, c.path)
		}
	}
}

// TestEnvironmentOfTheSDK: what the SDK would read by itself changes nothing.
func TestEnvironmentOfTheSDK(t *testing.T) {
	thief := fakevendor.New(t)
	for name, v := range map[string]string{
		"ANTHROPIC_BASE_URL": thief.URL, "ANTHROPIC_AUTH_TOKEN": "other-secret-token", "ANTHROPIC_CUSTOM_HEADERS": "X-Leak: yes",
		"ANTHROPIC_LOG": "debug", "OPENAI_BASE_URL": thief.URL,
	} {
		t.Setenv(name, v)
	}
	v := fakevendor.New(t)
	s := wire.Server{Provider: "anthropic", API: wire.Messages, Model: "good", BaseURL: v.URL, Key: secret}
	if _, err := ask(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if h := v.Hits()[0].Header; h.Get("Authorization") != "" || h.Get("X-Leak") != "" || len(thief.Hits()) != 0 {
		t.Errorf("leaked: %v", h)
	}
}

// TestCountsThatAreNone cost nothing, and don't lose the text beside them.
func TestCountsThatAreNone(t *testing.T) {
	t.Parallel()
	for count, want := range map[string]int64{"12.0": 12, "-5": 0, `"many"`: 0, "null": 0, "9e300": 1e9, "{}": 0} {
		for _, f := range formats {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = fmt.Fprintf(w, `{"usage":{"input_tokens":%[1]s,"prompt_tokens":%[1]s,"output_tokens":%[1]s,"completion_tokens":%[1]s},"status":"completed","stop_reason":"end_turn",
					"content":[{"type":"text","text":"A cat sat."}],"output":[{"type":"message","content":[{"type":"output_text","text":"A cat sat."}]}],
					"choices":[{"message":{"content":"A cat sat."},"finish_reason":"stop"}]}`, count)
			}))
			got, err := ask(t.Context(), wire.Server{Provider: f.provider, Model: "m", API: f.api, BaseURL: server.URL})
			server.Close()
			if err != nil || got.Text != "A cat sat." || got.InputTokens != want || got.OutputTokens != want {
				t.Errorf("%s, %s: %+v, %v", count, f.api, got, err)
			}
		}
	}
}
