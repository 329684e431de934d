package backfill_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
)

// long writes a session file of about so many bytes: turns of a question, a call, its
// result and an answer.
func long(b *testing.B, size int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "long.jsonl")
	h, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(h)
	fmt.Fprintln(w, header)
	n, parent := 0, "null"
	say := func(message string) int {
		id := fmt.Sprintf("%08x", n)
		k, _ := fmt.Fprintf(w, `{"type":"message","id":%q,"parentId":%s,"timestamp":"2026-01-05T09:00:00.000Z","message":%s}`+"\n", id, parent, message)
		n, parent = n+1, `"`+id+`"`
		return k
	}
	words := strings.Fields("the retry queue keeps growing because duplicate webhooks arrive within one second and p99 latency doubled after release")
	text := func(k int) string {
		var s strings.Builder
		for i := range k {
			fmt.Fprintf(&s, "%s%d ", words[(n*7+i*3)%len(words)], (n*31+i)%977)
		}
		return s.String()
	}
	for done := 0; done < size; {
		done += say(`{"role":"user","content":"` + text(30) + `"}`)
		done += say(`{"role":"assistant","provider":"p","api":"a","model":"m","content":[{"type":"thinking","thinking":"` + text(40) + `"},{"type":"toolCall","id":"call_` + fmt.Sprintf("%012d", n) + `","name":"exec","arguments":{"command":"` + text(5) + `"}}]}`)
		done += say(`{"role":"toolResult","toolCallId":"call_` + fmt.Sprintf("%012d", n-1) + `","toolName":"exec","content":[{"type":"text","text":"` + text(300) + `"}]}`)
		done += say(`{"role":"assistant","provider":"p","api":"a","model":"m","content":[{"type":"text","text":"` + text(80) + `"}]}`)
	}
	if err := errors.Join(w.Flush(), h.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

const benchSize = 16 << 20

// BenchmarkSurvey is what it takes to say what an import would add.
func BenchmarkSurvey(b *testing.B) {
	o, db := benched(b)
	b.SetBytes(benchSize)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := o.Survey(b.Context(), db, noReport); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkImport is what it takes to write it, with search index and undo record.
func BenchmarkImport(b *testing.B) {
	o, db := benched(b)
	b.SetBytes(benchSize)
	for b.Loop() {
		one := *o
		var records []int64
		for n := 0; ; n++ {
			step, _ := one.Step(n)
			p, err := step.Plan(b.Context(), db, noReport)
			if errors.Is(err, ops.ErrNothing) && n > 0 {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			id, err := ops.Apply(b.Context(), db, p)
			if err != nil {
				b.Fatal(err)
			}
			records = append(records, id)
		}
		one.Close()
		b.StopTimer()
		for i := len(records) - 1; i >= 0; i-- {
			if err := ops.Undo(b.Context(), db, records[i]); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
	}
}

// benched returns the import of a long session file into an empty file.
func benched(b *testing.B) (*backfill.Op, *data.DB) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.V0_15)
	if err == nil {
		err = h.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	db, err := data.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	return &backfill.Op{Path: long(b, benchSize), Files: filepath.Join(b.TempDir(), "files"), Threshold: 25_000}, db
}
