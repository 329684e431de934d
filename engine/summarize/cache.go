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

// maxCacheAge is how long an answer stays in the cache.
const maxCacheAge = 14 * 24 * time.Hour

// Cache is m with a cache of its answers: files in folder, private to the user. The key is
// all that decides the answer: the request, the model, and its identity (Identified). So a
// stale plan, a cancelled run or a crash costs nothing twice. Failures and answers that
// were no summary are not cached.
//
// Files older than two weeks are removed. A model that needs no calls gets no cache.
func Cache(m Model, folder string) (Model, error) {
	if q, ok := innermost(m).(interface{ Quotes() bool }); ok && q.Quotes() {
		return m, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("cache answers: %w", err)
	}
	removeOld(folder, time.Now().Add(-maxCacheAge))
	return &cachedModel{m, folder}, nil
}

// cachedModel answers from files where it can.
type cachedModel struct {
	Model
	folder string
}

// Unwrap gives the model whose answers are cached.
func (r *cachedModel) Unwrap() Model { return r.Model }

// Summarize implements Model.
func (r *cachedModel) Summarize(ctx context.Context, request Request) (Reply, error) {
	path, err := r.path(request)
	if err != nil {
		return Reply{}, err
	}
	if reply, ok := readCached(path); ok {
		return reply, nil
	}
	reply, err := r.Model.Summarize(ctx, request)
	if err == nil && reply.Text != "" {
		writeCached(path, reply)
	}
	return reply, err
}

// drop removes the answer to a request.
func (r *cachedModel) drop(request Request) {
	if path, err := r.path(request); err == nil {
		_ = os.Remove(path) // There may be none.
	}
}

// Price implements Pricer, for an answer that isn't cached.
func (r *cachedModel) Price(in, out int64) (float64, bool) {
	return Price(r.Model, in, out)
}

// CachedOnly is a model that gives cached answers of m and makes no calls: where there is
// none its error is ErrNotAsked. It is nil where m has no cache.
func CachedOnly(m Model) Model {
	r, ok := m.(*cachedModel)
	if !ok {
		return nil
	}
	return cachedOnly{r}
}

type cachedOnly struct{ r *cachedModel }

func (o cachedOnly) Name() string { return o.r.Name() }

// Summarize implements Model.
func (o cachedOnly) Summarize(_ context.Context, request Request) (Reply, error) {
	path, err := o.r.path(request)
	if err != nil {
		return Reply{}, err
	}
	if reply, ok := readCached(path); ok {
		return reply, nil
	}
	return Reply{}, ErrNotAsked
}

// HasCache reports whether m caches its answers, so that none is paid for twice.
func HasCache(m Model) bool {
	_, ok := m.(*cachedModel)
	return ok
}

// path is the file of a request. It is a hash, so that nothing of the request can be read
// from it.
func (r *cachedModel) path(request Request) (string, error) {
	b, err := json.Marshal(struct {
		Model, Identity string
		Request         Request
	}{r.Name(), r.identity(), request})
	if err != nil {
		return "", fmt.Errorf("cache answers: %w", err)
	}
	sum := sha256.Sum256(b)
	return filepath.Join(r.folder, hex.EncodeToString(sum[:])+".json"), nil
}

// identity is what the model's answers depend on apart from its name.
func (r *cachedModel) identity() string {
	if i, ok := innermost(r.Model).(Identified); ok {
		return i.Identity()
	}
	return ""
}

// readCached reads an answer; ok is false where there is none or it can't be read.
func readCached(path string) (reply Reply, ok bool) {
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &reply) != nil || reply.Text == "" {
		return Reply{}, false
	}
	return Reply{Text: reply.Text, Model: reply.Model, Quotes: reply.Quotes, Priced: true, Cached: true}, true
}

// writeCached writes an answer under another name first, so that no partial file is ever
// read. Where that fails the answer isn't cached.
func writeCached(path string, reply Reply) {
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

// removeOld removes files that were written before a time.
func removeOld(folder string, before time.Time) {
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
