package summarize

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// keptFor is how long an answer is kept.
const keptFor = 14 * 24 * time.Hour

// Remember is a model that keeps its answers as files in folder, private to the
// user, by all that went into the call: the request, the model, and what else decides
// its answer (Identified). What was paid for once isn't asked again when a plan
// turns out stale, a run is cancelled, or the program dies. Failures aren't kept, nor
// are answers that turned out to be no summary.
// An answer from the folder costs nothing. Files older than two weeks go. Those of a
// model that asks nobody aren't kept: they cost nothing anyway.
func Remember(m Model, folder string) (Model, error) {
	if q, ok := innermost(m).(interface{ Quotes() bool }); ok && q.Quotes() {
		return m, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("keep answers: %w", err)
	}
	forgetOld(folder, time.Now().Add(-keptFor))
	return &remembering{m, folder}, nil
}

type remembering struct {
	Model
	folder string
}

// Unwrap gives the model whose answers are kept.
func (r *remembering) Unwrap() Model { return r.Model }

// Summarize implements Model.
func (r *remembering) Summarize(ctx context.Context, request Request) (Reply, error) {
	path, err := r.path(request)
	if err != nil {
		return Reply{}, err
	}
	if reply, ok := recall(path); ok {
		return reply, nil
	}
	reply, err := r.Model.Summarize(ctx, request)
	if err == nil && reply.Text != "" {
		keep(path, reply)
	}
	return reply, err
}

// forget removes the answer to a request.
func (r *remembering) forget(request Request) {
	if path, err := r.path(request); err == nil {
		_ = os.Remove(path) // There may be none.
	}
}

// Price implements Pricer: what isn't kept yet is paid for.
func (r *remembering) Price(in, out int64) (float64, bool) {
	return Price(r.Model, in, out)
}

// OnlyKept is a model that gives the answers that m has kept, and calls nobody: without
// one its error is ErrNotAsked. It is nil where m keeps none.
func OnlyKept(m Model) Model {
	r, ok := m.(*remembering)
	if !ok {
		return nil
	}
	return onlyKept{r}
}

type onlyKept struct{ r *remembering }

func (o onlyKept) Name() string { return o.r.Name() }

// Summarize implements Model.
func (o onlyKept) Summarize(_ context.Context, request Request) (Reply, error) {
	path, err := o.r.path(request)
	if err != nil {
		return Reply{}, err
	}
	if reply, ok := recall(path); ok {
		return reply, nil
	}
	return Reply{}, ErrNotAsked
}

// Keeps reports whether m keeps its answers, so that none is paid for twice.
func Keeps(m Model) bool {
	_, ok := m.(*remembering)
	return ok
}

// path names a request by its hash, so that nothing of it can be read off.
func (r *remembering) path(request Request) (string, error) {
	b, err := json.Marshal(struct {
		Model, Identity string
		Request         Request
	}{r.Name(), r.identity(), request})
	if err != nil {
		return "", fmt.Errorf("keep answers: %w", err)
	}
	sum := sha256.Sum256(b)
	return filepath.Join(r.folder, hex.EncodeToString(sum[:])+".json"), nil
}

// identity is what beside the name decides what the model answers.
func (r *remembering) identity() string {
	if i, ok := innermost(r.Model).(Identified); ok {
		return i.Identity()
	}
	return ""
}

// recall reads an answer; one that can't be read is none.
func recall(path string) (reply Reply, ok bool) {
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &reply) != nil || reply.Text == "" {
		return Reply{}, false
	}
	return Reply{Text: reply.Text, Model: reply.Model, Quotes: reply.Quotes, Priced: true, Kept: true}, true
}

// keep writes an answer under another name first, so that no half of one is ever
// found. Where that fails the answer is only not kept.
func keep(path string, reply Reply) {
	b, err := json.Marshal(reply)
	if err != nil {
		return
	}
	part, err := os.CreateTemp(filepath.Dir(path), "part-*") // Private by itself.
	if err != nil {
		return
	}
	_, werr := part.Write(b)
	if cerr := part.Close(); werr != nil || cerr != nil || os.Rename(part.Name(), path) != nil {
		_ = os.Remove(part.Name())
	}
}

func forgetOld(folder string, before time.Time) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}
