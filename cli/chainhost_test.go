package cli_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// chainSession is a session of a chain at its start.
type chainSession struct {
	key            string
	days, messages int // How long ago it began, and how long it is.
	archived       bool
}

var chainSessions = []chainSession{
	{"agent:main:main", 3, 8, false},
	{"agent:main:telegram:direct:42", 100, 40, false},
	{"agent:main:cron:daily:run:1", 60, 20, true},
	{"agent:main:subagent:s1", 40, 12, false},
	{"agent:work:main", 200, 16, true},
}

// newChain makes a database with conversations of several sessions.
func newChain(t *testing.T, seed uint64, beside bool) *chain {
	t.Helper()
	c := &chain{
		t: t, r: rand.New(rand.NewPCG(seed, 7)), //nolint:gosec // The same every time.
		path: filepath.Join(t.TempDir(), "lcm.db"), sessions: map[string]*fakehost.Session{}, texts: map[string]hostText{}, beside: beside,
		lost: map[string]bool{}, renamed: map[int64][2]string{},
	}
	w, err := fakehost.Create(c.path, fakehost.Head)
	c.check(err)
	c.check(w.Close())
	c.host(func(h *fakehost.Host) {
		for i, s := range chainSessions {
			c.begin(h, strconv.Itoa(i), s)
		}
	})
	c.before = testdb.Dump(t, c.path)
	c.faults = c.found()
	return c
}

// begin makes the conversation of a session, now and then a second one after a reset, and in one of the chains a
// long one, of whose newest messages no operation may take the text.
func (c *chain) begin(h *fakehost.Host, id string, begun chainSession) {
	if begun.messages == 40 && c.r.IntN(4) == 0 {
		begun.messages = 560
	}
	at := time.Now().AddDate(0, 0, -begun.days)
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: begun.key, SessionID: "session-" + id, Active: true, At: at})
	c.check(err)
	s := c.session(begun.key, "session-"+id)
	ids := c.r.IntN(3) > 0
	c.tell(h, conv, s, ids, begun.messages, at)
	for compacted := true; compacted && c.r.IntN(4) > 0; {
		compacted = c.compact(h, conv)
	}
	if begun.archived {
		c.check(h.Exec(`UPDATE conversations SET active = 0, archived_at = datetime('now', '-30 days'), archive_cause = 'session-end',
			updated_at = datetime('now', '-30 days') WHERE conversation_id = ?`, conv))
		return
	}
	c.sessions[begun.key] = s
	_, _, err = h.OpenSession(*s)
	c.check(err)
	if c.r.IntN(3) > 0 {
		return
	}
	next, err := h.Reset(conv)
	c.check(err)
	c.check(h.Exec("UPDATE conversations SET archived_at = datetime('now', '-20 days'), updated_at = datetime('now', '-20 days') WHERE conversation_id = ?", conv))
	*s = *c.session(begun.key, s.ID+"-b")
	c.tell(h, next, s, ids, 4, time.Now().AddDate(0, 0, -begun.days/2))
	_, _, err = h.OpenSession(*s)
	c.check(err)
}

// session returns a session without a transcript.
func (c *chain) session(key, id string) *fakehost.Session {
	return &fakehost.Session{Key: key, ID: id, Transcript: fakehost.Transcript{Path: filepath.Join(filepath.Dir(c.path), id+".jsonl"), Header: id}}
}

// tell stores n messages, one a minute, and writes the transcript of the session.
func (c *chain) tell(h *fakehost.Host, conv int64, s *fakehost.Session, ids bool, n int, at time.Time) {
	for j := range n {
		m := c.say(j, s, ids)
		m.At = at.Add(time.Duration(j) * time.Minute)
		s.Transcript.Entries = append(s.Transcript.Entries, m)
		_, err := h.Message(conv, m)
		c.check(err)
	}
	c.check(s.Transcript.Save())
}

// say makes a message that nobody said before.
func (c *chain) say(j int, s *fakehost.Session, ids bool) fakehost.Message {
	c.next++
	mark := fmt.Sprintf("⟨%d⟩", c.next)
	m := fakehost.Message{Role: []string{"user", "assistant"}[j%2], Content: mark + " " + strings.Repeat("the ledger of "+s.Key+" moves on. ", 1+c.r.IntN(6))}
	if c.r.IntN(25) == 0 {
		m.Content += " my key is ghp_" + strings.Repeat(fmt.Sprintf("%04dAbZ9", c.next), 5)[:36]
	}
	if c.r.IntN(12) == 0 && j > 0 {
		m.Role = "tool"
		if c.r.IntN(2) == 0 {
			m.Content += strings.Repeat("output of a tool ", 80)
		}
		m.Parts = []fakehost.Part{{Type: "text", Text: m.Content, ToolCallID: fmt.Sprint("call_", c.next, "abcdefghijklmnop"), ToolName: "exec"}}
	}
	if ids {
		m.EntryID = fmt.Sprintf("%s-%d", s.ID, c.next)
	}
	c.texts[mark] = hostText{m.Role, m.Content}
	return m
}

// host lets a host do something.
func (c *chain) host(f func(h *fakehost.Host)) {
	config := fakehost.Defaults()
	config.FreshTailCount, config.LeafChunkTokens, config.LeafMinFanout, config.CondensedMinFanout = 4, 300, 3, 3
	h, err := fakehost.Start(c.path, config)
	c.check(err)
	f(h)
	c.check(h.Close())
}

// compact makes one summary, if there is something to summarise.
func (c *chain) compact(h *fakehost.Host, conv int64) bool {
	choice, ok, err := h.ChooseLeaf(conv)
	if err == nil && (!ok || c.r.IntN(3) == 0) {
		choice, ok, err = h.ChooseCondensed(conv, 5, false)
	}
	c.check(err)
	if !ok {
		return false
	}
	c.next++
	_, err = h.Write(choice, fmt.Sprintf("summary %d of what was said about the ledger", c.next))
	c.check(err)
	return true
}

// hostStep is a turn, a compaction, a restart, a replay or a reset of a session.
func (c *chain) hostStep() {
	var keys []string
	for k := range c.sessions {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	s := c.sessions[keys[c.r.IntN(len(keys))]]
	c.host(func(h *fakehost.Host) {
		ids := len(s.Transcript.Entries) > 0 && s.Transcript.Entries[0].EntryID != ""
		what := c.r.IntN(5)
		if what == 1 {
			c.check(h.Restart())
		}
		conv, added, err := h.OpenSession(*s)
		c.check(err)
		c.log = append(c.log, fmt.Sprintf("host %d in %d of %s (ids %v, %d added)", what, conv, s.Key, ids, added))
		switch what {
		case 0, 1:
			for j := range 2 {
				m := c.say(j, s, ids)
				s.Transcript.Entries = append(s.Transcript.Entries, m)
				_, err := h.Append(conv, m)
				c.check(err)
			}
			c.check(s.Transcript.Save())
			_, _, err = h.OpenSession(*s)
			c.check(err)
		case 2:
			c.compact(h, conv)
		case 3: // Downtime: the agent goes on, the host catches up later.
			for j := range 3 {
				s.Transcript.Entries = append(s.Transcript.Entries, c.say(j, s, ids))
			}
			c.check(s.Transcript.Save())
			_, n, err := h.OpenSession(*s)
			c.check(err)
			if n != 3 {
				c.errorf("the host stored %d of 3 messages of its transcript in conversation %d", n, conv)
			}
		case 4:
			_, err := h.Replay(conv, s.Transcript.Entries)
			c.check(err)
		}
	})
}
