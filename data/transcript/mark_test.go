package transcript_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data/transcript"
	"lcm-tui/internal/testlength"
)

// claudeDay are the lines of a session of Claude Code: an answer in pieces, results, a compaction, a fork's
// copy, noise, a line that can't be read, and several bytes a letter.
func claudeDay() []string {
	return []string{
		`{"type":"queue-operation","operation":"enqueue","sessionId":"s2"}`,
		coded("user", "u1", "", asked),
		coded("attachment", "t1", "u1", `"attachment":{"type":"hook_success"}`),
		answer("a1", "t1", "msg_1", `{"type":"text","text":"größer"}`), answer("a2", "a1", "msg_1", use1),
		coded("user", "r1", "a2", result("toolu_1", "")),
		`{"type":"user","broken":`,
		answer("a3", "r1", "msg_2", use2),
		coded("user", "r2", "a3", result("toolu_2", `,{"type":"text","text":"and?"}`)),
		coded("system", "b", "", `"logicalParentUuid":"r2","subtype":"compact_boundary","content":"Conversation compacted"`),
		coded("user", "c", "b", `"isCompactSummary":true,"message":{"role":"user","content":"what was"}`),
		coded("assistant", "a4", "c", `"message":{"id":"msg_3","role":"assistant","model":"m","content":[{"type":"text","text":"done"}],"stop_reason":"end_turn"}`),
	}
}

// codexDay are the lines of a session of Codex: two turns with another model each.
func codexDay() []string {
	item := func(payload string) string {
		return `{"timestamp":"2026-02-01T10:00:00.000Z","type":"response_item","payload":` + payload + `}`
	}
	turn := func(model string) string { return `{"type":"turn_context","payload":{"model":"` + model + `"}}` }
	const end = `{"type":"event_msg","payload":{"type":"task_complete"}}`
	return []string{
		`{"timestamp":"2026-02-01T10:00:00.000Z","type":"session_meta","payload":{"id":"c1","cwd":"/w","timestamp":"2026-02-01T10:00:00.000Z"}}`,
		turn("one"), item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`),
		item(`{"type":"reasoning","summary":[]}`), item(`{"type":"function_call","call_id":"k","name":"shell","arguments":"{}"}`),
		item(`{"type":"function_call_output","call_id":"k","output":"out"}`),
		item(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}`), turn("two"), end,
		item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"more"}]}`),
		item(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"yes"}]}`), end,
	}
}

// shown returns an entry as a text.
func shown(e transcript.Entry) string {
	return fmt.Sprintf("%d %d %s %s %v %v", e.Line, e.End, e.ID, e.Message, e.Continues, e.OutsideContext)
}

// readTo reads a file and returns its entries, without those of the last answer if that isn't whole, and
// the mark behind them.
func readTo(t *testing.T, f *transcript.File) (out []string, m transcript.Mark, ok bool) {
	t.Helper()
	f.Follow = true
	var all []transcript.Entry
	for e, err := range f.Entries(t.Context()) {
		var bad *transcript.LineError
		if err != nil && !errors.As(err, &bad) {
			t.Fatal(err)
		}
		if err == nil {
			all = append(all, e)
		}
	}
	m, ok = f.Mark(f.Unfinished())
	for _, e := range all {
		if !ok || e.End <= m.Offset {
			out = append(out, shown(e))
		}
	}
	return out, m, ok
}

// TestReadingOnFromAMark: a file that is cut at any byte, read, and read on from its mark once the rest is
// there, gives what it gives as a whole.
func TestReadingOnFromAMark(t *testing.T) {
	t.Parallel()
	for kind, lines := range map[transcript.Kind][]string{transcript.ClaudeCode: claudeDay(), transcript.Codex: codexDay()} {
		whole := strings.Join(lines, "\n") + "\n"
		path := filepath.Join(t.TempDir(), "s2.jsonl")
		write := func(text string) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(whole)
		f := opened(t, path)
		session := f.Session
		want, _, _ := readTo(t, f)
		for cut := len(lines[0]) + 1 + len(lines[1]) + 1; cut <= len(whole); cut++ {
			if !testlength.Runs(cut) {
				continue
			}
			write(whole[:cut])
			first, mark, ok := readTo(t, opened(t, path))
			if !ok {
				t.Fatalf("%s, cut at %d: no mark", kind, cut)
			}
			write(whole)
			rest, err := transcript.OpenAt(t.Context(), path, kind, session, mark)
			if err != nil {
				t.Fatalf("%s, cut at %d: %v", kind, cut, err)
			}
			second, _, _ := readTo(t, rest)
			if got := slices.Concat(first, second); !slices.Equal(got, want) {
				t.Fatalf("%s, cut at %d:\n%s\nwant\n%s", kind, cut, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

func opened(t *testing.T, path string) *transcript.File {
	t.Helper()
	f, err := transcript.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestAFileThatDoesNotGoOnFromItsMark: one that was rewritten, made shorter, or rewound is read as a whole.
func TestAFileThatDoesNotGoOnFromItsMark(t *testing.T) {
	t.Parallel()
	lines := claudeDay()
	whole := strings.Join(lines, "\n") + "\n"
	for name, text := range map[string]string{
		"shorter":                  strings.Join(lines[:3], "\n") + "\n",
		"with another end":         strings.Replace(whole, "done", "gone", 1),
		"the user went back":       whole + coded("user", "u9", "u1", asked) + "\n",
		"a second root":            whole + coded("user", "u9", "", asked) + "\n",
		"an entry before it again": whole + coded("user", "u9", "a2", asked) + "\n",
	} {
		path := filepath.Join(t.TempDir(), "s2.jsonl")
		if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
			t.Fatal(err)
		}
		f := opened(t, path)
		_, mark, _ := readTo(t, f)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		rest, err := transcript.OpenAt(t.Context(), path, f.Kind, f.Session, mark)
		if err == nil {
			err = lastError(t.Context(), rest)
		}
		if !errors.Is(err, transcript.ErrMoved) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// lastError reads a file to its end and returns the error of that, not those of lines.
func lastError(ctx context.Context, f *transcript.File) (last error) {
	for _, err := range f.Entries(ctx) {
		var bad *transcript.LineError
		if err != nil && !errors.As(err, &bad) {
			last = err
		}
	}
	return last
}
