package cli_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	screen "lcm-tui/internal/terminal"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testpostgres"
	"lcm-tui/internal/testreplica"
)

// mostTime ends an example that hangs.
const mostTime = 5 * time.Minute

// BeProgram makes the test binary the program itself.
const BeProgram = "LCM_TUI_BE_PROGRAM"

// sampleNames are what examples name, and what has its place in the demonstration.
var sampleNames = strings.NewReplacer(
	"sum_1a2b3c4d5e6f7a8b", "sum_5bf6eb72212a846a", "sum_8b7a6f5e4d3c2b1a", "sum_0fe8d302658f2ba7",
	"file_0123456789abcdef", "file_bbf1e5f7f74144d3", "msg:4711", "msg:200", "48211", "200",
	"/srv/copy/lcm.db", "lcm.db",
	"127.0.0.1:7878", "127.0.0.1:0",
)

// sampleTime is long ago, so that conversations of the demonstration are over. It is the same for a month: the demonstration is
// kept for the next run.
var sampleTime = time.Now().AddDate(0, 0, -100).Truncate(30 * 24 * time.Hour)

// conversationNames are the same of whole words.
var conversationNames = map[string]string{"12": "2", "13": "3", "14": "4", "15": "5"}

// preparation is what has to be there before the examples of a command, beside the demonstration.
type preparation struct {
	copies []string          // Copies of the database.
	lines  []string          // Commands.
	sql    []string          // Statements.
	names  map[string]string // Other words.
	env    []string          // Variables.
	once   bool              // The examples follow each other on one file.
	server bool              // They need a PostgreSQL server.
}

var (
	twoRecords = []string{"dissolve 12 --summary-id sum_1a2b3c4d5e6f7a8b --apply", "key archive 7 --apply"}
	trashed    = []string{"prune conversations --archived --apply"}
)

// preparations are by command.
var preparations = map[string]preparation{
	"apply":     {lines: []string{"dissolve 12 --summary-id sum_1a2b3c4d5e6f7a8b --plan-out plan.json"}},
	"compact":   {env: []string{"LCM_CONTEXT_THRESHOLD=0.01"}}, // So that a small one is over it.
	"compare":   {lines: []string{"export 12 --format openclaw --to .openclaw/agents/main/sessions/d581e1a2-98d8-47b2-85ea-73b3163a6d53.jsonl"}},
	"databases": {copies: []string{"old.db", "new.db"}},
	"diff":      {copies: []string{"lcm.db.lcm-tui-20260501T120000Z.bak", "OTHER.db"}, lines: twoRecords},
	"fleet":     fleetPreparation,
	"export":    {lines: []string{"slice 6 --to other.db"}},
	"history":   {lines: twoRecords, names: map[string]string{"12": "2"}},
	"info":      {copies: []string{"backup.db"}},
	"init":      {server: true},
	"install":   {copies: []string{"agents/lcm.db"}},
	"key":       {sql: []string{followed}, names: map[string]string{"7": "5", "12": "3", "13": "4", "14": "5", "agent:main:telegram:direct:42": "agent:main:telegram:direct:43"}},
	"memory": {
		sql:   []string{promoted.Schema, remembered},
		names: map[string]string{"ENTRY": "mem_1a2b3c4d5e6f7a8b"},
	},
	"metrics":          onReplica,
	"plan":             {lines: []string{"dissolve 12 --summary-id sum_1a2b3c4d5e6f7a8b --plan-out prepared.json"}, once: true},
	"prompts":          {lines: []string{"prompts export ~/my-prompts"}},
	"redo":             {lines: append(slices.Clone(twoRecords), "undo")},
	"repair":           {sql: []string{covered, repeated}, names: map[string]string{"M01:4711=drop": "M01:200=drop"}},
	"restore":          {copies: []string{"lcm.db.lcm-tui-20260801T120000Z.bak", "before-cleanup.db"}},
	"search":           onReplica,
	"secrets":          {sql: []string{planted}, names: map[string]string{"assigned-secret#4": "assigned-secret#2"}},
	"session":          {sql: []string{deletedSession}},
	"slice":            {copies: []string{"other.db"}},
	"sync":             {lines: []string{"fleet init", "sync --apply"}, once: true, server: true},
	"transplant":       {copies: []string{"old.db"}, names: map[string]string{"7": "2", "12": "7"}},
	"trash":            {lines: trashed, names: map[string]string{"3": "1", "12,15": "1"}},
	"undo":             {lines: twoRecords},
	"uninstall":        {lines: []string{"install claude-code --apply", "install cursor --scope project --apply"}},
	"README.md":        {once: true},
	"docs/clients.md":  {once: true},
	"docs/commands.md": {once: true},
	"docs/copies.md":   {lines: []string{"slice 6 --to other.db"}, once: true},
	"docs/fleet.md":    fleetPreparation,
	"docs/sessions.md": {sql: []string{deletedSession}, once: true},
}

// onReplica has the demonstration in a replica, too.
var onReplica = preparation{lines: []string{"fleet init", "sync --source demo --apply"}, once: true, server: true}

// fleetPreparation has files in the place of other machines.
var fleetPreparation = preparation{
	copies: []string{"laptop.db", "box.db", "nas/lcm.db", "COPY.db"},
	names:  map[string]string{"laptop.example": "laptop.db", "me@box.example:/srv/agent/lcm.db": "COPY.db", "/mnt/nas/agent": "./nas"},
	env:    []string{"XDG_STATE_HOME="},
	lines:  []string{"dissolve 12 --summary-id sum_1a2b3c4d5e6f7a8b --plan-out plan.json", "fleet init", "sync --source demo --apply"},
	once:   true,
	server: true,
}

// Statements on the demonstration.
const (
	deletedSession = `INSERT INTO conversations (session_id, session_key, active, created_at, updated_at)
		VALUES ('0a1b2c3d', 'agent:w:claude-code:0a1b2c3d', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00')`
	remembered = "INSERT INTO promoted (id, content, project_id, created_at) VALUES ('mem_1a2b3c4d5e6f7a8b', 'The mirror lags.', 'p', '2026-01-01 00:00:00')"
	followed   = `INSERT INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset)
		VALUES (2, '/gone/session.jsonl', 1, 1, 1)`
	covered = `INSERT INTO context_items (conversation_id, ordinal, item_type, message_id)
		SELECT 2, 100000, 'message', min(message_id) FROM summary_messages JOIN messages USING (message_id) WHERE conversation_id = 2`
	repeated = `UPDATE messages SET (role, content, identity_hash, token_count, created_at) = (SELECT role, content, identity_hash, token_count, created_at FROM messages WHERE message_id = 199)
		WHERE message_id = 200;
		DELETE FROM message_parts WHERE message_id IN (199, 200)`
	planted = `UPDATE messages SET content = content || ' export GITHUB_TOKEN=ghp_9f8Kd0sLq2Wm7Xc4Vb1Nz6Tr3Yp5Hj0Gu8Ea; password="kT7#vQ2!xR9zLw4m"' WHERE message_id = 200`
)

// TestExamplesRun: every example of every help, and every block of commands in the documentation, does on a
// database what it says.
func TestExamplesRun(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	var sample samples.Cache
	eachExample(t, func(where string, lines [][]string) {
		t.Run(strings.NewReplacer(" ", "-", "/", "-").Replace(where), func(t *testing.T) {
			t.Parallel()
			runExamples(t, &sample, where, lines)
		})
	})
}

// documentation reads README and the pages in docs, by path.
func documentation(t *testing.T) map[string]string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, path := range append(pages, filepath.Join("..", "README.md")) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimPrefix(filepath.ToSlash(path), "../")] = string(b)
	}
	return out
}

// eachExample calls fn with the examples of each command and with each block of commands in the documentation.
func eachExample(t *testing.T, fn func(where string, lines [][]string)) {
	t.Helper()
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if lines := commandLines(cmd.Example); len(lines) > 0 {
			fn(cmd.Name(), lines)
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(cli.New(cli.System{Env: func(string) string { return "" }}, commands.Rooms...).Root())
	for path, text := range documentation(t) {
		for i, block := range strings.Split(text, "```") {
			if lines := commandLines(block); i%2 == 1 && len(lines) > 0 {
				fn(path, lines)
			}
		}
	}
}

// exampleRun is a folder in which examples run, which is also the home folder.
type exampleRun struct {
	folder string
	names  map[string]string
	env    []string // Beside what all examples have.
}

func runExamples(t *testing.T, sample *samples.Cache, where string, lines [][]string) {
	p := preparations[where]
	r := exampleRun{folder: t.TempDir(), names: maps.Clone(conversationNames), env: p.env}
	maps.Copy(r.names, p.names)
	r.write(t, where)
	if p.server {
		address := testpostgres.Empty(t)
		r.names["office"], r.env = address, append(slices.Clone(r.env), "LCM_DATABASE_URL="+address)
		r.names["postgres://reader@db.example/lcm"] = address
		r.names["postgres://me@db.example/team"] = testpostgres.Empty(t)
		for _, place := range []string{"postgres://reader@db.example/lcm?source=laptop", "service=lcm source=laptop"} {
			r.names[place] = testreplica.Address(address, "demo")
		}
	}
	for i, words := range lines {
		if i == 0 || !p.once {
			r.prepare(t, sample, p, i == 0)
		}
		r.try(t, words)
	}
}

// write writes the files that examples name.
func (r exampleRun) write(t *testing.T, where string) {
	t.Helper()
	const session = `{"type":"session","version":3,"id":"0b5c2a7e","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/w"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-05T09:00:01.000Z","message":{"role":"user","content":"Where is the ledger?"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-05T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"In Postgres."}],"stopReason":"stop"}}
`
	const claude = `{"sessionId":"s2","type":"user","uuid":"u1","timestamp":"2026-02-01T10:00:00.000Z","cwd":"/w","message":{"role":"user","content":"Where is the ledger?"}}` + "\n"
	files := map[string]string{
		".openclaw/agents/main/sessions/0b5c2a7e.jsonl": session,
		".claude/projects/w/s2.jsonl":                   claude,
		".claude/history.jsonl":                         `{"display":"Where is the ledger?","timestamp":1769940000000,"project":"/w","sessionId":"gone"}` + "\n",
		".openclaw/agents/main/sessions/sessions.json":  "{}",
		".codex/sessions/2026/02/01/none.txt":           "",
		"text.md":                                       "The harbours have a dashboard now.\n",
		"notes.txt":                                     "The key is ghp_" + strings.Repeat("a1B2c3D4", 5)[:36] + ".\n",
		"bin/claude":                                    "#!/bin/sh\ncat >/dev/null\necho '{\"answer\": \"It means danger.\", \"citedIds\": []}'\n",
	}
	if where == "backfill" {
		files["session.jsonl"] = strings.ReplaceAll(session, "0b5c2a7e", "1c6d3b8f")
	}
	for name, text := range files {
		path := filepath.Join(r.folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	if where == "memory" {
		folder := filepath.Join(r.folder, ".lossless-claude", "projects", "-tmp")
		testdb.Must(t, os.MkdirAll(folder, 0o700))
		testdb.Must(t, writeEntries(t.Context(), filepath.Join(folder, "db.sqlite")))
	}
	agent := testdb.AgentFile(t, 23, testdb.AgentSession{
		Key: "agent:main:main", ID: "0b5c2a7e-0000-4000-8000-000000000001", Events: strings.Split(strings.TrimSpace(session), "\n"), At: 1,
	})
	r.copy(t, agent, "openclaw-agent.sqlite")
	r.copy(t, agent+"-wal", "openclaw-agent.sqlite-wal")
}

// prepare puts a new copy of the sample in the place of the database, and runs what comes before an
// example.
func (r exampleRun) prepare(t *testing.T, sample *samples.Cache, p preparation, first bool) {
	t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm", ".lcm-tui-trash"} {
		if err := os.RemoveAll(filepath.Join(r.folder, "lcm.db"+suffix)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range append([]string{"lcm.db"}, p.copies...) {
		if name != "lcm.db" && !first {
			continue
		}
		path := filepath.Join(r.folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), sample.Demo(path, sampleTime)); err != nil {
			t.Fatal(err)
		}
	}
	h, err := fakehost.Open(filepath.Join(r.folder, "lcm.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range p.sql {
		if err := h.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	for _, line := range p.lines {
		if first || !strings.Contains(line, "--to ") && !strings.Contains(line, "export") && !strings.Contains(line, "--plan-out") && !strings.HasPrefix(line, "install") {
			words := commandLines(cli.Program + " " + line)[0]
			if exit, out := r.run(t, words); exit != cli.ExitDone {
				t.Fatalf("before the examples: %v: exit %d: %s", words, exit, out)
			}
		}
	}
}

// copy copies a file, if it is there, into the folder.
func (r exampleRun) copy(t *testing.T, path, name string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	to := filepath.Join(r.folder, name)
	if err := errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, b, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// arguments returns the words of an example with the names that are here.
func (r exampleRun) arguments(words []string) (args []string) {
	for i, w := range words {
		if name, ok := r.names[w]; ok && (i == 0 || words[i-1] != "--limit") {
			w = name
		}
		w = sampleNames.Replace(w)
		if after, ok := strings.CutPrefix(w, "~/"); ok {
			w = filepath.Join(r.folder, after)
		}
		if (namesFile.MatchString(w) || i > 0 && words[i-1] == "--files" && !strings.HasPrefix(w, "-")) && !filepath.IsAbs(w) && w != "timeline.json" { // That is in a bundle.
			w = filepath.Join(r.folder, w)
		}
		args = append(args, w)
	}
	return args
}

// namesFile matches the name of a file in the working folder, which the process of the tests isn't in.
var namesFile = regexp.MustCompile(`^(\./.*|[\w./-]*\w\.(bak|db|html|json|jsonl|md|prom|sqlite|txt|zip)(#.*)?)$`)

// environment returns the variables of an example.
func (r exampleRun) environment() []string {
	return append([]string{
		BeProgram + "=1", "HOME=" + r.folder, "LCM_DATABASE_PATH=" + filepath.Join(r.folder, "lcm.db"), "TZ=UTC",
		"PATH=" + filepath.Join(r.folder, "bin") + ":/usr/bin:/bin", "TMPDIR=" + r.folder,
		"LCM_LARGE_FILES_DIR=" + filepath.Join(r.folder, "lcm-files"), "LCM_TUI_SUMMARY_PROVIDER=extractive", "LCM_FRESH_TAIL_COUNT=8",
		"GORACE=" + os.Getenv("GORACE"), // Else the race detector lets each program sleep for a second at its end.
	}, r.env...)
}

// command returns the program as a process, with the words of an example, as a shell in the folder starts it.
func (r exampleRun) command(ctx context.Context, words []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], r.arguments(words)...)
	cmd.Dir, cmd.Env = r.folder, r.environment()
	return cmd
}

// run runs an example to its end, in this process. A server is stopped once it serves.
func (r exampleRun) run(t *testing.T, words []string) (exit int, out string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), mostTime)
	defer cancel()
	follows := words[0] == "follow" && slices.Contains(words, "--apply") && !slices.Contains(words, "--once")
	if follows || slices.Contains(words, "--http") || slices.Contains(words, "--watch") || slices.Contains(words, "--live") {
		time.AfterFunc(3*time.Second, cancel)
	}
	list := r.environment()
	both := &lockedBuffer{}
	exit = cli.Main(ctx, r.arguments(words), cli.System{
		In: strings.NewReader(""), Out: both, Err: both, WorkDir: r.folder, Environ: func() []string { return list },
		Env: func(name string) string {
			for _, v := range slices.Backward(list) {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return ""
		},
	}, commands.Rooms...)
	return exit, both.String()
}

// lockedBuffer keeps what several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// screens starts an example that opens the screens, and leaves them.
func (r exampleRun) screens(t *testing.T, words []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), mostTime)
	defer cancel()
	term, err := screen.Start(r.command(ctx, words), 120, 36)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	defer term.Close()
	if _, err := term.Until(ctx, func(s screen.Screen) bool { return strings.Contains(s.String(), "8 conversations") }); err != nil {
		t.Fatalf("%v: %v\n%s", words, err, term.Screen())
	}
	if err := term.Press("q"); err != nil {
		t.Fatal(err)
	}
	if err := term.Wait(); err != nil {
		t.Errorf("%v: %v", words, err)
	}
}

// otherExits are the examples that end with another exit code than 0 on the demonstration, and what
// they say.
var otherExits = map[string]struct {
	exit int
	says string
}{
	"prune conversations --lane cron --lane subagent --target 500MB": {cli.ExitNothing, "no conversation qualifies"},
	"trash empty --older-than 30d --apply":                           {cli.ExitNothing, "nothing to do"},
	"mcp --agent main --http 127.0.0.1:7878":                         {cli.ExitCancelled, "serving http://127.0.0.1"},
	"mcp --http 127.0.0.1:7878":                                      {cli.ExitCancelled, "serving http://127.0.0.1"},
	"prune verify RECEIPT":                                           {cli.ExitFailed, "no such file"}, // A block of docs/cleaning.md has a real one.
	"repair 12 --fault C11":                                          {cli.ExitNothing, "nothing of C11"},
	"diff --live agent:main:main":                                    {cli.ExitDone, "watching"},
	"diff lcm.db.lcm-tui-20260501T120000Z.bak":                       {cli.ExitFindings, "2 conversations differ"},
	"diff --since-backup":                                            {cli.ExitFindings, "2 conversations differ"},
	"files 12 --describe":                                            {cli.ExitFailed, "no model is named"},
	"files 12 --describe --provider extractive --generate":           {cli.ExitNothing, "no large text file"},
	"sync --watch --every 1m --apply":                                {cli.ExitCancelled, ""},
	"sync --watch --apply":                                           {cli.ExitCancelled, ""},
	"work --watch":                                                   {cli.ExitCancelled, `"msg":"start"`},
	"follow --apply":                                                 {cli.ExitDone, "1 message into conversation"},
	"follow ~/.codex/sessions --apply":                               {cli.ExitDone, ""},
	"diff OTHER.db":                                                  {cli.ExitFindings, "2 conversations differ"},
	"diff --since-backup 12":                                         {cli.ExitFindings, "1 conversation differs"},
	"diff OTHER.db --rows --json-lines":                              {cli.ExitFindings, `"equal":false`},
	"repair --all --fault T12 --apply":                               {cli.ExitNothing, "nothing of T12"},
	"doctor --fail-on error --json":                                  {cli.ExitFindings, `"fault":"Q01"`},
}

// try runs an example and checks how it ends.
func (r exampleRun) try(t *testing.T, words []string) {
	t.Helper()
	line := strings.Join(words, " ")
	if line == "" || line == "demo" || strings.HasPrefix(line, "--provider") || len(words) == 2 && words[0] == "--db" {
		r.screens(t, words)
		return
	}
	exit, out := r.run(t, words)
	want := otherExits[line]
	if exit != want.exit || !strings.Contains(out, want.says) || strings.Contains(out, cli.Program+": unknown") || strings.Contains(out, "panic:") {
		t.Errorf("%s %s: exit %d, want %d and %q: %.2000s", cli.Program, line, exit, want.exit, want.says, out)
	}
}
