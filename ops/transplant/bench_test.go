package transplant_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
	"lcm-tui/ops/transplant"
)

// The size of a long conversation that is copied as a whole.
const (
	benchMessages = 15_000
	benchPerLeaf  = 26
	benchFan      = 8
)

// writeLongConversation writes a file with a conversation of many messages, all of them summarized,
// and a short one to copy it into.
func writeLongConversation(path string, messages int) error {
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		return err
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		if _, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main:old", Active: false}); err != nil {
			return err
		}
		var nodes []string
		for done := 0; done < messages; done += benchPerLeaf {
			ids, err := writeTurns(h, 1, done, min(benchPerLeaf, messages-done))
			if err != nil {
				return err
			}
			id, err := h.Leaf(1, ids, fmt.Sprintf("leaf %d: %s", done, text(done, 1200)))
			if err != nil {
				return err
			}
			if nodes = append(nodes, id); len(nodes) == benchFan {
				if _, err := h.Condense(1, nodes, fmt.Sprintf("branch %d: %s", done, text(done, 1600))); err != nil {
					return err
				}
				nodes = nil
			}
		}
		if _, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true}); err != nil {
			return err
		}
		_, err := writeTurns(h, 2, messages, 200)
		return err
	})
	return errors.Join(err, h.Close())
}

// writeTurns writes turns of a question, a call, its result and an answer.
func writeTurns(h *fakehost.Writer, conv int64, from, n int) (ids []int64, err error) {
	for i := from; i < from+n && err == nil; i++ {
		m := fakehost.Message{Role: []string{"user", "assistant", "tool", "assistant"}[i%4], Content: fmt.Sprintf("%d %s", i, text(i, 800)), EntryID: fmt.Sprintf("e%d", i)}
		call := fmt.Sprintf("call_%020d", i/4)
		switch i % 4 {
		case 1:
			m.Parts = []fakehost.Part{{Type: "reasoning", Text: text(i, 200)}, {Type: "tool", ToolName: "exec", ToolCallID: call, ToolInput: `{"command":"ls"}`}}
		case 2:
			m.Parts = []fakehost.Part{{Type: "tool", ToolName: "exec", ToolCallID: call, Text: m.Content}}
		}
		var id int64
		id, err = h.Message(conv, m)
		ids = append(ids, id)
	}
	return ids, err
}

var vocabulary = strings.Fields("the pool stays at 24 for now as we said before deploy gateway retry ledger index vacuum tenant queue schema rollback flag owner")

// text returns about n bytes of words that depend on a number.
func text(seed, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(vocabulary[(seed*7+i*13+i*i)%len(vocabulary)])
		b.WriteByte(' ')
	}
	return b.String()
}

// BenchmarkTransplant copies 15,000 messages and their 650 summaries: the plan, and
// what is one write transaction together with its undo record and the search tables.
// LCM_BENCH_FILE keeps the file, for measuring whole processes.
func BenchmarkTransplant(b *testing.B) {
	path := filepath.Join(b.TempDir(), "lcm.db")
	if keep := os.Getenv("LCM_BENCH_FILE"); keep != "" {
		path = keep
	}
	if _, err := os.Stat(path); err != nil {
		if err := writeLongConversation(path, benchMessages); err != nil {
			b.Fatal(err)
		}
	}
	db := open(b, path)
	op := &transplant.Op{Source: 1, Target: 2}
	var plan, apply, undo int64
	var rows int
	b.ReportAllocs()
	for b.Loop() {
		start := b.Elapsed()
		p, err := op.Plan(b.Context(), db, noReport)
		if err != nil {
			b.Fatal(err)
		}
		planned := b.Elapsed()
		id, err := ops.Apply(b.Context(), db, p)
		if err != nil {
			b.Fatal(err)
		}
		applied := b.Elapsed()
		if err := ops.Undo(b.Context(), db, id); err != nil {
			b.Fatal(err)
		}
		plan, apply, undo = plan+int64(planned-start), apply+int64(applied-planned), undo+int64(b.Elapsed()-applied)
		rows = len(p.Changes)
	}
	thousands := float64(rows) / 1000 * float64(b.N) * 1e6
	b.ReportMetric(float64(rows), "rows")
	b.ReportMetric(float64(plan)/float64(b.N)/1e6, "ms-plan")
	b.ReportMetric(float64(apply)/float64(b.N)/1e6, "ms-apply")
	b.ReportMetric(float64(apply)/thousands, "ms-apply/1000rows")
	b.ReportMetric(float64(undo)/thousands, "ms-undo/1000rows")
}
