//go:build unix

package agents_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/work"
	"lcm-tui/work/pass"
)

// homeWorld are a home with one conversation, the workers of two machines there, and somebody who appends messages.
type homeWorld struct {
	t     *testing.T
	r     *rand.Rand
	db    *data.DB
	pass  *pass.Pass
	other *pass.Pass // Of the other machine.

	stored        int
	isOther       bool // The other machine is at work; nothing happens beside it.
	touched       bool // Something happened beside the present pass.
	done, crossed int64
	story         []string
}

// newHomeWorld returns one with a few messages.
func newHomeWorld(t *testing.T, r *rand.Rand) *homeWorld {
	t.Helper()
	address := testhome.New(t)
	testhome.Fill(t, address, crowded(t, 1, 8))
	w := &homeWorld{t: t, r: r, db: testhome.Open(t, address), stored: 8}
	w.pass, w.other = anyPass(t, w.db, w, r), anyPass(t, testhome.Open(t, address), w, r)
	return w
}

// Name implements summarize.Model.
func (*homeWorld) Name() string { return "test/world" }

// Summarize implements summarize.Model: meanwhile something happens.
func (w *homeWorld) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	if !w.isOther {
		w.meanwhile()
	}
	return summarize.Reply{Text: "what was said, in brief", Model: w.Name()}, nil
}

// meanwhile appends messages, lets the other machine do a pass, or does nothing.
func (w *homeWorld) meanwhile() {
	switch w.r.IntN(4) {
	case 0:
		w.append(1 + w.r.IntN(2))
	case 1:
		w.isOther = true
		w.run(w.other, "the other machine")
		w.isOther = false
		w.touched = true
	}
}

// append appends messages.
func (w *homeWorld) append(n int) {
	w.t.Helper()
	for range n {
		w.stored++
		_, err := testhome.AppendWhole(w.t.Context(), w.db, 1, fmt.Sprintf("message %d %s", w.stored, strings.Repeat("of many words ", 5)))
		testdb.Must(w.t, err)
	}
	w.touched = true
	w.story = append(w.story, fmt.Sprintf("%d are appended", n))
}

// run does a pass.
func (w *homeWorld) run(p *pass.Pass, who string) {
	w.t.Helper()
	jobs, err := p.Run(w.t.Context())
	testdb.Must(w.t, err)
	for _, j := range jobs {
		w.story = append(w.story, fmt.Sprintf("%s: %s %s%s", who, j.State, j.Result, j.Error))
		if j.State != work.Done {
			continue
		}
		w.done++
		if w.touched && !w.isOther {
			w.crossed++
		}
	}
}

// interleave is one pass with something before, during and after it.
func (w *homeWorld) interleave() {
	w.t.Helper()
	w.append(1 + w.r.IntN(3))
	w.touched = false
	w.run(w.pass, "the machine")
}

// whole looks for broken lineage.
func (w *homeWorld) whole() {
	w.t.Helper()
	wholeLineage(w.t, w.db, w.stored, w.story)
}
