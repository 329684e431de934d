package ops_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testdb"
)

// world is a database on which a host and our program work at the same time.
type world struct {
	*testing.T
	r        *rand.Rand
	path     string
	level    fakehost.Level
	db       *data.DB
	host     *fakehost.Host
	history  []fakehost.Message // The history of conversation 1, which the host is in.
	warnings int                // Messages, so that all differ.
	// missed are messages that stand in the session file, and that the host stores only
	// when it looks there.
	missed []fakehost.Message

	chosen  *fakehost.Choice // What the host is compacting now.
	batch   string           // Or what it has prepared and checked.
	crossed bool             // Something of ours was written since it chose.
	away    bool             // It is shut down, and starts when it has something to do.
	silent  bool             // All its messages are hours old.
	gaps    bool             // A damage has left gaps in a context, and no write has closed them yet.
	crosses int              // How often it ended such a compaction.
	// must are the messages that have to be reachable; loose those that came with a
	// write of ours, and may go with its undo.
	must, loose map[int64]bool
	// twice are the messages that may be reached from two places of a context: the host
	// ended a compaction of them that it had begun before a write of ours.
	twice map[int64]bool
	known map[string]bool // Findings that were there before.
	steps []string
}

// small are a host's settings for conversations of a few messages.
var small = fakehost.Config{
	FreshTailCount: 3, LeafChunkTokens: 60, CondensedTarget: 4, LeafMinFanout: 2, CondensedMinFanout: 2, HardMinFanout: 2, RetainDepth: 1,
}

// newWorld makes a conversation with some past, and one that is archived.
func newWorld(t *testing.T, r *rand.Rand) *world {
	t.Helper()
	level := fakehost.Head
	if r.IntN(3) == 0 {
		level = fakehost.Beta
	}
	return newWorldOf(t, r, level)
}

// newWorldOf is newWorld with a file of a level.
func newWorldOf(t *testing.T, r *rand.Rand, level fakehost.Level) *world {
	t.Helper()
	w := &world{T: t, r: r, path: filepath.Join(t.TempDir(), "lcm.db"), must: map[int64]bool{}, loose: map[int64]bool{}, known: map[string]bool{}, twice: map[int64]bool{}}
	w.level, w.silent = level, r.IntN(2) == 0
	h, err := fakehost.Create(w.path, w.level)
	w.check(err)
	for i, key := range []string{"agent:main:main", "agent:main:other"} {
		c := fakehost.Conversation{SessionKey: key, Active: i == 0}
		_, err := h.Conversation(c)
		w.check(err)
	}
	w.check(h.Close())
	w.host, err = fakehost.Start(w.path, small)
	w.check(err)
	t.Cleanup(func() { _ = w.host.Close() })
	w.past(2, 12)
	w.past(1, 14+r.IntN(10))
	w.db = testdb.Open(t, w.path)
	ids := 0
	w.db.NewID = func() string {
		ids++
		return fmt.Sprintf("%016x", ids)
	}
	w.db.Holders = func(string) filesystem.Holders {
		if w.away && !w.busy() {
			return filesystem.Holders{Known: true}
		}
		return filesystem.Holders{Names: []string{"host"}, Known: true}
	}
	w.note()
	for key := range w.findings() {
		w.known[key] = true
	}
	return w
}

func (w *world) check(err error) {
	w.Helper()
	if err != nil {
		w.Fatalf("%v\n%s", err, w.story())
	}
}

// past lets a conversation of n messages go on for a while.
func (w *world) past(conv int64, n int) {
	for range n {
		w.turn(conv)
		if w.r.IntN(3) == 0 {
			w.choose(conv)
			w.finish()
		}
	}
}

// message returns one that was never said before.
func (w *world) message(conv int64) fakehost.Message {
	w.warnings++
	at := time.Now().UTC().Add(-time.Minute)
	if w.silent {
		at = at.Add(-5 * time.Hour)
	}
	return fakehost.Message{
		Role: []string{"user", "assistant"}[w.warnings%2], At: at, EntryID: fmt.Sprintf("entry%d", w.warnings),
		Content: fmt.Sprintf("message %d of conversation %d says something that takes a few tokens", w.warnings, conv),
	}
}

// turn is a message of the host.
func (w *world) turn(conv int64) {
	m := w.message(conv)
	_, err := w.host.Append(conv, m)
	w.check(err)
	if conv == 1 {
		w.history = append(w.history, m)
	}
}

// store lets the host store what it missed. It knows it if we have stored it.
func (w *world) store() {
	_, err := w.host.Append(1, w.missed...)
	w.check(err)
}

// choose lets the host begin a compaction, if it isn't in one.
func (w *world) choose(conv int64) {
	if w.chosen != nil || w.batch != "" {
		return
	}
	if w.level == fakehost.Beta && w.r.IntN(2) == 0 {
		w.prepare(conv)
		return
	}
	pick := w.host.ChooseLeaf
	if w.r.IntN(2) == 0 {
		pick = func(conv int64) (fakehost.Choice, bool, error) { return w.host.ChooseCondensed(conv, -1, true) }
	}
	c, ok, err := pick(conv)
	w.check(err)
	if ok {
		w.chosen = &c
		w.step("host: has chosen %d–%d", c.First, c.Last)
	}
}

// prepare lets a host of 1.0 prepare a batch, up to the last look before it publishes.
func (w *world) prepare(conv int64) {
	batch, nodes, ok, err := w.host.Plan(conv)
	w.check(err)
	if !ok {
		return
	}
	for _, n := range nodes {
		n, ok, err := w.host.Claim(n)
		w.check(err)
		if ok {
			w.check(w.host.Finish(n, fmt.Sprintf("host %x", w.r.Uint64())))
		}
	}
	why, err := w.host.Check(batch)
	w.check(err)
	w.step("host: has prepared %d–%d %s", nodes[0].First, nodes[len(nodes)-1].End, why)
	if why == "" {
		w.batch = batch
	}
}

// busy reports whether the host is in a compaction.
func (w *world) busy() bool { return w.chosen != nil || w.batch != "" }

// finish lets the host end its compaction. A source that is gone stops it, and so does
// a batch that was given up.
func (w *world) finish() {
	var err error
	switch {
	case w.batch != "":
		err = w.host.Publish(w.batch)
		w.step("host: publishes: %v", err)
	case w.chosen != nil:
		_, err = w.host.Write(*w.chosen, fmt.Sprintf("host %x", w.r.Uint64()))
		w.step("host: ends what it chose at %d–%d: %v", w.chosen.First, w.chosen.Last, err)
	default:
		return
	}
	if w.crossed && err == nil {
		w.crosses++
		maps.Copy(w.twice, w.reached(2))
	}
	w.chosen, w.batch, w.crossed = nil, "", false
	if w.r.IntN(2) == 0 { // Ten minutes pass.
		w.check(w.host.Exec("UPDATE context_items SET created_at = '2026-01-05 09:00:00'"))
	}
}

// reached returns the messages that can be reached from so many places of contexts.
func (w *world) reached(places int) map[int64]bool {
	return w.ids(fmt.Sprintf(`WITH RECURSIVE below(place, id) AS (
		SELECT rowid, summary_id FROM context_items WHERE summary_id IS NOT NULL
		UNION SELECT place, p.parent_summary_id FROM below JOIN summary_parents p ON p.summary_id = below.id)
		SELECT message_id FROM (
			SELECT rowid AS place, message_id FROM context_items WHERE message_id IS NOT NULL
			UNION SELECT place, l.message_id FROM below JOIN summary_messages l ON l.summary_id = below.id)
		GROUP BY message_id HAVING count(*) >= %d`, places))
}

// messages returns all messages.
func (w *world) messages() map[int64]bool { return w.ids("SELECT message_id FROM messages") }

// ids returns the numbers that a query answers with.
func (w *world) ids(query string) map[int64]bool {
	out := map[int64]bool{}
	w.check(w.host.Each(query, nil, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		out[id] = true
		return err
	}))
	return out
}

// note adds what is reachable to what must stay so.
func (w *world) note() {
	for id := range w.reached(1) {
		w.must[id] = true
	}
}

// held says what no longer holds, or nothing.
func (w *world) held() string {
	there, all := w.reached(1), w.messages()
	var lost []int64
	for id := range w.must {
		if !there[id] && (all[id] || !w.loose[id]) {
			lost = append(lost, id)
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		return fmt.Sprintf("messages %v can no longer be reached", lost)
	}
	for id := range w.reached(2) {
		if !w.twice[id] {
			return fmt.Sprintf("message %d can be reached from two places", id)
		}
	}
	if n := len(w.ids("SELECT max(message_id) FROM messages GROUP BY conversation_id, content HAVING count(*) > 1")); n > 0 {
		return fmt.Sprintf("%d messages are stored twice", n)
	}
	if n := len(w.ids("SELECT max(ordinal) FROM context_items GROUP BY conversation_id, coalesce(summary_id, message_id) HAVING count(*) > 1")); n > 0 {
		return fmt.Sprintf("%d messages or summaries stand in a context twice", n)
	}
	if n := len(w.ids("SELECT conversation_id FROM context_items GROUP BY conversation_id HAVING max(ordinal) - min(ordinal) + 1 > count(*)")); n > 0 && !w.gaps {
		return "a context has gaps in its ordinals"
	}
	return ""
}

// findings returns those of a check that matter, by fault and row.
func (w *world) findings() map[string]string {
	d, err := integrity.Check(w.Context(), w.db, integrity.Request{}, nil)
	w.check(err)
	out := map[string]string{}
	for _, f := range d.AtLeast(integrity.Warn).Findings {
		out[string(f.Fault)] = f.Detail
	}
	return out
}

// overlaps are the findings about two summaries of the same messages, of which one may
// have lost its place to the other.
var overlaps = map[string]bool{"C06": true, "C12": true, "C07": true, "L08": true, "L09": true, "L10": true, "L11": true}

// newFindings returns the findings that weren't there before.
func (w *world) newFindings() (out []string) {
	found := w.findings()
	for _, fault := range slices.Sorted(maps.Keys(found)) {
		if !w.known[fault] && (w.crosses == 0 || !overlaps[fault]) {
			out = append(out, fault+": "+found[fault])
		}
	}
	return out
}

// model summarises in a few words that depend on what it is given.
type model struct{}

func (model) Name() string { return "test/model" }

func (model) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{Text: fmt.Sprintf("ours %x", sha256.Sum256([]byte(r.Source)))[:24], Model: "test/model"}, nil
}

// refused reports whether a write of ours was refused rightly.
func refused(err error) bool {
	var stale *data.StaleError
	var replay *change.ReplayError
	return errors.As(err, &stale) || errors.As(err, &replay)
}
