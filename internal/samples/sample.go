package samples

import (
	"fmt"
	"path/filepath"
	"time"

	"lcm-tui/internal/fakehost"
)

// Write makes a small healthy file of a level: an active conversation with every role,
// calls and results, reasoning, CJK, a large file, summaries of depth 0 to 2 of which
// some stand in the context, and a fresh tail; and a second one, archived where the
// level knows that. Its bytes of content depend on nothing but the level and, for the
// large file, the folder it lies in. Before 0.6.1 engines kept their compactions as
// system messages outside of everything, and so does the file.
func Write(path string, level fakehost.Level) error {
	h, err := fakehost.Create(path, level)
	if err != nil {
		return err
	}
	s := writer{Writer: h, level: level, files: filepath.Join(filepath.Dir(path), "lcm-files")}
	err = h.Tx(func(*fakehost.Writer) error { return s.write() })
	if e := h.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("write sample: %w", err)
	}
	return nil
}

// writer writes the sample.
type writer struct {
	*fakehost.Writer
	level fakehost.Level
	files string
	conv  int64
	calls int
	err   error // the first; nothing is written after it
}

func (s *writer) write() error {
	s.conversation("agent:main:main", "Moving the ledger", time.Time{})
	var leaves []string
	for i := range 5 {
		leaves = append(leaves, s.leaf(i))
	}
	s.compactEvents(leaves)
	d1 := s.condense(leaves[:2], "- The ledger moves to Postgres in three steps.\n- Ids stay as they are.\n\nExpand for details about: first inventory, schema of the ledger")
	d1b := s.condense(leaves[2:4], "- Dual writes run since Tuesday; 台帳の差分は三件だけです。\n- Rollback is one flag.\n\nExpand for details about: flag name, three differences")
	s.condense([]string{d1, d1b}, "The ledger's move: inventory, schema, dual writes and how to go back.\n\nExpand for details about: the order of the steps")
	s.tail()
	s.support()
	s.focusBrief()
	s.conversation("agent:ops:cron:nightly", "Nightly report", s.Clock.Add(26*time.Hour))
	s.message(fakehost.Message{Role: "user", Content: "Write the nightly report."})
	s.message(fakehost.Message{Role: "assistant", Content: "Nothing failed last night; disk use on db-2 grew by 3%."})
	s.summarize([]int64{
		s.message(fakehost.Message{Role: "user", Content: "Why did it grow, and is it going to be a problem within the month?"}),
		s.message(fakehost.Message{Role: "assistant", Content: "Vacuum did not run on the events table since Friday: a long transaction of the reporting job holds the horizon."}),
	},
		"- db-2 grew: the reporting job's transaction blocks vacuum of events.")
	s.message(fakehost.Message{Role: "assistant", Content: "I stopped the job; vacuum runs now."})
	return s.err
}

// conversation begins a conversation; with a time it is archived then.
func (s *writer) conversation(key, title string, archived time.Time) {
	if s.err == nil {
		c := fakehost.Conversation{SessionKey: key, Title: title, Active: archived.IsZero(), Archived: archived}
		if !archived.IsZero() {
			c.Cause = "session-end"
		}
		s.conv, s.err = s.Conversation(c)
	}
}

// message writes a message, unless something failed before.
func (s *writer) message(m fakehost.Message) (id int64) {
	if s.err == nil {
		id, s.err = s.Message(s.conv, m)
	}
	return id
}

func (s *writer) summarize(ids []int64, text string) (id string) {
	if s.err == nil {
		id, s.err = s.Leaf(s.conv, ids, text, fakehost.SummaryOptions{Model: "anthropic/claude-sonnet-4-5"})
	}
	return id
}

func (s *writer) condense(ids []string, text string) (id string) {
	if s.err == nil {
		id, s.err = s.Condense(s.conv, ids, text, fakehost.SummaryOptions{Model: "anthropic/claude-sonnet-4-5"})
	}
	return id
}

// call returns the next tool call id: every other one in the shape of Anthropic.
func (s *writer) call() string {
	s.calls++
	if s.calls%2 == 0 {
		return fmt.Sprintf("toolu_%s", fakehost.Digest(fmt.Sprint("call", s.calls))[:20])
	}
	return fmt.Sprintf("call_%s", fakehost.Digest(fmt.Sprint("call", s.calls))[:20])
}
