package fakevendor

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"lcm-tui/engine/summarize"
)

// Source is long enough that a repetition of it can't be chance.
var Source = strings.Repeat("[2026-01-02 15:04 UTC | user]\nThe cat sat on the mat, and nobody knew why it was there.\n", 5)

// Summary is the answer of a vendor that behaves.
const Summary = "A cat sat on a mat."

// Request asks for a summary of Source.
var Request = summarize.Request{
	System: "Be brief.", Prompt: "Summarize:\n" + Source, Source: Source, Previous: "Before that, a dog.",
	Kind: "leaf", Mode: summarize.Normal, Target: 300, MaxTokens: 2348,
}

// Seen is a request that a vendor got.
type Seen struct {
	Path   string
	Header http.Header
	Body   map[string]any
}

// Vendor plays a server of all wire formats. The name of the model says how it
// behaves.
type Vendor struct {
	*httptest.Server
	Hung chan struct{} // Closed when a request hangs.
	Gone chan struct{} // Closed when a hanging request was cancelled.
	mu   sync.Mutex
	got  []Seen
}

// New starts a vendor, which ends with the test.
func New(t *testing.T) *Vendor {
	t.Helper()
	v := &Vendor{Hung: make(chan struct{}), Gone: make(chan struct{})}
	v.Server = httptest.NewServer(http.HandlerFunc(v.serve))
	t.Cleanup(v.Close)
	return v
}

// Hits lists the requests, in their order.
func (v *Vendor) Hits() []Seen {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.got)
}

func (v *Vendor) serve(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	s := Seen{r.URL.Path, r.Header.Clone(), map[string]any{}}
	_ = json.Unmarshal(b, &s.Body)
	v.mu.Lock()
	v.got = append(v.got, s)
	n := len(v.got)
	v.mu.Unlock()
	name, _ := s.Body["model"].(string)
	switch name {
	case "hang":
		close(v.Hung)
		<-r.Context().Done()
		close(v.Gone)
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
	case "twice-busy":
		if n > 2 {
			name = "good"
			break
		}
		w.Header().Set("Retry-After", "600")
		name = "429"
	}
	if p, ok := pages[name]; ok {
		w.Header().Set("Content-Type", p.kind)
		w.WriteHeader(p.status)
		fmt.Fprint(w, p.text)
		return
	}
	if e, ok := faults[name]; ok {
		e.write(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	text, stop := Summary, "good"
	switch name {
	case "echo":
		text = Source
	case "marker":
		text = "The start of it all\n[Truncated from 5000 tokens]"
	case "blank":
		text = " \n"
	case "small": // It stops until it's given more room.
		if room, _ := s.Body["max_tokens"].(float64); room < 4000 {
			stop = "max"
		}
	case "thinking":
		text = "<think>What could it be?</think>"
	case "thoughtful":
		text = "<think>What could it be?</think>\n\n" + Summary
	case "max", "none", "refusal", "tool", "tool-word", "shout", "reasoning":
		stop = name
	}
	fmt.Fprint(w, reply(r.URL.Path, text, stop))
}
