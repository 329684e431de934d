package clean

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/views/viewtest"
)

// TestSecretsAreChosenConfirmedAndReplaced: the value is never on the screen, and only the whole
// word confirms.
func TestSecretsAreChosenConfirmedAndReplaced(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	value := strings.Join([]string{"tr7k", "q2mz", "9w"}, "")
	h, err := fakehost.Open(d.Path)
	if err == nil {
		err = errors.Join(h.Exec("UPDATE conversations SET title = ? WHERE conversation_id = 1", "see postgres://app:"+value+"@db.internal/app"), h.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Press("p")
	d.Sees("1 sure, 0 likely, 0 maybe; 1 chosen", "[x] ! sure", "url-password#1", "conversations.title 1", "10 characters")
	d.Misses(value)
	d.Press("space")
	d.Sees("0 chosen", "[ ] ! sure")
	d.Press("space", "x")
	d.Sees("type replace to go on")
	d.Press("r", "e", "enter")
	d.Sees("type replace, or esc leaves")
	d.Press("p", "l", "a", "c", "e", "enter")
	d.Sees("✓ url-password#1 gone", "no passwords, keys or tokens were found")
	d.Misses(value)
	if title := testdb.Rows(t, d.Path, "SELECT title FROM conversations WHERE conversation_id = 1"); title[0] != "see postgres://app:[REDACTED:url-password#1]@db.internal/app" {
		t.Errorf("the title is %q", title)
	}
}
