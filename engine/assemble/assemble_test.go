package assemble_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // The tests name zones.

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/token"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// written returns a file with one conversation that write fills.
func written(t *testing.T, write func(h *fakehost.Writer, conv int64) error) *data.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(fakehost.Conversation{Active: true, At: start})
	if err == nil {
		err = h.Tx(func(h *fakehost.Writer) error { return write(h, conv) })
	}
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	return testdb.Open(t, path)
}

var start = time.Date(2026, 3, 28, 23, 30, 0, 0, time.UTC)

// say writes messages; a leading letter is the role: u, a or s.
func say(h *fakehost.Writer, conv int64, texts ...string) (ids []int64, err error) {
	for _, text := range texts {
		role := map[byte]string{'u': "user", 'a': "assistant", 's': "system"}[text[0]]
		id, err := h.Message(conv, fakehost.Message{Role: role, Content: text})
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

var unlimited = assemble.Options{Budget: 1e9, Tail: assemble.Tail{Count: 64}}

// texts returns the messages of a result.
func texts(t *testing.T, db *data.DB, o assemble.Options) (out []string, r assemble.Result) {
	t.Helper()
	r, err := assemble.Assemble(t.Context(), db, 1, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Messages {
		out = append(out, m.Text())
	}
	return out, r
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeResolved(t *testing.T) {
	t.Parallel()
	db := written(t, func(h *fakehost.Writer, conv int64) error {
		ids, err := say(h, conv, "u one", "a two", "u three", "a four")
		return errors.Join(err,
			h.Exec("PRAGMA defer_foreign_keys=ON"),
			h.Exec("DELETE FROM message_parts WHERE message_id IN (?, ?)", ids[1], ids[3]),
			h.Exec("UPDATE messages SET content = char(10) || '  ' WHERE message_id = ?", ids[1]))
	})
	got, r := texts(t, db, unlimited)
	same(t, []string{"u one", "u three", "a four"}, got)
	same(t, assemble.Stats{RawMessages: 3, TotalItems: 3}, r.Stats)
}

func TestEmptyContext(t *testing.T) {
	t.Parallel()
	db := written(t, func(*fakehost.Writer, int64) error { return nil })
	got, r := texts(t, db, unlimited)
	if len(got) > 0 || r.Estimated != 0 || r.Stats != (assemble.Stats{}) {
		t.Errorf("%+v", r)
	}
}

func TestEviction(t *testing.T) {
	t.Parallel()
	db := written(t, func(h *fakehost.Writer, conv int64) error {
		_, err := say(h, conv, "u queue", "u the long one "+strings.Repeat("of many words ", 40), "u retry the queue", "u other", "u last")
		return err
	})
	for _, c := range []struct {
		name string
		o    assemble.Options
		want string // The first letters of the second words.
	}{
		{"all fit", assemble.Options{Budget: 1000, Tail: assemble.Tail{Count: 1}}, "qtrol"},
		{"it stops at the first misfit", assemble.Options{Budget: 50, Tail: assemble.Tail{Count: 1}}, "rol"},
		{"the tail stays", assemble.Options{Budget: 0, Tail: assemble.Tail{Count: 2}}, "ol"},
		{"no tail", assemble.Options{Budget: 2}, "l"},
		{"a tail of tokens", assemble.Options{Budget: 0, Tail: assemble.Tail{Count: 9, MaxTokens: new(int64(4))}}, "ol"},
		{"the prompt passes over what does not fit", assemble.Options{Budget: 50, Tail: assemble.Tail{Count: 1}, PromptAware: true, Prompt: "queue"}, "qrol"},
		{"and takes the best first", assemble.Options{Budget: 4, Tail: assemble.Tail{Count: 1}, PromptAware: true, Prompt: "queue"}, "ql"},
		{"of two equal ones the newer", assemble.Options{Budget: 4, Tail: assemble.Tail{Count: 1}, PromptAware: true, Prompt: "nowhere"}, "ol"},
		{"a prompt without words", assemble.Options{Budget: 50, Tail: assemble.Tail{Count: 1}, PromptAware: true, Prompt: " ? x"}, "rol"},
		{"a prompt that nobody asked for", assemble.Options{Budget: 4, Tail: assemble.Tail{Count: 1}, Prompt: "queue"}, "ol"},
	} {
		msgs, r := texts(t, db, c.o)
		got := ""
		for _, m := range msgs {
			got += m[2:3]
		}
		if got != c.want || r.Kept != len(msgs) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTailCountsSenders(t *testing.T) {
	t.Parallel()
	db := written(t, func(h *fakehost.Writer, conv int64) error {
		_, err := say(h, conv, "a one", "u two")
		return errors.Join(err, h.Exec(`UPDATE messages SET openclaw_sender_metadata = '{"senderId":"12345678"}' WHERE role = 'user'`))
	})
	o := assemble.Options{Tail: assemble.Tail{Count: 9, MaxTokens: new(int64(12))}} // 6 for each and 2 for the text: 14.
	got, r := texts(t, db, o)
	same(t, []string{"u two"}, got)
	same(t, int64(8), r.Estimated)
}

func TestSummaryText(t *testing.T) {
	t.Parallel()
	db := written(t, func(h *fakehost.Writer, conv int64) error {
		ids, err := say(h, conv, "u 1", "a 2", "u 3", "a 4", "u 5")
		if err != nil {
			return err
		}
		one, err1 := h.Leaf(conv, ids[:2], "first", fakehost.SummaryOptions{})
		two, err2 := h.Leaf(conv, ids[2:4], "second", fakehost.SummaryOptions{})
		top, err3 := h.Condense(conv, []string{one, two}, "<think>hm</think>\n <Reasoning a=\"b\">x</reasoning>a < b && \"c\" > d <think>stays \n")
		err = errors.Join(err1, err2, err3, h.Exec("PRAGMA defer_foreign_keys=ON"),
			h.Exec("UPDATE summaries SET earliest_at = '2026-03-28T23:00:00.999Z', latest_at = '2026-03-29 01:30:00' WHERE summary_id = ?", top),
			h.Exec("UPDATE summary_parents SET ordinal = 1 - ordinal"))
		for from, to := range map[string]string{one: "one", two: "two", top: `a&"<>`} {
			for _, column := range []string{"summaries.summary_id", "summary_messages.summary_id", "summary_parents.summary_id", "summary_parents.parent_summary_id", "context_items.summary_id"} {
				table, name, _ := strings.Cut(column, ".")
				err = errors.Join(err, h.Exec("UPDATE "+table+" SET "+name+" = ? WHERE "+name+" = ?", to, from))
			}
		}
		return err
	})
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for zone, times := range map[*time.Location]string{
		nil:    `earliest_at="2026-03-28T23:00:00" latest_at="2026-03-29T01:30:00"`,
		berlin: `earliest_at="2026-03-29T00:00:00" latest_at="2026-03-29T03:30:00"`,
	} {
		o := unlimited
		o.Location = zone
		got, _ := texts(t, db, o)
		want := `<summary id="a&amp;&quot;&lt;&gt;" kind="condensed" depth="1" descendant_count="2" trust="untrusted" ` + times + ">\n" +
			"  <parents>\n    <summary_ref id=\"two\" />\n    <summary_ref id=\"one\" />\n  </parents>\n" +
			"  <content>\n&lt;think&gt;hm&lt;/think&gt;\n &lt;Reasoning a=\"b\"&gt;x&lt;/reasoning&gt;a &lt; b &amp;&amp; \"c\" &gt; d &lt;think&gt;stays \n\n  </content>\n</summary>"
		same(t, []string{want, "u 5"}, got)
	}
}

func TestFocusBrief(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		seq     int64
		at      time.Time
		want    string
		covered int
	}{
		{"by seq", 2, time.Time{}, "B2u", 1},
		{"by seq, both", 4, time.Time{}, "Bu", 2},
		{"by seq, the time notwithstanding", 2, start.Add(time.Hour), "B2u", 1},
		{"by time", 0, start.Add(time.Hour), "Bu", 2},
		{"nothing that it knows", 1, time.Time{}, "12u", 0},
		{"no point at all", 0, time.Time{}, "12u", 0},
	} {
		db := written(t, func(h *fakehost.Writer, conv int64) error {
			ids, err := say(h, conv, "u 1", "a 2", "u 3", "a 4", "u 5")
			if err != nil {
				return err
			}
			_, err1 := h.Leaf(conv, ids[:2], "1st", fakehost.SummaryOptions{})
			_, err2 := h.Leaf(conv, ids[2:4], "2nd", fakehost.SummaryOptions{})
			_, err3 := h.FocusBrief(fakehost.FocusBrief{Conversation: conv, Prompt: "old", Content: "old", Status: "superseded", CoveredSeq: 4})
			_, err4 := h.FocusBrief(fakehost.FocusBrief{Conversation: conv, ID: "B", Prompt: `p "<&>"`, Content: "<b> & c", Status: "active", Target: 9, CoveredSeq: c.seq, CoveredAt: c.at, At: start})
			return errors.Join(err1, err2, err3, err4)
		})
		msgs, r := texts(t, db, assemble.Options{Budget: 0, Tail: assemble.Tail{Count: 1}})
		if kept := len(msgs); kept != 1+min(c.covered, 1) {
			t.Errorf("%s: %d messages stay without a budget", c.name, kept)
		}
		msgs, r = texts(t, db, unlimited)
		got := ""
		for _, m := range msgs {
			switch {
			case strings.HasPrefix(m, "<focus_brief"):
				got += "B"
				if c.name == "by seq" {
					same(t, `<focus_brief id="B" prompt="p &quot;&lt;&amp;&gt;&quot;" token_count="2" target_tokens="9" created_at="2026-03-28T23:30:00" covered_message_seq="2">`+
						"\n  <content>\n<b> & c\n  </content>\n</focus_brief>", m)
				}
			case strings.Contains(m, "1st"):
				got += "1"
			case strings.Contains(m, "2nd"):
				got += "2"
			default:
				got += m[:1]
			}
		}
		if got != c.want || r.Stats.Summaries != 2-c.covered || r.Stats.TotalItems != len(msgs) {
			t.Errorf("%s: %q of %+v, want %q", c.name, got, r.Stats, c.want)
		}
	}
}

func TestStubs(t *testing.T) {
	t.Parallel()
	db := written(t, func(h *fakehost.Writer, conv int64) error {
		other, err0 := h.Conversation(fakehost.Conversation{SessionID: "before", At: start}) // The file may be of any.
		file, err := h.File(fakehost.LargeFile{Conversation: other, Folder: t.TempDir(), Name: "out.txt", Exploration: "Two columns."}, make([]byte, 12345))
		call := []fakehost.Part{{Type: "tool", ToolCallID: "c1", ToolName: "exec", ToolInput: "{}"}}
		result := []fakehost.Part{{Type: "text", Text: "long", ToolCallID: "c1", ToolName: "exec"}}
		_, err1 := h.Message(conv, fakehost.Message{Role: "assistant", Parts: call})
		_, err2 := h.Message(conv, fakehost.Message{Role: "tool", Content: "long", Parts: result, LargeContent: file})
		_, err3 := say(h, conv, "u now")
		return errors.Join(err0, err, err1, err2, err3, h.Exec("UPDATE large_files SET file_id = 'file_0123456789abcdef'"),
			h.Exec("UPDATE messages SET large_content = 'file_0123456789abcdef' WHERE large_content IS NOT NULL"))
	})
	stub := "[LCM Tool Output: file_0123456789abcdef | tool=exec | 12,345 bytes]\n\nExploration Summary:\nTwo columns.\n\n" +
		`Call lcm_describe(id="<file_id above>", expandFile=true) to fetch the full output content from disk.`
	for _, c := range []struct {
		tail  int
		stubs bool
		want  string
	}{{1, false, "long"}, {3, true, "long"}, {1, true, stub}} {
		got, r := texts(t, db, assemble.Options{Budget: 1000, Tail: assemble.Tail{Count: c.tail}, StubLargePayloads: c.stubs})
		same(t, []string{"[toolCall] exec {}", c.want, "u now"}, got)
		if c.want == stub { // Counted as the text alone, not as its block.
			whole, _ := texts(t, db, assemble.Options{Budget: 1000, Tail: assemble.Tail{Count: 2}})
			same(t, 3, len(whole))
			same(t, int64(15+2)+token.Weighted.Count(stub), r.Estimated)
		}
	}
}

// TestAnsweredOutsideOfTheSelection: a call in the fresh tail whose result stands earlier
// is dropped, though that result was evicted; one that nothing answers gets a result.
func TestAnsweredOutsideOfTheSelection(t *testing.T) {
	t.Parallel()
	result := func(id string) fakehost.Part {
		return fakehost.Part{Type: "text", Text: "done " + id, Metadata: `{"originalRole":"toolResult","toolCallId":"` + id + `"}`}
	}
	call := func(ids ...string) (out []fakehost.Part) {
		for _, id := range ids {
			out = append(out, fakehost.Part{Type: "tool", ToolCallID: id, ToolName: "exec", Metadata: `{"originalRole":"assistant","rawType":"toolCall"}`})
		}
		return out
	}
	for _, between := range []int{0, 600} { // Read with the tail, and long before it.
		db := written(t, func(h *fakehost.Writer, conv int64) error {
			_, err := h.Message(conv, fakehost.Message{Role: "assistant", Parts: append(call("only asked"), fakehost.Part{Type: "text", Text: "I ask"})})
			_, err1 := h.Message(conv, fakehost.Message{Role: "tool", Content: "done", Parts: []fakehost.Part{result("a")}})
			_, err2 := h.Message(conv, fakehost.Message{Role: "tool", Content: "done", Parts: []fakehost.Part{result("other"), result("named second")}})
			_, err3 := say(h, conv, slices.Repeat([]string{"u between"}, between)...)
			_, err4 := say(h, conv, "u now")
			_, err5 := h.Message(conv, fakehost.Message{Role: "assistant", Parts: call("a", "only asked", "named second", "b")})
			return errors.Join(err, err1, err2, err3, err4, err5)
		})
		got, _ := texts(t, db, assemble.Options{Budget: 1, Tail: assemble.Tail{Count: 2}})
		if len(got) != 5 || strings.Contains(got[1], `"a"`) {
			t.Errorf("with %d messages between: %q", between, got)
		}
		r, err := assemble.Assemble(t.Context(), db, 1, assemble.Options{Budget: 1, Tail: assemble.Tail{Count: 2}})
		if err != nil {
			t.Fatal(err)
		}
		asked := lines(t, r.Messages)[1]
		for id, stays := range map[string]bool{"a": false, "only asked": true, "named second": true, "b": true} {
			if strings.Contains(asked, `"id":"`+id+`"`) != stays {
				t.Errorf("call %q stays: %v, in %s", id, !stays, asked)
			}
		}
	}
}

// TestSendersByHost: the betas of 1.0 send nothing about who sent a message, though a
// file that they upgraded has it.
func TestSendersByHost(t *testing.T) {
	t.Parallel()
	for _, beta := range []bool{false, true} {
		db := written(t, func(h *fakehost.Writer, conv int64) error {
			_, err := say(h, conv, "u hi")
			if beta {
				err = errors.Join(err, h.Exec("CREATE TABLE pending_compaction_batches (batch_id TEXT PRIMARY KEY)"))
			}
			return errors.Join(err, h.Exec(`UPDATE messages SET openclaw_sender_metadata = '{"senderId":"12345678"}'`))
		})
		r, err := assemble.Assemble(t.Context(), db, 1, unlimited)
		if err != nil {
			t.Fatal(err)
		}
		want, tokens := []string{`{"role":"user","content":"u hi","__openclaw":{"senderId":"12345678"}}`}, int64(7)
		if beta {
			want, tokens = []string{`{"role":"user","content":"u hi"}`}, 1
		}
		same(t, want, lines(t, r.Messages))
		same(t, tokens, r.Estimated)
	}
}

// TestAMessageAtTwoPlaces: its parts are shown once at each.
func TestAMessageAtTwoPlaces(t *testing.T) {
	t.Parallel()
	db := written(t, func(h *fakehost.Writer, conv int64) error {
		id, err := h.Message(conv, fakehost.Message{Role: "assistant", Parts: []fakehost.Part{{Type: "text", Text: "one"}, {Type: "text", Text: "two"}}})
		return errors.Join(err,
			h.Exec("INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) VALUES (?, 1, 'message', ?)", conv, id))
	})
	got, _ := texts(t, db, unlimited)
	same(t, []string{"one\ntwo", "one\ntwo"}, got)
}

// TestTailOfNoTokens: a limit of none leaves the user's newest message and what follows.
func TestTailOfNoTokens(t *testing.T) {
	t.Parallel()
	db := written(t, func(h *fakehost.Writer, conv int64) error {
		_, err := say(h, conv, "u one", "a two", "u three", "a four")
		return err
	})
	got, _ := texts(t, db, assemble.Options{Tail: assemble.Tail{Count: 9, MaxTokens: new(int64(0))}})
	same(t, []string{"u three", "a four"}, got)
}

// TestBadRows: a bad row costs itself a warning, never the conversation.
func TestBadRows(t *testing.T) {
	t.Parallel()
	db := written(t, func(h *fakehost.Writer, conv int64) error {
		ids, err := say(h, conv, "u 1", "a 2", "u 3", "a 4", "u 5")
		if err != nil {
			return err
		}
		_, err = h.Leaf(conv, ids[:2], "first", fakehost.SummaryOptions{})
		return errors.Join(err,
			h.Exec("UPDATE summaries SET earliest_at = 'yesterday', latest_at = '', depth = 'deep', descendant_count = x'ff'"),
			h.Exec("UPDATE message_parts SET metadata = '{\"raw\":' WHERE message_id = ?", ids[2]),
			h.Exec("UPDATE message_parts SET text_content = x'68ff69', metadata = NULL WHERE message_id = ?", ids[3]),
			h.Exec("DELETE FROM message_parts WHERE message_id = ?", ids[4]),
			h.Exec("UPDATE messages SET content = x'00ff', openclaw_sender_metadata = 'me', token_count = 'abc', created_at = '' WHERE message_id = ?", ids[4]))
	})
	got, r := texts(t, db, unlimited)
	same(t, []string{
		"<summary id=\"" + strings.Split(got[0], `"`)[1] + "\" kind=\"leaf\" depth=\"0\" descendant_count=\"0\" trust=\"untrusted\">\n  <content>\nfirst\n  </content>\n</summary>",
		"u 3", "h\ufffdi", "\x00\ufffd",
	}, got)
	all := strings.Join(r.Warnings, "\n")
	for _, want := range []string{"earliest_at is no time", "metadata of part 0", "holds a BLOB", "its content is a BLOB", "who sent it"} {
		if !strings.Contains(all, want) {
			t.Errorf("no warning says %q:\n%s", want, all)
		}
	}
}

// TestTextsThatAreNoUTF8: the beginning of a character that isn't finished is one sign, in what is sent and in what is counted.
func TestTextsThatAreNoUTF8(t *testing.T) {
	t.Parallel()
	db := written(t, func(h *fakehost.Writer, conv int64) error {
		ids, err := say(h, conv, "u 1", "u 2")
		if err != nil {
			return err
		}
		_, err = h.Leaf(conv, ids[:1], "first", fakehost.SummaryOptions{})
		return errors.Join(err,
			h.Exec("UPDATE summaries SET content = CAST(x'61e28262f09f98ff63' AS TEXT)"),
			h.Exec("UPDATE message_parts SET text_content = CAST(x'75e28233' AS TEXT) WHERE message_id = ?", ids[1]))
	})
	got, r := texts(t, db, unlimited)
	if len(got) != 2 || !strings.Contains(got[0], "\na\ufffdb\ufffd\ufffdc\n") || got[1] != "u\ufffd3" {
		t.Fatalf("%q", got)
	}
	same(t, token.Weighted.Count(got[0])+token.Weighted.Count(got[1]), r.Estimated)
}

// TestManyBadRows: warnings don't grow with the file.
func TestManyBadRows(t *testing.T) {
	t.Parallel()
	db := written(t, func(h *fakehost.Writer, conv int64) error {
		_, err := say(h, conv, strings.Split(strings.Repeat("u,", 60), ",")[:60]...)
		return errors.Join(err, h.Exec("UPDATE message_parts SET metadata = 'x'"))
	})
	_, r := texts(t, db, unlimited)
	if n := len(r.Warnings); n != 51 || r.Warnings[50] != "and 10 more like these" {
		t.Errorf("%d warnings, the last %q", n, r.Warnings[n-1])
	}
}

// TestEveryLevelAndFault: there is always an answer, and never one too many.
func TestEveryLevelAndFault(t *testing.T) {
	t.Parallel()
	var sampleCache samples.Cache
	for _, fault := range append(testlength.Some(faults.Names()), "") {
		for _, level := range []fakehost.Level{fakehost.V0_1, fakehost.Head} {
			path := filepath.Join(t.TempDir(), "lcm.db")
			made := []string{fault}
			if fault == "" {
				made = nil
			}
			if err := sampleCache.Sample(path, level, made...); errors.Is(err, faults.ErrUnfit) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			db, err := data.Open(t.Context(), path)
			if err != nil {
				continue // Not a database any more.
			}
			for _, o := range []assemble.Options{unlimited, {Budget: 200, Tail: assemble.Tail{Count: 3, MaxTokens: new(int64(50))}, PromptAware: true, Prompt: "the booking", StubLargePayloads: true}} {
				r, err := assemble.Assemble(t.Context(), db, 1, o)
				if err != nil {
					t.Errorf("%s %s: %v", level, fault, err)
				}
				if _ = lines(t, r.Messages); len(r.Messages) == 0 && fault == "" {
					t.Errorf("%s: nothing assembled", level)
				}
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestDamagedFixtures assembles every database of the fixtures, the first
// version's too.
func TestDamagedFixtures(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, path := range testdb.FixtureFiles(t, "*/*.db", "compaction/*/*.db") {
		db, err := data.Open(t.Context(), testdb.Copy(t, path))
		if err != nil {
			continue // Not a database any more.
		}
		convs, err := lcm.Conversations(t.Context(), db)
		for _, c := range convs {
			if _, err := assemble.Assemble(t.Context(), db, c.ID, unlimited); err != nil {
				t.Errorf("%s, conversation %d: %v", path, c.ID, err)
			}
		}
		if err := errors.Join(err, db.Close()); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
