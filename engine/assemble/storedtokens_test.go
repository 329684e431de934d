package assemble_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the driver named sqlite

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/token"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestWeightOfAResultWithoutParts: it is stored as if it still named its call.
func TestWeightOfAResultWithoutParts(t *testing.T) {
	t.Parallel()
	if got := assemble.Weigh(token.Weighted, "tool", "", nil); got != 7 {
		t.Errorf("it weighs %d", got)
	}
	if got := assemble.Tokens("tool", &lcm.RawMessage{Content: data.Stored{Text: "done"}}, false); got != 8 {
		t.Errorf("it takes %d", got)
	}
}

// TestWeighAsTheHost: the estimate of every message that the reference engine
// stored is made again from its parts.
func TestWeighAsTheHost(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	root := testdb.Fixtures(t)
	paths, err := filepath.Glob(filepath.Join(root, "hard", "*.db"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no databases (%v)", err)
	}
	for _, name := range append(paths, filepath.Join(root, "v0.15.3", "small.db"), filepath.Join(root, "v0.15.3", "rich.db")) {
		path := name
		db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		rows, err := db.QueryContext(t.Context(), `SELECT m.message_id, role, content, token_count, coalesce(part_id, ''), part_type,
			text_content, tool_call_id, tool_name, tool_input, tool_output, metadata
			FROM messages m LEFT JOIN message_parts p USING (message_id) ORDER BY message_id, ordinal`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var last struct {
			id, tokens    int64
			role, content string
			blocks        []lcm.RawPart
		}
		n := 0
		check := func() {
			if got := assemble.Weigh(token.Weighted, last.role, last.content, last.blocks); last.id > 0 && got != last.tokens {
				t.Errorf("%s: message %d weighs %d, want %d", name, last.id, got, last.tokens)
			}
			n++
		}
		for rows.Next() {
			var id, tokens int64
			var role, content string
			var kind sql.NullString
			var b lcm.RawPart
			if err := rows.Scan(&id, &role, &content, &tokens, &b.ID, &kind, &b.Text, &b.ToolCallID, &b.ToolName, &b.ToolInput, &b.ToolOutput, &b.Metadata); err != nil {
				t.Fatal(err)
			}
			if id != last.id {
				check()
				last.id, last.tokens, last.role, last.content, last.blocks = id, tokens, role, content, nil
			}
			if b.Type = kind.String; b.ID != "" {
				last.blocks = append(last.blocks, b)
			}
		}
		check()
		if err := rows.Err(); err != nil || n < 100 {
			t.Fatalf("read %d messages: %v", n, err)
		}
	}
}
