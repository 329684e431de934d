package commands_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// peer is one line as the reference program's users type it, and what has to come of it.
type peer struct {
	line string
	exit int
	says string // On either stream.
	// writes says whether the file is another one afterwards.
	writes bool
	fault  string // What the file is made with before.
}

// sampleCache is where the files of these tests come from.
var sampleCache samples.Cache

// peerLines are the documented invocations of the reference program. $COND and $LEAF
// stand for summaries of conversation 1, $DIR for the folder of the file.
var peerLines = []peer{
	{line: "repair 1", exit: 0, says: "nothing was written", fault: "marker-old"},
	{line: "repair 1 --dry-run", exit: 0, says: "nothing was written", fault: "marker-old"},
	{line: "repair 1 --verbose", exit: 0, says: "nothing was written", fault: "marker-old"},
	{line: "repair 1", exit: 3, says: "nothing is wrong with Moving the ledger #1"},
	{line: "repair 1 --verbose --quiet-ok", exit: 0, says: "nothing is wrong with Moving the ledger #1"},
	{line: "repair --all", exit: 0, says: "nothing was written", fault: "marker-old"},
	{line: "repair --all --apply --provider extractive", exit: 0, says: "applied as record 1", writes: true, fault: "marker-old"},
	{line: "repair 1 --apply --provider extractive", exit: 0, says: "applied as record 1", writes: true, fault: "marker-old"},
	{line: "repair 1 --apply --provider anthropic --model claude-haiku-4-5", exit: 1, says: "ANTHROPIC_API_KEY", fault: "marker-old"},
	{line: "repair 1 --summary-id $LEAF", exit: 3, says: "nothing is wrong|of what is wrong"},
	{line: "repair --all --summary-id $LEAF", exit: 2, says: "with summaries of it or without, or --all"},
	{line: "repair", exit: 2, says: "expected a conversation"},

	{line: "doctor 1", exit: 0, says: "Q01", fault: "marker-old"},
	{line: "doctor 1 --apply --provider extractive", exit: 0, says: "applied as record 1", writes: true, fault: "marker-old"},
	{line: "doctor 1 --apply", exit: 0, says: "nothing of Q01 (A summary that no model wrote) is found"},
	{line: "doctor 1 --show-diff --provider extractive", exit: 0, says: "nothing was written", fault: "marker-old"},
	{line: "doctor 1 --provider openai --model gpt-5-mini --base-url http://127.0.0.1:9", exit: 0, says: "estimate|key", fault: "marker-old"},
	{line: "doctor 1 --timestamps --provider extractive", exit: 0, says: "an estimate", fault: "marker-old"},
	{line: "doctor --all", exit: 0, says: "broken summaries", fault: "marker-old"},
	{line: "doctor --summary", exit: 0, says: "broken summaries", fault: "marker-old"},
	{line: "doctor --summary 1", exit: 0, says: "broken summaries", fault: "marker-old"},
	{line: "doctor --all --apply", exit: 2, says: "--all and --apply exclude each other"},
	{line: "doctor 1 2", exit: 2, says: "one too many"},

	{line: "rewrite 1 --summary $LEAF --provider extractive", exit: 0, says: "an estimate"},
	{line: "rewrite 1 --summary $LEAF --dry-run --diff --provider extractive --generate", exit: 0, says: "nothing was written"},
	{line: "rewrite 1 --depth 0 --apply --provider extractive --tz America/New_York --timestamps=false", exit: 0, says: "applied as record 1", writes: true},
	{line: "rewrite 1 --all --apply --diff --provider extractive", exit: 0, says: "applied as record 1", writes: true},
	{line: "rewrite 1 --all --prompt-dir $DIR/none", exit: 2, says: "--prompt-dir"},
	{line: "rewrite 1 --all --tz Mars/Phobos", exit: 2, says: "Mars/Phobos"},
	{line: "rewrite 1", exit: 2, says: "exactly one of SUMMARY"},
	{line: "rewrite 1 --all --depth 1", exit: 2, says: "exactly one of SUMMARY"},
	{line: "rewrite --all 1 --dry-run=false --provider extractive", exit: 2, says: "--apply does"},

	{line: "dissolve 1 --summary-id $COND", exit: 0, says: "nothing was written"},
	{line: "dissolve 1 --summary-id $COND --apply", exit: 0, says: "applied as record 1", writes: true},
	{line: "dissolve --summary-id $COND --apply --purge=false 1", exit: 0, says: "applied as record 1", writes: true},
	{line: "dissolve 1 --summary-id $COND --apply --purge", exit: 0, says: "1 deleted|deleted", writes: true},
	{line: "dissolve 1", exit: 2, says: "expected the id of a summary or the beginning of one"},
	{line: "dissolve 1 --summary-id $LEAF", exit: 1, says: "messages"},
	{line: "dissolve 1 --summary-id sum_none", exit: 1, says: "sum_none"},

	{line: "transplant 2 1", exit: 0, says: "nothing was written"},
	{line: "transplant 2 1 --dry-run", exit: 0, says: "nothing was written"},
	{line: "transplant --apply 2 1", exit: 0, says: "applied as record 1", writes: true},
	{line: "transplant 1 1", exit: 1, says: "1"},
	{line: "transplant 1", exit: 2, says: "expected the conversation to copy into"},
	{line: "transplant 1 99", exit: 1, says: "99"},

	{line: "backfill main s1", exit: 0, says: "import 2 messages"},
	{line: "backfill main s1.jsonl --apply", exit: 0, says: "imported 2 messages", writes: true},
	{line: "backfill main s1 --apply --recompact --single-root --fresh-tail 0 --leaf-chunk-tokens 20000 --leaf-target-tokens 1200 --condensed-target-tokens 2000 --leaf-fanout 8 --condensed-fanout 4 --hard-fanout 2 --provider extractive", exit: 0, says: "imported 2 messages", writes: true},
	{line: "backfill main s1 --apply --title Ledger --transplant-to 1", exit: 0, says: "imported 2 messages", writes: true},
	{line: "backfill main none", exit: 1, says: "there is no session"},

	{line: "prompts --list", exit: 0, says: "condensed-d1"},
	{line: "prompts --export $DIR/templates", exit: 0, says: "leaf.tmpl"},
	{line: "prompts --show leaf", exit: 0, says: "TargetTokens"},
	{line: "prompts --diff leaf", exit: 0, says: "those built in"},
	{line: "prompts --render leaf --target-tokens 800 --previous-context before --time-range now --source-text hello", exit: 0, says: "hello"},
	{line: "prompts --render condensed-d1 --child-count 6 --depth 1", exit: 0, says: "segment|summar"},
	{line: "prompts --list --show leaf", exit: 2, says: "exclude each other"},
	{line: "prompts --help", exit: 0, says: "render NAME"},

	{line: "--version", exit: 0, says: "lcm-tui"},
	{line: "dissolve --help", exit: 0, says: "dissolve CONV SUMMARY"},
	{line: "status", exit: 0, says: "database"},
	{line: "conversations list", exit: 0, says: "agent|ledger"},
	{line: "conversations show 1", exit: 0, says: "session key"},
	{line: "messages list 1 --limit 5", exit: 0, says: "user|assistant"},
	{line: "messages tail 1", exit: 0, says: "user|assistant"},
	{line: "summaries list 1", exit: 0, says: "condensed"},
	{line: "summaries show $LEAF", exit: 0, says: "d0 leaf"},
	{line: "config show", exit: 0, says: "freshTailCount"},
	{line: "config get freshTailCount", exit: 0, says: "64"},
	{line: "config set freshTailCount 3", exit: 2, says: "too many|never writes"},
	{line: "compare 1", exit: 1, says: "there is no transcript of conversation 1"},
	{line: "migrate-sessions", exit: 2, says: "lcm-tui backfill PATH"},
}

// TestPeerLines: each documented invocation of the reference program does what its user
// means by it, through a plan, or says in one line what to use instead.
func TestPeerLines(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for i, p := range peerLines {
		t.Run(fmt.Sprintf("%02d %s", i, p.line), func(t *testing.T) {
			t.Parallel()
			p.check(t)
		})
	}
}

func (p peer) check(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "lcm.db")
	if err := sampleCache.Sample(db, fakehost.V0_15); err != nil {
		t.Fatal(err)
	}
	if p.fault != "" {
		if err := faults.Break(db, p.fault); err != nil {
			t.Fatal(err)
		}
	}
	writeSession(t, filepath.Join(dir, ".openclaw", "agents", "main", "sessions", "s1.jsonl"))
	before, err := testdb.DumpTables(db, "lcm_tui_undo")
	if err != nil {
		t.Fatal(err)
	}
	exit, out, errs := testcli.Run(t, db, p.args(t, db)...)
	after, err := testdb.DumpTables(db, "lcm_tui_undo")
	if err != nil {
		t.Fatal(err)
	}
	contains := func(word string) bool { return strings.Contains(out+errs, word) }
	found := false
	for word := range strings.SplitSeq(p.says, "|") {
		found = found || contains(word)
	}
	if exit != p.exit || !found || (before != after) != p.writes {
		t.Errorf("exit %d, wanted %d; written %v, wanted %v; wanted %q in:\n%s%s", exit, p.exit, before != after, p.writes, p.says, out, errs)
	}
	if exit == 2 && strings.Count(errs, "\n") != 1 {
		t.Errorf("what to use instead takes more than a line:\n%s", errs)
	}
}

// args returns the line in words, with ids and paths in it.
func (p peer) args(t *testing.T, db string) []string {
	t.Helper()
	ids := map[string]string{}
	if strings.Contains(p.line, "$COND") || strings.Contains(p.line, "$LEAF") {
		ids = summaryIDs(t, db)
	}
	var args []string
	for _, word := range strings.Fields(p.line) {
		for name, id := range ids {
			word = strings.ReplaceAll(word, name, id)
		}
		args = append(args, strings.ReplaceAll(word, "$DIR", filepath.Dir(db)))
	}
	return args
}

// summaryIDs returns a condensed summary in the context of conversation 1 and a leaf.
func summaryIDs(t *testing.T, db string) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, e := range testcli.Object(t, db, "summaries", "1")["summaries"].([]any) {
		s := e.(map[string]any)
		if s["kind"] == "condensed" && s["in_context"] == true {
			ids["$COND"] = s["summary_id"].(string)
		}
		if s["kind"] == "leaf" {
			ids["$LEAF"] = s["summary_id"].(string)
		}
	}
	return ids
}

// writeSession writes a session file of two messages.
func writeSession(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	const lines = `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/w"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-05T09:00:01.000Z","message":{"role":"user","content":"Where is the ledger?"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-05T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"In Postgres."}],"stopReason":"stop"}}
`
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
}
