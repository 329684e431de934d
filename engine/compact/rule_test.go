package compact_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/compact"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// writeConversation writes a conversation: a word is a message of the user of ten tokens each;
// "a" before it makes it the assistant's, "-" a blank one, and "s" a summary of the
// message before.
func writeConversation(t *testing.T, words string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	if err != nil {
		t.Fatal(err)
	}
	var last int64
	for _, w := range strings.Fields(words) {
		m := fakehost.Message{Role: "user", Content: w + strings.Repeat(" x", 20), Tokens: 10}
		switch w[0] {
		case 'a':
			m.Role = "assistant"
		case '-':
			m.Content = " "
		case 's':
			if _, err := h.Leaf(conv, []int64{last}, strings.Trim(w[1:], "-")+" "); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if last, err = h.Message(conv, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// asked returns what each call was shown: the source and the previous context, by their first words.
func asked(calls []summarize.Request) (out []string) {
	for _, c := range calls {
		var words []string
		for _, text := range strings.Split(c.Source, "\n\n") {
			_, body, _ := strings.Cut(text, "\n")
			words = append(words, strings.Fields(body)[0])
		}
		out = append(out, strings.Join(words, " ")+" <"+strings.Join(strings.Fields(c.Previous), " ")+">")
	}
	return out
}

// numbered returns a model that answers with its call's number.
func numbered(n int) (string, bool, error) { return string(rune('A' + n - 1)), true, nil }

func TestMessagesTakenAndReported(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, c := range []struct {
		name, words string
		change      func(*compact.Request)
		want        []string
		stopped     compact.Reason
	}{
		{
			"chunks are cut at the limit, and the tail stays", "u1 a1 u2 a2 u3 a3 u4 a4", nil,
			[]string{"u1 a1 <>", "u2 a2 <A>", "u3 a3 <B>"},
			compact.Compacted,
		},
		{"everything is in the tail", "u1 a1", nil, nil, compact.Nothing},
		{"nothing is protected", "u1 a1", func(r *compact.Request) { r.Config.FreshTailCount = 0 }, []string{"u1 a1 <>"}, compact.Compacted},
		{"the tail reaches to the user's newest message", "u1 a1 a2 a3 a4", func(r *compact.Request) { r.Config.FreshTailCount = 1 }, nil, compact.Nothing},
		{"without a user it doesn't", "a0 a1 a2", func(r *compact.Request) { r.Config.FreshTailCount = 1 }, []string{"a0 a1 <>"}, compact.Compacted},
		{"the newest message stays however large", "u1 a1 u2", func(r *compact.Request) { r.Config.FreshTailMaxTokens = new(int64(1)) }, []string{"u1 a1 <>"}, compact.Compacted},
		{"a limit of nothing leaves the newest", "u1 a1 u2", func(r *compact.Request) { r.Config.FreshTailMaxTokens = new(int64(0)) }, []string{"u1 a1 <>"}, compact.Compacted},
		{"a message larger than the limit is taken alone", "u1 a1 u2 a2", func(r *compact.Request) { r.Config.LeafChunkTokens = 1 }, []string{"u1 <>", "a1 <A>"}, compact.Compacted},
		{"a summary ends a chunk", "u1 sone u2 stwo u3 a3 u4 a4", nil, []string{"u3 a3 <>"}, compact.Compacted},
		{
			"a blank chunk is skipped, and the next is shown the previous context", "u1 sone u2 stwo -1 -2 u3 a3 u4 a4 u5 a5", nil,
			[]string{"u3 a3 <one two>", "u4 a4 <A>"},
			compact.Compacted,
		},
		{"blank messages are all there is", "-1 -2 -3 -4 u1 a1", nil, nil, compact.Nothing},
		{"one leaf is shown the previous context", "u1 sone u2 stwo u3 sthree u4 a4 u5 a5", func(r *compact.Request) { r.Mode = compact.Leaf }, []string{"u4 a4 <two three>"}, compact.Compacted},
		{"previous context is read as a message", `u1 s{"text":"{}"} u2 s<think>x</think> u3 stwo u4 a4 u5 a5`, func(r *compact.Request) { r.Mode = compact.Leaf }, []string{"u4 a4 <{} two>"}, compact.Compacted},
		{"one leaf stops before what is blank", "-1 -2 u3 a3 u4 a4", func(r *compact.Request) { r.Mode = compact.Leaf }, nil, compact.Nothing},
		{"one leaf below the threshold", "u1 a1 u2 a2", func(r *compact.Request) { r.Mode, r.Force, r.Config.LeafChunkTokens = compact.Leaf, false, 21 }, nil, compact.BelowThreshold},
		{"one leaf because of enough messages", "u1 a1 u2 a2", func(r *compact.Request) { r.Mode, r.Force = compact.Leaf, false }, []string{"u1 a1 <>"}, compact.Compacted},
		{"the threshold itself is below it", "u1 a1 u2 a2", func(r *compact.Request) { r.Force, r.Budget, r.Config.ContextThreshold = false, 40, 1 }, nil, compact.BelowThreshold},
		{"above the threshold", "u1 a1 u2 a2", func(r *compact.Request) { r.Force, r.Budget, r.Config.ContextThreshold = false, 39, 1 }, []string{"u1 a1 <>"}, compact.Compacted},
		{"above where to stop", "u1 a1 u2 a2 u3 a3", func(r *compact.Request) { r.Force, r.StopAt = false, 45 }, []string{"u1 a1 <>"}, compact.AtStop},
		{"the most passes", "u1 a1 u2 a2 u3 a3 u4 a4", func(r *compact.Request) { r.Config.MaxSweepIterations = 2 }, []string{"u1 a1 <>", "u2 a2 <A>"}, compact.IterationCap},
		{"a target that is reached", "u1 a1 u2 a2", func(r *compact.Request) { r.Mode, r.Target = compact.Until, 40 }, []string{"u1 a1 <>"}, compact.Compacted},
		{"a target that is far", "u1 a1 u2 a2", func(r *compact.Request) { r.Mode, r.Target = compact.Until, 41 }, nil, compact.UnderTarget},
		{"a target that the tail is above", "u1 a1 u2 a2", func(r *compact.Request) { r.Mode, r.Target = compact.Until, 5 }, []string{"u1 a1 <>"}, compact.StillOver},
		{"a target that only the live context is above", "u2 a2", func(r *compact.Request) { r.Mode, r.Target, r.Observed = compact.Until, 30, 31 }, nil, compact.LiveOver},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := compact.Request{Mode: compact.Sweep, Config: compact.Defaults(), Force: true}
			r.Config.FreshTailCount, r.Config.LeafChunkTokens, r.Config.Timezone = 2, 20, "UTC"
			if c.change != nil {
				c.change(&r)
			}
			m := &recorder{script: numbered}
			o, err := compact.Run(t.Context(), open(t, writeConversation(t, c.words)), 1, r, m, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, asked(m.calls)); diff != "" || o.Stopped != c.stopped {
				t.Errorf("stopped: %s\n%s", o.Stopped, diff)
			}
		})
	}
}

func TestWhatIsCondensed(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	pressed := func(r *compact.Request) { r.Config.SummaryPrefixTargetTokens, r.Config.CondensedTargetTokens = 1, 1 }
	for _, c := range []struct {
		name, words string
		change      func(*compact.Request)
		want        []string
	}{
		{"the oldest run of a depth", "u1 sone u2 stwo u3 sthree u4 a4", pressed, []string{"one two three <>"}},
		{"too few", "u1 sone u2 stwo u4 a4", func(r *compact.Request) { pressed(r); r.Config.CondensedMinFanoutHard = 3 }, nil},
		{"few are enough under pressure that remains", "u1 sone u2 stwo u4 a4", pressed, []string{"one two <>"}},
		{"no pressure", "u1 sone u2 stwo u3 sthree u4 a4", func(r *compact.Request) { r.Config.SummaryPrefixTargetTokens = 100 }, nil},
		{"too little to be worth it", "u1 sone u2 stwo u3 sthree u4 a4", func(r *compact.Request) { pressed(r); r.Config.CondensedTargetTokens = 50 }, nil},
		{"a blank one at the start is skipped, one inside goes along", "u1 s- u2 sone u3 s- u4 stwo u5 a5", pressed, []string{"one two <>"}},
		{"a message between ends the run, and what is behind it waits", "u1 sone -2 u3 stwo u4 sthree u5 a5", func(r *compact.Request) {
			pressed(r)
			r.Config.LeafMinFanout = 2
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := compact.Request{Mode: compact.Sweep, Config: compact.Defaults(), Force: true}
			r.Config.FreshTailCount, r.Config.LeafChunkTokens, r.Config.Timezone, r.Config.LeafMinFanout = 2, 20, "UTC", 3
			c.change(&r)
			m := &recorder{script: numbered}
			o, err := compact.Run(t.Context(), open(t, writeConversation(t, c.words)), 1, r, m, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, a := range asked(m.calls) {
				if m.calls[i].Depth > 0 {
					got = append(got, a)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("stopped: %s\n%s", o.Stopped, diff)
			}
		})
	}
}

// TestHowDeepALeafCondenses: the limit of a sweep also holds for the condensing behind a leaf.
func TestHowDeepALeafCondenses(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]int{0: 1, 1: 2, 2: 3, 5: 3, -1: 3} {
		r := request()
		r.Mode, r.Config.SweepMaxDepth, r.Config.CondensedTargetTokens = compact.Leaf, limit, 1
		r.Config.LeafMinFanout, r.Config.CondensedMinFanout, r.Config.LeafChunkTokens = 2, 1, 10
		m := &recorder{script: numbered}
		o, err := compact.Run(t.Context(), open(t, writeConversation(t, "u1 sone u2 stwo u3 a3 u4 a4")), 1, r, m, nil)
		if err != nil || len(o.New) != want {
			t.Errorf("limit %d: %d summaries, want %d (%v): %q", limit, len(o.New), want, err, asked(m.calls))
		}
	}
}

func request() compact.Request {
	r := compact.Request{Mode: compact.Sweep, Config: compact.Defaults(), Force: true}
	r.Config.FreshTailCount, r.Config.LeafChunkTokens, r.Config.Timezone = 2, 20, "UTC"
	return r
}

func TestTheDeadlineStopsASweepBetweenPasses(t *testing.T) {
	t.Parallel()
	db := open(t, writeConversation(t, "u1 a1 u2 a2 u3 a3 u4 a4"))
	now := db.Now()
	db.Now = func() time.Time { return now }
	m := &recorder{script: func(n int) (string, bool, error) {
		now = now.Add(70 * time.Second)
		return numbered(n)
	}}
	o, err := compact.Run(t.Context(), db, 1, request(), m, nil)
	if err != nil || o.Stopped != compact.Deadline || len(o.New) != 2 {
		t.Errorf("%d summaries, %s, %v", len(o.New), o.Stopped, err)
	}
}

func TestACancelledRunKeepsWhatItMade(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	m := &recorder{script: func(n int) (string, bool, error) {
		if n == 2 {
			cancel()
			return "", true, ctx.Err()
		}
		return numbered(n)
	}}
	o, err := compact.Run(ctx, open(t, writeConversation(t, "u1 a1 u2 a2 u3 a3 u4 a4")), 1, request(), m, nil)
	var partial *compact.PartialError
	if !errors.As(err, &partial) || !errors.Is(err, context.Canceled) || partial.Made != 1 {
		t.Errorf("error %v", err)
	}
	if o.Stopped != compact.Cancelled || len(o.New) != 1 || len(o.Context) != 7 || o.Usage.Calls != 2 {
		t.Errorf("%d summaries, %d places, %d calls, %s", len(o.New), len(o.Context), o.Usage.Calls, o.Stopped)
	}
}

func TestWithoutAModel(t *testing.T) {
	t.Parallel()
	db := open(t, writeConversation(t, "u1 a1 u2 a2 u3 a3 u4 a4"))
	r := request()
	if _, err := compact.Run(t.Context(), db, 1, r, nil, nil); !errors.Is(err, compact.ErrNoModel) {
		t.Errorf("error %v", err)
	}
	r.Fallback = true
	r.Config.LeafChunkTokens = 60
	o, err := compact.Run(t.Context(), db, 1, r, nil, nil)
	if err != nil || o.Usage.Calls != 0 || len(o.New) != 1 || o.Level != summarize.LevelFallback {
		t.Errorf("%d summaries, level %q, %d calls, %v", len(o.New), o.Level, o.Usage.Calls, err)
	}
	if got := summarize.Detect(o.New[0].Content, o.New[0].Model); got != summarize.Truncated {
		t.Errorf("marker %q", got)
	}
}

// TestEstimateIsTheRunThatWritesToItsTargets: the same passes over the same
// sources, and nothing asked.
func TestEstimateIsTheRunThatWritesToItsTargets(t *testing.T) {
	t.Parallel()
	db := open(t, writeConversation(t, "u1 a1 u2 a2 u3 a3 u4 a4"))
	e, err := compact.Estimate(t.Context(), db, 1, request())
	if err != nil {
		t.Fatal(err)
	}
	m := &recorder{script: numbered}
	o, err := compact.Run(t.Context(), db, 1, request(), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Passes) != len(o.Passes) || e.Usage.Calls != len(m.calls) || e.Usage.OutputTokens == 0 || e.TokensAfter <= o.TokensAfter {
		t.Errorf("estimated %d passes, %+v, %d tokens after; were %d, %d calls, %d", len(e.Passes), e.Usage, e.TokensAfter,
			len(o.Passes), len(m.calls), o.TokensAfter)
	}
	for i, p := range e.Passes {
		if p.Source != o.Passes[i].Source || p.Kind != lcm.KindLeaf || p.First != o.Passes[i].First || p.Count != 2 {
			t.Errorf("pass %d differs", i+1)
		}
	}
}

// TestASenderWeighs: the name of who spoke counts when messages are chosen and in
// what the reference engine reports, but isn't stored with the tokens.
func TestASenderWeighs(t *testing.T) {
	t.Parallel()
	path := writeConversation(t, "u1 a1 u2 a2 u3 a3")
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Exec(`UPDATE messages SET openclaw_sender_metadata = '{"senderId":"22"}', token_count = 0 WHERE seq = 1`)
	if err = errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	r, m := request(), &recorder{script: numbered}
	r.Config.LeafChunkTokens = 30
	o, err := compact.Run(t.Context(), open(t, path), 1, r, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"u1 <>", "a1 u2 a2 <A>"}
	if diff := cmp.Diff(want, asked(m.calls)); diff != "" {
		t.Error(diff)
	}
	// 42 characters of text and 47 of its speaker make 11 and 12.
	if s := o.New[0].SourceTokens; s != 23 || o.TokensBefore != 50 || o.TokensAfter != 22 || o.Counted != 0 {
		t.Errorf("source of %d, %d → %d, counted %d", s, o.TokensBefore, o.TokensAfter, o.Counted)
	}
}

// TestOldFilesCountAsTheirHost: up to 0.7 a host counts a text of ten ideographs as three tokens, so a
// row without a number weighs that much.
func TestOldFilesCountAsTheirHost(t *testing.T) {
	t.Parallel()
	for level, want := range map[fakehost.Level]int64{fakehost.V0_7: 3, fakehost.V0_8: 15} {
		path := filepath.Join(t.TempDir(), "lcm.db")
		h, err := fakehost.Create(path, level)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Repeat("部", 10)
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:old", Active: true})
		_, err1 := h.Message(conv, fakehost.Message{Role: "user", Content: text})
		_, err2 := h.Message(conv, fakehost.Message{Role: "user", Content: "last"})
		err = errors.Join(err, err1, err2, h.Exec("UPDATE messages SET token_count = 0 WHERE content = ?", text), h.Close())
		if err != nil {
			t.Fatal(err)
		}
		r := request()
		r.Config.FreshTailCount = 1
		o, err := compact.Run(t.Context(), open(t, path), conv, r, &recorder{script: numbered}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(o.New) != 1 || o.New[0].SourceTokens != want {
			t.Errorf("%s: %+v, not a source of %d tokens", level, o.New, want)
		}
	}
}

// TestASenderInAnUpgradedFile: the betas of 1.0 don't read who sent a message, though a file that
// they upgraded has it. So it counts nothing, and no model is shown it.
func TestASenderInAnUpgradedFile(t *testing.T) {
	t.Parallel()
	path := writeConversation(t, "u1 a1 u2 a2 u3 a3")
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Exec(`UPDATE messages SET openclaw_sender_metadata = '{"senderId":"22"}' WHERE seq = 1`)
	err = errors.Join(err, h.Exec("CREATE TABLE pending_compaction_batches (batch_id TEXT PRIMARY KEY)"), h.Close())
	if err != nil {
		t.Fatal(err)
	}
	r, m := request(), &recorder{script: numbered}
	o, err := compact.Run(t.Context(), open(t, path), 1, r, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if source := m.calls[0].Source; strings.Contains(source, "speaker") || o.New[0].SourceTokens != 20 {
		t.Errorf("source of %d tokens: %s", o.New[0].SourceTokens, source)
	}
}

func TestDueIsAboveTheThreshold(t *testing.T) {
	t.Parallel()
	c := compact.Defaults()
	for _, x := range []struct {
		stored, observed int64
		want             bool
	}{{750, 0, false}, {751, 0, true}, {1, 751, true}, {1, 750, false}} {
		if got := c.Due(x.stored, x.observed, 1001); got != x.want {
			t.Errorf("%d stored, %d observed: %v", x.stored, x.observed, got)
		}
	}
}

// TestForgottenMessagesAreNotSummarized: a message whose text was forgotten, and that somebody
// put into the context again, stops the run, also an estimate; what was made before stays.
func TestForgottenMessagesAreNotSummarized(t *testing.T) {
	t.Parallel()
	path := writeConversation(t, "u1 a1 u2 a2 u3 a3 u4 a4")
	testdb.Forget(t, path, "seq = 3")
	db := open(t, path)
	m := &recorder{script: numbered}
	o, err := compact.Run(t.Context(), db, 1, request(), m, nil)
	var forgotten *lineage.ForgottenError
	if !errors.As(err, &forgotten) || !slices.Equal(forgotten.Seqs, []int64{3}) || len(o.New) != 1 || o.Stopped != compact.Failed {
		t.Errorf("%d summaries, %s, %v", len(o.New), o.Stopped, err)
	}
	if _, err := compact.Estimate(t.Context(), db, 1, request()); !errors.As(err, &forgotten) {
		t.Errorf("estimate: %v", err)
	}
}
