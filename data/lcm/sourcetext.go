package lcm

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"lcm-tui/data"
	"lcm-tui/internal/sorting"
)

// SourceText is a message or summary that a text was made of, as it was read then.
type SourceText struct {
	Message int64  `json:"message_id,omitempty"`
	Summary string `json:"summary_id,omitempty"`
	Digest  string `json:"digest"`
}

func (s SourceText) String() string {
	if s.Summary != "" {
		return "summary " + s.Summary
	}
	return fmt.Sprintf("message %d", s.Message)
}

// Reads remembers the source texts that were read under a context.
type Reads struct {
	mu    sync.Mutex
	texts map[SourceText]string // Digests, by texts without one.
}

type readsKey struct{}

// WithReads returns a context under which WholeMessages and Summary remember what they read.
func WithReads(ctx context.Context) (context.Context, *Reads) {
	r := &Reads{texts: map[SourceText]string{}}
	return context.WithValue(ctx, readsKey{}, r), r
}

// All returns the texts that were read.
func (r *Reads) All() (out []SourceText) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for s, digest := range r.texts {
		out = append(out, SourceText{s.Message, s.Summary, digest})
	}
	sorting.Stable(out, compareTexts)
	return out
}

// Of returns those of some messages and summaries.
func (r *Reads) Of(messages []int64, summaries []string) []SourceText {
	wanted := map[SourceText]bool{}
	for _, id := range messages {
		wanted[SourceText{Message: id}] = true
	}
	for _, id := range summaries {
		wanted[SourceText{Summary: id}] = true
	}
	return slices.DeleteFunc(r.All(), func(s SourceText) bool { return !wanted[SourceText{Message: s.Message, Summary: s.Summary}] })
}

func compareTexts(a, b *SourceText) int {
	if a.Message != b.Message {
		return int(a.Message - b.Message)
	}
	return strings.Compare(a.Summary, b.Summary)
}

// noteRead remembers the digest of a text that is read under a context of WithReads. A text
// that is read again keeps its first digest.
func noteRead(ctx context.Context, s SourceText, what any) {
	r, _ := ctx.Value(readsKey{}).(*Reads)
	if r == nil {
		return
	}
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%+v", what) // A hash takes everything.
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.texts[s]; !known {
		r.texts[s] = base64.RawStdEncoding.EncodeToString(h.Sum(nil)[:DigestBytes])
	}
}

// digestedFields returns the fields of a message from which a summary's text is made.
func (m Message) digestedFields() any {
	parts := make([]Part, 0, len(m.Parts))
	for _, p := range m.Parts {
		p.ID = ""
		parts = append(parts, p)
	}
	return []any{m.Role, m.Content, m.LargeContent, m.CreatedAt.Raw, m.Sender, parts}
}

func (s Summary) digestedFields() any {
	return []any{s.Content, s.EarliestAt.Raw, s.LatestAt.Raw, s.CreatedAt.Raw}
}

// checkSources fails with a StaleError if a text has changed or is gone since it was read. It
// reads texts in the same way as for a model.
func checkSources(ctx context.Context, db data.Querier, texts []SourceText) error {
	if len(texts) == 0 {
		return nil
	}
	ctx, reads := WithReads(ctx)
	var messages []int64
	for _, s := range texts {
		if s.Summary == "" {
			messages = append(messages, s.Message)
			continue
		}
		if _, err := ReadSummary(ctx, db, s.Summary); err != nil && !errors.Is(err, data.ErrNotFound) {
			return err
		}
	}
	if _, err := WholeMessages(ctx, db, messages); err != nil {
		return err
	}
	for _, s := range texts {
		now, there := reads.texts[SourceText{Message: s.Message, Summary: s.Summary}]
		switch {
		case !there:
			return &data.StaleError{What: s.String() + ", which a new text is made of,", Why: "is gone"}
		case now != s.Digest:
			return &data.StaleError{What: s.String() + ", which a new text is made of,", Why: "says something else now"}
		}
	}
	return nil
}

// BeginSourceCheck compares source texts before a transaction, since there may be many. again
// has to be called in the transaction: it compares them once more only if another program has
// written since. done frees the connection.
func BeginSourceCheck(ctx context.Context, db *data.DB, texts []SourceText) (again func(context.Context, *data.Tx) error, done func(), err error) {
	if len(texts) == 0 {
		return func(context.Context, *data.Tx) error { return nil }, func() {}, nil
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = conn.Close() }
	was, err := data.DataVersion(ctx, conn)
	if err == nil {
		err = checkSources(ctx, db, texts)
	}
	if err != nil {
		done()
		return nil, nil, db.Wrap("compare source texts", err)
	}
	return func(ctx context.Context, t *data.Tx) error {
		on, from := conn, data.Querier(db)
		if t.IsHome() { // A pooler may have no other connection as long as this one is in a transaction.
			on, from = t.Conn, inTransaction{db, t}
		}
		if is, err := data.DataVersion(ctx, on); err != nil || is == was {
			return err
		}
		return checkSources(ctx, from, texts)
	}, done, nil
}

// inTransaction reads what a transaction sees.
type inTransaction struct {
	*data.DB
	tx *data.Tx
}

// Query implements data.Querier.
func (q inTransaction) Query(ctx context.Context, _, query string, args []any, fn func(data.RowScanner) error) (whole bool, err error) {
	return true, data.EachRow(ctx, q.tx, query, args, fn)
}

// DigestBytes are enough to tell a row that was changed from its own.
const DigestBytes = 12
