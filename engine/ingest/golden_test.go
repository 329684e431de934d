package ingest_test

import (
	"database/sql"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // the driver named sqlite

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/token"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestStoreAsTheHost: the reference engine's own ingest of a transcript is made
// again, every cell of messages and parts.
func TestStoreAsTheHost(t *testing.T) {
	t.Parallel()
	root := testdb.Fixtures(t)
	for _, c := range []struct {
		db, transcript string
		conv           int64
		rules          ingest.Rules
	}{
		{"v0.15.3/small.db", "v0.15.3/sessions-small/small-main.jsonl", 1, ingest.Rules{Threshold: 400}},
		{"v0.15.3/rich.db", "v0.15.3/sessions-rich/rich-cron.jsonl", 6, ingest.Rules{Threshold: 1500}},
		{"v0.1.0/small.db", "v0.1.0/sessions-small/small-main.jsonl", 1, ingest.Rules{Threshold: 400, First: true, Estimator: token.Units}},
	} {
		t.Run(c.db, func(t *testing.T) {
			t.Parallel()
			want := stored(t, filepath.Join(root, c.db), c.conv)
			f, err := transcript.Open(t.Context(), filepath.Join(root, c.transcript))
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for e, err := range f.Entries(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				s, skip := c.rules.Store(e.Message, e.ID)
				if skip != "" {
					t.Fatalf("line %d is left out: %s", e.Line, skip)
				}
				got := message{e.ID, s.Role, s.Content, s.Tokens, e.At.Format("2006-01-02 15:04:05"), s.Identity, s.EventKey, s.Parts}
				w := want[n]
				if c.rules.First { // It kept less, and stored when it was told.
					got.Entry, got.At, got.Identity, got.EventKey = "", w.At, "", ""
				}
				if diff := cmp.Diff(blanked(w), blanked(got)); diff != "" {
					t.Errorf("message %d: -want +got\n%s", n+1, diff)
				}
				n++
			}
			if n == 0 || c.conv == 6 && n != len(want) {
				t.Errorf("%d messages, want %d", n, len(want))
			}
		})
	}
}

// TestStoreAgain: what the reference engine stored of live turns holds the messages
// that it was given; stored again they come out the same.
func TestStoreAgain(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	root := testdb.Fixtures(t)
	for _, name := range []string{"v0.15.3/small.db", "v0.15.3/rich.db"} {
		for conv := range int64(6) {
			for i, want := range stored(t, filepath.Join(root, name), conv+1) {
				if want.Content == "structured payload" || fileID.MatchString(want.Content) {
					continue // Their parts don't hold the text that was given.
				}
				s, skip := ingest.Rules{Threshold: 1 << 40}.Store(given(want), "")
				if skip != "" {
					t.Errorf("%s: message %d of %d is left out: %s", name, i, conv, skip)
				}
				got := message{want.Entry, s.Role, s.Content, s.Tokens, want.At, s.Identity, want.EventKey, s.Parts}
				if diff := cmp.Diff(blanked(want), blanked(got)); diff != "" {
					t.Errorf("%s: message %d of %d: -want +got\n%s", name, i, conv, diff)
				}
			}
		}
	}
}

// given returns the message that was stored.
func given(m message) jstext.Value {
	var o jstext.Object
	var blocks []jstext.Value
	content := jstext.Value("")
	o.Put("role", jstext.Quote(m.Role))
	for i, p := range m.Parts {
		meta := jstext.Parse(p.Metadata.Text)
		if i == 0 {
			o = jstext.Object{}
			o.Put("role", meta.Field("originalRole"))
			for from, to := range map[string]string{
				"toolCallId": "toolCallId", "toolName": "toolName", "isError": "isError",
				"modelProvider": "provider", "modelApi": "api", "modelId": "model", "topLevelReasoningContent": "reasoning_content",
			} {
				o.Put(to, meta.Field(from))
			}
		}
		raw := meta.Field("raw")
		if !raw.Defined() {
			content = jstext.Quote(p.Text.Text)
		} else if meta.Field("source").Defined() {
			content = raw
		}
		blocks = append(blocks, raw)
	}
	if !content.Defined() {
		content = jstext.Array(blocks)
	}
	o.Put("content", content)
	return o.Value()
}

// message is a row and its parts.
type message struct {
	Entry, Role, Content string
	Tokens               int64
	At                   string
	Identity, EventKey   string
	Parts                []lcm.RawPart
}

var fileID = regexp.MustCompile(`file_[0-9a-f]{16}`)

// blanked returns a message without the ids that are random.
func blanked(m message) message {
	if fileID.MatchString(m.Content) {
		m.Identity = "depends on the file's id"
	}
	blank := func(s *string) { *s = fileID.ReplaceAllString(*s, "file_") }
	blank(&m.Content)
	for i := range m.Parts {
		p := &m.Parts[i]
		p.ID = ""
		blank(&p.Text.Text)
		blank(&p.Metadata.Text)
	}
	return m
}

// stored reads the messages of a conversation, without those that the first hosts
// wrote about themselves.
func stored(t *testing.T, path string, conv int64) (out []message) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	columns := "'', '', ''"
	var has int
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM pragma_table_info('messages') WHERE name = 'stable_event_key'").Scan(&has); err != nil {
		t.Fatal(err)
	}
	if has > 0 {
		columns = "coalesce(transcript_entry_id, ''), coalesce(identity_hash, ''), coalesce(stable_event_key, '')"
	}
	rows, err := db.QueryContext(t.Context(), `SELECT m.message_id, `+columns+`, role, content, token_count, created_at, coalesce(part_id, ''), coalesce(part_type, ''), coalesce(ordinal, 0),
		text_content, tool_call_id, tool_name, tool_input, tool_output, metadata
		FROM messages m LEFT JOIN message_parts p USING (message_id)
		WHERE conversation_id = ? AND content NOT LIKE 'LCM compaction %' ORDER BY seq, ordinal`, conv)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	last := int64(0)
	for rows.Next() {
		var id int64
		var m message
		var b lcm.RawPart
		if err := rows.Scan(&id, &m.Entry, &m.Identity, &m.EventKey, &m.Role, &m.Content, &m.Tokens, &m.At, &b.ID, &b.Type, &b.Ordinal,
			&b.Text, &b.ToolCallID, &b.ToolName, &b.ToolInput, &b.ToolOutput, &b.Metadata); err != nil {
			t.Fatal(err)
		}
		if id != last {
			out = append(out, m)
			last = id
		}
		if b.ID != "" {
			at := &out[len(out)-1]
			at.Parts = append(at.Parts, b)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
