package follow_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/follow"
	"lcm-tui/ops/sessionkey"
)

// lifeWorld is a database into which sessions of a coding agent are followed, which begin, go on, fork and end,
// while a host has a conversation of its own in it.
type lifeWorld struct {
	*testing.T
	r        *rand.Rand
	follower *follow.Follower
	folder   string
	host     *fakehost.Host
	away     bool // The host has the file closed, as far as the system tells.
	sessions []*lifeSession
	hosted   []string // What was said in the host's conversations.
	spoken   int
	steps    []string
}

// lifeSession is one session file.
type lifeSession struct {
	id, last string
	lines    []string
	texts    []string // Of its messages.
}

func newLifeWorld(t *testing.T, seed uint64, level fakehost.Level) *lifeWorld {
	t.Helper()
	w := &lifeWorld{T: t, r: rand.New(rand.NewPCG(seed, 0)), folder: t.TempDir()}
	path := filepath.Join(t.TempDir(), "lcm.db")
	file, err := fakehost.Create(path, level)
	testdb.Must(t, err)
	_, err = file.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	testdb.Must(t, errors.Join(err, file.Close()))
	config := fakehost.Defaults()
	config.FreshTailCount, config.LeafChunkTokens, config.LeafMinFanout = 2, 40, 2
	w.host, err = fakehost.Start(path, config)
	testdb.Must(t, err)
	t.Cleanup(func() { _ = w.host.Close() })
	w.restart(testdb.Open(t, path).Path())
	return w
}

// restart begins to follow again, without what the process knew.
func (w *lifeWorld) restart(path string) {
	db := testdb.Open(w.T, path)
	later := time.Now().Add(time.Hour) // No file was written just now.
	db.Now = func() time.Time { return later }
	db.Holders = func(string) filesystem.Holders {
		if w.away {
			return filesystem.Holders{Known: true}
		}
		return filesystem.Holders{Names: []string{"node (process 1)"}, Known: true}
	}
	w.follower = &follow.Follower{
		DB: db, Paths: []string{w.folder}, Request: backfill.Op{Agent: "work", Files: filepath.Join(w.folder, "files"), Threshold: 25_000, Ended: true},
		Tell: func(one follow.Import) {
			if one.Err != nil {
				w.fail(fmt.Sprint("follow: ", one.Err))
			}
		},
	}
}

func (w *lifeWorld) fail(why string) {
	w.Helper()
	w.Fatalf("%s\nafter:\n%s", why, strings.Join(w.steps, "\n"))
}

func (w *lifeWorld) check(err error) {
	w.Helper()
	if err != nil {
		w.fail(err.Error())
	}
}

// say adds a question and its answer to a session.
func (w *lifeWorld) say(s *lifeSession) {
	for _, role := range []string{"user", "assistant"} {
		w.spoken++
		text := fmt.Sprintf("what was said as number %d", w.spoken)
		parent := "null"
		if s.last != "" {
			parent = strconv.Quote(s.last)
		}
		s.last = fmt.Sprintf("e%d", w.spoken)
		message := fmt.Sprintf(`{"role":"user","content":%q}`, text)
		if role == "assistant" {
			message = fmt.Sprintf(`{"id":"m%d","role":"assistant","model":"m","content":[{"type":"text","text":%q}],"stop_reason":"end_turn"}`, w.spoken, text)
		}
		s.lines = append(s.lines, fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/w","sessionId":%q,"type":%q,"message":%s,"uuid":%q,"timestamp":%q}`,
			parent, s.id, role, message, s.last, time.Unix(1_780_000_000+int64(w.spoken), 0).UTC().Format(time.RFC3339)))
		s.texts = append(s.texts, text)
	}
	testdb.Must(w.T, os.WriteFile(filepath.Join(w.folder, s.id+".jsonl"), []byte(strings.Join(s.lines, "\n")+"\n"), 0o600))
}

// fork begins a session with copies of the entries of another one, as Claude Code does.
func (w *lifeWorld) fork(from *lifeSession) *lifeSession {
	s := &lifeSession{id: fmt.Sprintf("s%d", len(w.sessions)), last: from.last, texts: append([]string{}, from.texts...)}
	for _, line := range from.lines {
		s.lines = append(s.lines, strings.ReplaceAll(line, strconv.Quote(from.id), strconv.Quote(s.id)))
	}
	return s
}

// step does one thing at random.
func (w *lifeWorld) step() {
	w.away = w.r.IntN(2) == 0
	note := func(format string, args ...any) { w.steps = append(w.steps, fmt.Sprintf(format, args...)) }
	switch n := w.r.IntN(12); {
	case n < 2 || len(w.sessions) == 0:
		s := &lifeSession{id: fmt.Sprintf("s%d", len(w.sessions))}
		w.sessions = append(w.sessions, s)
		note("session %s begins", s.id)
		w.say(s)
	case n < 5:
		s := w.sessions[w.r.IntN(len(w.sessions))]
		note("a turn of %s", s.id)
		w.say(s)
	case n == 5:
		from := w.sessions[w.r.IntN(len(w.sessions))]
		s := w.fork(from)
		w.sessions = append(w.sessions, s)
		note("%s is a fork of %s", s.id, from.id)
		w.say(s)
	case n == 6:
		note("follow restarts")
		w.restart(w.follower.DB.Path())
		w.follow()
	case n == 7:
		w.hostTurn()
	case n == 8:
		w.follow()
	default:
		w.begins()
	}
}

// follow imports what there is.
func (w *lifeWorld) follow() {
	w.steps = append(w.steps, "follow")
	_, err := w.follower.Once(w.Context())
	w.check(err)
}

// hostTurn has the host store a turn in its active conversation, and compact it at times.
func (w *lifeWorld) hostTurn() {
	var conv int64
	if err := w.host.Read([]any{&conv}, "SELECT conversation_id FROM conversations WHERE session_key = 'agent:main:main' AND active = 1"); err != nil {
		return // It was deleted.
	}
	w.steps = append(w.steps, fmt.Sprintf("the host stores a turn in conversation %d", conv))
	for range 2 {
		w.spoken++
		text := fmt.Sprintf("what was said as number %d", w.spoken)
		_, err := w.host.Append(conv, fakehost.Message{Role: []string{"assistant", "user"}[w.spoken%2], Content: text, At: time.Unix(1_780_000_000+int64(w.spoken), 0)})
		w.check(err)
		w.hosted = append(w.hosted, text)
	}
	if c, ok, err := w.host.ChooseLeaf(conv); ok && w.r.IntN(2) == 0 {
		w.check(err)
		_, err := w.host.Write(c, "What was said until then.")
		w.check(err)
	}
}

// begins begins or ends a session by one of ours, and undoes that at times.
func (w *lifeWorld) begins() {
	db := w.follower.DB
	all, err := lcm.Conversations(w.Context(), db)
	w.check(err)
	c := all[w.r.IntN(len(all))]
	how := sessionkey.Lifecycle{Offline: true}
	var op ops.Op = &sessionkey.New{Conversation: c.ID, Retain: sessionkey.Depth(w.r.IntN(4) - 1), Lifecycle: how}
	switch w.r.IntN(3) {
	case 0:
		op = &sessionkey.Reset{Conversation: c.ID, Lifecycle: how}
	case 1:
		op = &sessionkey.End{Conversation: c.ID, Reason: []string{"idle", "deleted", "reset", "new", ""}[w.r.IntN(5)], Lifecycle: how}
	}
	p, err := op.Plan(w.Context(), db, func(int, int, string) {})
	var refused *sessionkey.RefusedError
	if errors.Is(err, ops.ErrNothing) || errors.As(err, &refused) && !c.Active {
		return
	}
	w.check(err)
	undone := w.r.IntN(4) == 0
	before := ""
	if undone && w.away {
		before = testdb.Dump(w.T, db.Path())
	}
	record, err := ops.Apply(w.Context(), db, p)
	w.check(err)
	w.steps = append(w.steps, fmt.Sprintf("%s as record %d", p.Title, record))
	if !undone {
		return
	}
	w.check(ops.Undo(w.Context(), db, record))
	w.steps = append(w.steps, "undo")
	if w.away && testdb.Dump(w.T, db.Path()) != before {
		w.fail("undo doesn't give the file back")
	}
}

// verify checks what must hold after every sequence.
func (w *lifeWorld) verify() {
	w.Helper()
	w.follow()
	path := w.follower.DB.Path()
	for query, why := range map[string]string{
		"SELECT count(*) FROM (SELECT 1 FROM conversations WHERE active = 1 AND session_key IS NOT NULL GROUP BY session_key HAVING count(*) > 1)":                              "two conversations are active under one key",
		"SELECT count(*) FROM (SELECT 1 FROM context_items GROUP BY conversation_id HAVING count(DISTINCT ordinal) <> count(*) OR max(ordinal) - min(ordinal) + 1 <> count(*))": "ordinals have gaps or come twice",
	} {
		if n, err := testdb.Count(path, query); err != nil || n > 0 {
			w.fail(fmt.Sprint(why, " ", n, " ", err))
		}
	}
	want := map[string]int{}
	for _, s := range w.sessions {
		for _, text := range s.texts {
			want[text]++
		}
	}
	for _, text := range w.hosted {
		want[text]++
	}
	got := map[string]int{}
	for _, text := range testdb.Rows(w.T, path, "SELECT content FROM messages") {
		got[text]++
	}
	for text, n := range want {
		if got[text] != n {
			w.fail(fmt.Sprintf("%q is stored %d times and was said %d times", text, got[text], n))
		}
	}
	report, err := integrity.Check(w.Context(), w.follower.DB, integrity.Request{}, func(int, int, string) {})
	w.check(err)
	for _, f := range report.Findings {
		if f.Severity != integrity.Info {
			w.fail(fmt.Sprint("the doctor finds ", f.Fault, " ", f.Conversation, " ", f.Row, " ", f.Detail))
		}
	}
}

// How many sequences of steps a world goes through, how long each is, and how many worlds there are. LCM_LIFECYCLES names
// another number of worlds: with 100 there are 1,000 sequences.
const (
	sequencesOfWorld = 10
	stepsOfSequence  = 5
	usualWorlds      = 12
)

// TestSequencesOfLifecycles: whatever begins, goes on, forks and ends, each key has one active conversation at most,
// no message is lost or stored twice, ordinals are dense, the doctor is silent, and undo gives the file back.
func TestSequencesOfLifecycles(t *testing.T) {
	t.Parallel()
	worlds, err := strconv.Atoi(os.Getenv("LCM_LIFECYCLES"))
	if err != nil {
		worlds = usualWorlds
	}
	for i := range worlds {
		if !testlength.Runs(i) {
			continue
		}
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			level := fakehost.Head
			if i%3 == 0 {
				level = fakehost.Beta
			}
			w := newLifeWorld(t, uint64(i), level)
			for range sequencesOfWorld {
				for range stepsOfSequence {
					w.step()
				}
				w.follow()
			}
			w.verify()
		})
	}
}

// TestTurnsAfterReset: what is said after a reset is stored in the conversation that began with it, once, also by
// a process that knows nothing of before; and after the session was deleted, in the archived one.
func TestTurnsAfterReset(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		op       ops.Op
		restarts bool
		in       int // The conversation that has the new turns.
	}{
		"reset":                 {&sessionkey.Reset{Conversation: 2}, false, 3},
		"reset, and a restart":  {&sessionkey.Reset{Conversation: 2}, true, 3},
		"end":                   {&sessionkey.End{Conversation: 2, Reason: "idle"}, true, 3},
		"end of a deleted one":  {&sessionkey.End{Conversation: 2, Reason: "deleted"}, true, 2},
		"an emptied context":    {&sessionkey.New{Conversation: 2}, true, 2},
		"an emptied context, 2": {&sessionkey.New{Conversation: 2}, false, 2},
	} {
		for _, level := range []fakehost.Level{fakehost.V0_14, fakehost.Head, fakehost.Beta} {
			t.Run(fmt.Sprintf("%s of %s", name, level), func(t *testing.T) {
				t.Parallel()
				w := newLifeWorld(t, 0, level)
				w.away = true
				s := &lifeSession{id: "s0"}
				w.sessions = append(w.sessions, s)
				w.say(s)
				w.say(s)
				w.follow()
				p, err := c.op.Plan(t.Context(), w.follower.DB, func(int, int, string) {})
				w.check(err)
				_, err = ops.Apply(t.Context(), w.follower.DB, p)
				w.check(err)
				if c.restarts {
					w.restart(w.follower.DB.Path())
				}
				for range 2 {
					w.say(s)
					w.follow()
				}
				w.verify()
				for i, text := range s.texts[4:] {
					n, err := testdb.Count(w.follower.DB.Path(), "SELECT conversation_id FROM messages WHERE content = ?", text)
					if w.check(err); n != c.in {
						t.Errorf("message %d after it is in conversation %d, want %d", i, n, c.in)
					}
				}
			})
		}
	}
}
