package summarize

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// maxCacheAge is how long an answer stays in the cache.
const maxCacheAge = 14 * 24 * time.Hour

// Cache returns m with a cache of its answers: files in folder, private to the user. The key is
// all that decides the answer: the request, the model, and its identity (Identified). So a
// stale plan, a cancelled run or a crash costs nothing twice. Failures and answers that
// were no summary are not cached.
//
// Files older than two weeks are removed. A model that needs no calls gets no cache.
func Cache(m Model, folder string) (Model, error) {
	if q, ok := innermost(m).(interface{ Quotes() bool }); ok && q.Quotes() {
		return m, nil
	}
	files, err := NewCacheFiles(folder, maxCacheAge)
	if err != nil {
		return nil, err
	}
	return &cachedModel{m, files}, nil
}

// cachedModel answers from files where it can.
type cachedModel struct {
	Model
	files *CacheFiles
}

// Unwrap gives the model whose answers are cached.
func (r *cachedModel) Unwrap() Model { return r.Model }

// Summarize implements Model.
func (r *cachedModel) Summarize(ctx context.Context, request Request) (Reply, error) {
	key, err := r.key(request)
	if err != nil {
		return Reply{}, err
	}
	if reply, ok := r.cached(key); ok {
		return reply, nil
	}
	reply, err := r.Model.Summarize(ctx, request)
	if err == nil && reply.Text != "" {
		r.files.Write(key, reply)
	}
	return reply, err
}

// drop removes the answer to a request.
func (r *cachedModel) drop(request Request) {
	if key, err := r.key(request); err == nil {
		r.files.Remove(key)
	}
}

// Price implements Pricer, for an answer that isn't cached.
func (r *cachedModel) Price(in, out int64) (float64, bool) {
	return Price(r.Model, in, out)
}

// CachedOnly returns a model that gives cached answers of m and makes no calls: where there is
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
	key, err := o.r.key(request)
	if err != nil {
		return Reply{}, err
	}
	if reply, ok := o.r.cached(key); ok {
		return reply, nil
	}
	return Reply{}, ErrNotAsked
}

// HasCache reports whether m caches its answers, so that none is paid for twice.
func HasCache(m Model) bool {
	_, ok := m.(*cachedModel)
	return ok
}

// key returns all that decides the answer to a request.
func (r *cachedModel) key(request Request) ([]byte, error) {
	b, err := json.Marshal(struct {
		Model, Identity string
		Request         Request
	}{r.Name(), r.identity(), request})
	if err != nil {
		return nil, fmt.Errorf("cache answers: %w", err)
	}
	return b, nil
}

// identity returns what the model's answers depend on apart from its name.
func (r *cachedModel) identity() string {
	if i, ok := innermost(r.Model).(Identified); ok {
		return i.Identity()
	}
	return ""
}

// cached reads an answer; ok is false where there is none or it can't be read.
func (r *cachedModel) cached(key []byte) (reply Reply, ok bool) {
	if !r.files.Read(key, &reply) || reply.Text == "" {
		return Reply{}, false
	}
	return Reply{Text: reply.Text, Model: reply.Model, Priced: true, Cached: true}, true
}
