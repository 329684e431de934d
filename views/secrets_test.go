package views

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestSecretsAreChosenConfirmedAndReplaced: the value is never on the screen, and only the whole
// word confirms.
func TestSecretsAreChosenConfirmedAndReplaced(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	value := strings.Join([]string{"tr7k", "q2mz", "9w"}, "")
	h, err := fakehost.Open(d.path)
	if err == nil {
		err = errors.Join(h.Exec("UPDATE conversations SET title = ? WHERE conversation_id = 1", "see postgres://app:"+value+"@db.internal/app"), h.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	d.press("p")
	d.sees("1 sure, 0 likely, 0 maybe; 1 chosen", "[x] ! sure", "url-password#1", "conversations.title 1", "10 characters")
	d.misses(value)
	d.press("space")
	d.sees("0 chosen", "[ ] ! sure")
	d.press("space", "x")
	d.sees("type replace to go on")
	d.press("r", "e", "enter")
	d.sees("nothing was changed")
	d.press("x", "r", "e", "p", "l", "a", "c", "e", "enter")
	d.sees("✓ url-password#1 gone", "no passwords, keys or tokens were found")
	d.misses(value)
	if title := testdb.Rows(t, d.path, "SELECT title FROM conversations WHERE conversation_id = 1"); title[0] != "see postgres://app:[REDACTED:url-password#1]@db.internal/app" {
		t.Errorf("the title is %q", title)
	}
}
