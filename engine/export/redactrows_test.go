package export_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lcm-tui/engine/export"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestRedactedRowsHaveNoSecret: whichever column of a row holds a secret, the exported row has it not.
func TestRedactedRowsHaveNoSecret(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const secret = "ghp_" + "Zx81Kq0Lw7Vb3Nm5Tr9Yp2Ds6Fg4Hj1Ac8E0"
	for table, columns := range map[string][]string{
		"conversations": {"session_key", "title", "archive_cause"},
		"messages":      {"content", "large_content", "transcript_entry_id", "stable_event_key", "openclaw_sender_metadata"},
		"message_parts": {"text_content", "tool_call_id", "tool_name", "tool_input", "tool_output", "metadata"},
		"summaries":     {"content", "model", "file_ids"},
		"large_files":   {"file_name", "mime_type", "storage_uri", "exploration_summary"},
	} {
		for _, column := range columns {
			t.Run(table+" "+column, func(t *testing.T) {
				t.Parallel()
				path := testdb.Sample(t, fakehost.Head)
				statement := fmt.Sprintf("UPDATE %s SET %s = 'key %s' WHERE rowid = (SELECT min(rowid) FROM %[1]s WHERE %[4]s)", table, column, secret, map[string]string{
					"conversations": "conversation_id = 1", "messages": "conversation_id = 1", "summaries": "conversation_id = 1", "large_files": "1",
					"message_parts": "message_id IN (SELECT message_id FROM messages WHERE conversation_id = 1)",
				}[table])
				if err := faults.Alter(path, "UPDATE large_files SET conversation_id = 1; "+statement); err != nil {
					t.Fatal(err)
				}
				db := testdb.Open(t, path)
				plain := written(t, db, 1, export.Options{Format: export.JSONL, Content: export.All, AllRows: true})
				redacted := written(t, db, 1, export.Options{Format: export.JSONL, Content: export.All, AllRows: true, Scrubber: export.NewRedactor()})
				if !strings.Contains(plain, secret) {
					t.Fatal("the export without redaction has it not")
				}
				if strings.Contains(redacted, secret) || strings.Count(plain, "\n") != strings.Count(redacted, "\n") {
					t.Errorf("it is in the row, or rows are missing")
				}
			})
		}
	}
}

// TestMarkdownHasNoActiveLinks: what a browser would run isn't a link, whatever code, lists and
// quotations stand around it, and what it would load isn't an image; links to pages stay.
func TestMarkdownHasNoActiveLinks(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for text, want := range map[string]string{
		"[x](javascript:alert(1))":                 `[x]\(javascript`,
		"[x](java&#115;cript:alert(1))":            `[x]\(java`,
		"[x](\njavascript:alert(1))":               `[x]\(`,
		"[x]( <javascript:alert(1)>)":              `[x]\( &lt;`,
		"![x](data:text/html,x)":                   `[x]\(data`,
		"a ![x](https://example.org/seen.png)":     `a !\[x](https`,
		"![x][y]\n\n[y]: https://example.org/":     `!\[x][y]`,
		"[x]: javascript:alert(1)":                 `[x]\: javascript`,
		"- [x]:\n  javascript:alert(1)":            `[x]\:`,
		"`a` [x](vbscript:x)":                      `[x]\(vbscript`,
		"[`a`](javascript:x)":                      `]\(javascript`,
		"\\`<b>\\`":                                `&lt;b>`,
		"a `\nb ` <b> ` c":                         `&lt;b>`,
		"` <b> ``` x":                              `&lt;b>`,
		"- ```\n  ```\n<b>":                        `&lt;b>`,
		"- a\n  ```\n  x\nb <b>":                   `&lt;b>`,
		"> ```\nb\n```\n<b>":                       `&lt;b>`,
		"[x](https://example.org/a) and [y](#top)": `[x](https://example.org/a) and [y](#top)`,
		"```\n[x](javascript:x) <b>\n```":          `[x](javascript:x) <b>`,
		"see `<b>` and `x`":                        `see `,
		"see `<b>`":                                "see `<b>`",
	} {
		path := testdb.Sample(t, fakehost.Head)
		if err := faults.Alter(path, "UPDATE messages SET content = '"+strings.ReplaceAll(text, "'", "''")+"' WHERE message_id = 1; DELETE FROM message_parts WHERE message_id = 1"); err != nil {
			t.Fatal(err)
		}
		db := testdb.Open(t, path)
		if got := written(t, db, 1, export.Options{Format: export.Markdown, Content: export.Messages}); !strings.Contains(got, want) {
			_, got, _ = strings.Cut(got, "## Messages")
			t.Errorf("%q: want %s in %.300s", text, want, got)
		}
	}
}

// TestFrontMatterIsOnlyText: a title that hosts take from others is what it was where front matter is read, and neither an image nor a
// tag in a viewer that shows front matter as Markdown.
func TestFrontMatterIsOnlyText(t *testing.T) {
	t.Parallel()
	const title = `![a](https://example.org/a.png) <img src="https://example.org/b.png"> [c](javascript:d)`
	path := testdb.Sample(t, fakehost.Head)
	testdb.Must(t, faults.Alter(path, "UPDATE conversations SET title = '"+title+"', session_key = '"+title+"' WHERE conversation_id = 1"))
	front, _, _ := strings.Cut(written(t, testdb.Open(t, path), 1, export.Options{Format: export.Markdown, Content: export.Messages}), "\n#")
	for _, active := range []string{"![", "<", "]("} {
		if strings.Contains(front, active) {
			t.Errorf("%s in %s", active, front)
		}
	}
	_, line, _ := strings.Cut(front, "title: ")
	line, _, _ = strings.Cut(line, "\n")
	var got string
	if err := json.Unmarshal([]byte(line), &got); err != nil || got != title {
		t.Errorf("%s is read as %q, %v", line, got, err)
	}
}
