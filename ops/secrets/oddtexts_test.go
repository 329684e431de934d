package secrets_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/ops/secrets"
)

// TestOddTextsAreReplaced: what isn't JSON or UTF-8, has a NUL, or is a BLOB keeps all but the secret.
func TestOddTextsAreReplaced(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	path := plant(t, p)
	execute(t, path, "CREATE TABLE odd_texts (id INTEGER PRIMARY KEY, body TEXT)")
	values := map[string]string{
		"1": `{"cut off": "` + p.github, "2": "\xff\xfe " + p.github + " \x80", "3": "a\x00" + p.github + "\x00b", "4": "[REDACTED:github-token#1] and " + p.github,
	}
	for id, value := range values {
		execute(t, path, "INSERT INTO odd_texts VALUES ("+id+", CAST(x'"+hex.EncodeToString([]byte(value))+"' AS TEXT))")
		execute(t, path, "INSERT INTO odd_texts VALUES (1"+id+", x'"+hex.EncodeToString([]byte(value))+"')")
	}
	db := open(t, path)
	op := &secrets.Op{}
	_, err := apply(t, db, op)
	check(t, err)
	if !op.Result.Gone() && !op.Result.OnlyInPages() {
		t.Errorf("the proof is %+v", op.Result.Proof)
	}
	label := "[REDACTED:github-token#2]" // The first number is taken.
	for id, value := range values {
		want := strings.ToUpper(hex.EncodeToString([]byte(strings.ReplaceAll(value, p.github, label))))
		for kind, id := range map[string]string{"text": id, "blob": "1" + id} {
			if got := testdb.Rows(t, path, "SELECT typeof(body) || ' ' || hex(body) FROM odd_texts WHERE id = "+id); !slices.Equal(got, []string{kind + " " + want}) {
				t.Errorf("row %s is %q, want %q", id, got, want)
			}
		}
	}
}
