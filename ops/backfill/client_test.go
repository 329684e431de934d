package backfill_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
)

// spoke returns a line of Claude Code's in session s9.
func spoke(typ, id, parent, rest string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"sessionId":"s9","type":%q,"uuid":%q,%s}`, p, typ, id, rest)
}

func text(s string) string { return fmt.Sprintf(`"message":{"role":"user","content":%q}`, s) }

const placed = "SELECT m.content c FROM context_items i JOIN messages m USING (message_id) ORDER BY i.ordinal"

// TestHostSummary: a summary that Claude Code made itself is stored, as it's what its
// model saw, but has no place in the context; and nothing takes it for lost.
func TestHostSummary(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{fakehost.V0_15, fakehost.V0_1} {
		path := fresh(t, level)
		db := open(t, path)
		mustApply(t, db, request(t, file(t, "s9.jsonl",
			spoke("user", "a", "", text("first")), spoke("system", "b", "a", `"subtype":"compact_boundary","content":"Conversation compacted"`),
			spoke("user", "s", "b", `"isCompactSummary":true,`+text("what was said")), spoke("user", "c", "s", text("second")))))
		if got := query(t, path, "SELECT role r, content c FROM messages ORDER BY seq"); got != "r=user c=first \nr=system c=what was said \nr=user c=second \n" {
			t.Errorf("%s: stored %s", level, got)
		}
		if got := query(t, path, placed); got != "c=first \nc=second \n" {
			t.Errorf("%s: the context holds %s", level, got)
		}
		if got := query(t, path, "SELECT json_extract(metadata, '$.kind') k FROM message_parts WHERE text_content = 'what was said'"); got != "k=host-summary \n" {
			t.Errorf("%s: its part says %s", level, got)
		}
		report, err := integrity.Check(t.Context(), db, integrity.Request{}, noReport)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Findings {
			if f.Severity == integrity.Warn || f.Severity == integrity.Error {
				t.Errorf("%s: the check reports %s: %s", level, f.Fault, f.Detail)
			}
		}
	}
}

// TestGrowingAnswer: the end of a file that was written just now isn't stored while it
// may be half an answer; once it's whole, or nothing came for a while, it is, as one.
func TestGrowingAnswer(t *testing.T) {
	t.Parallel()
	piece := func(id, parent, block, stop string) string {
		return spoke("assistant", id, parent, `"message":{"id":"msg","role":"assistant","model":"m","content":[`+block+`],"stop_reason":`+stop+`}`)
	}
	lines := []string{
		spoke("user", "u", "", text("go")), piece("a", "u", `{"type":"text","text":"one"}`, "null"), piece("b", "a", `{"type":"text","text":"two"}`, `"end_turn"`),
	}
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	session := file(t, "s9.jsonl", lines[:2]...)
	touch := func(age time.Duration) {
		if err := os.Chtimes(session, time.Time{}, db.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	touch(time.Second)
	mustApply(t, db, request(t, session))
	if got := query(t, path, placed); got != "c=go \n" {
		t.Errorf("while it is written: %s", got)
	}
	_, err := request(t, session).Plan(t.Context(), db, noReport)
	if !errors.Is(err, ops.ErrNothing) || !strings.Contains(err.Error(), "may not be whole") {
		t.Errorf("again while it is written: %v", err)
	}
	write(t, session, lines...)
	touch(time.Second)
	mustApply(t, db, request(t, session))
	nothing(t, db, request(t, session))
	if got := query(t, path, placed); got != "c=go \nc=one\ntwo \n" {
		t.Errorf("once it is whole: %s", got)
	}

	cut := fresh(t, fakehost.V0_15)
	db = open(t, cut)
	write(t, session, lines[:2]...)
	touch(time.Minute)
	mustApply(t, db, request(t, session))
	if got := query(t, cut, placed); got != "c=go \nc=one \n" {
		t.Errorf("a minute after it broke off: %s", got)
	}
}

// TestRewound: messages that the user went back before leave the context, by a plan
// that says so, and stay stored.
func TestRewound(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	lines := []string{spoke("user", "a", "", text("first")), spoke("user", "b", "a", text("wrong way")), spoke("user", "c", "b", text("further"))}
	session := file(t, "s9.jsonl", lines...)
	mustApply(t, db, request(t, session))
	write(t, session, append(lines, spoke("user", "d", "a", text("right way")))...)
	o := request(t, session)
	p, err := o.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if p.Impact.ItemsBefore != 3 || p.Impact.ItemsAfter != 2 || !strings.Contains(strings.Join(p.Notes, "\n"), "2 messages go out of the context") {
		t.Errorf("the plan: %+v %v", p.Impact, p.Notes)
	}
	record, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	if got := query(t, path, placed); got != "c=first \nc=right way \n" {
		t.Errorf("the context holds %s", got)
	}
	if got := query(t, path, "SELECT count(*) n FROM messages"); got != "n=4 \n" {
		t.Errorf("stored are %s", got)
	}
	nothing(t, db, request(t, session))
	d, err := integrity.Check(t.Context(), db, integrity.Request{Faults: []integrity.FaultID{integrity.MessageUnreferenced}}, nil)
	if err != nil || len(d.Findings) > 0 { // A repair would put the messages back.
		t.Errorf("the check takes them for forgotten: %+v, %v", d.Findings, err)
	}
	if err := ops.Undo(t.Context(), db, record); err != nil {
		t.Fatal(err)
	}
	if got := query(t, path, placed); got != "c=first \nc=wrong way \nc=further \n" {
		t.Errorf("after undo the context holds %s", got)
	}
}

// TestFork: a session that begins with copies of another's messages says whose.
func TestFork(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	mustApply(t, db, request(t, file(t, "s8.jsonl", strings.ReplaceAll(spoke("user", "a", "", text("first"))+"\n"+spoke("user", "b", "a", text("second")), `"s9"`, `"s8"`))))
	fork := file(t, "s9.jsonl", spoke("user", "b", "a", text("second")), spoke("user", "c", "b", text("another way")))
	s, err := request(t, fork).Survey(t.Context(), db, noReport)
	if err != nil || s.Origin != 1 || s.Messages != 2 {
		t.Errorf("forked from %d, %d messages, %v", s.Origin, s.Messages, err)
	}
	mustApply(t, db, request(t, fork))
	var none lcm.Message
	err = lcm.EachMessage(t.Context(), db, 2, func(m lcm.Message) error { none = m; return nil })
	if err != nil || none.Content != "another way" {
		t.Errorf("the fork ends with %q, %v", none.Content, err)
	}
}
