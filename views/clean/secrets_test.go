package clean

import (
	"errors"
	"os"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	sweep "lcm-tui/ops/secrets"
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
	d.Sees("1 sure, 0 likely, 0 maybe; 1 chosen", "✓ ! sure", "url-password#1", "conversations.title 1", "10 characters", "see postgres://app:")
	d.Misses(value)
	d.Press("space")
	d.Sees("0 chosen", "  ! sure")
	d.Press("space", "ctrl+x")
	d.Sees("replace 1 secret by placeholders: ", "type replace to go on")
	d.Press("r", "e", "enter")
	d.Sees("type replace, or esc leaves")
	d.Press("p", "l", "a", "c", "e", "enter")
	d.Sees("✓ url-password#1 gone", "no passwords, keys or tokens were found")
	d.Misses(value)
	if title := testdb.Rows(t, d.Path, "SELECT title FROM conversations WHERE conversation_id = 1"); title[0] != "see postgres://app:[REDACTED:url-password#1]@db.internal/app" {
		t.Errorf("the title is %q", title)
	}
}

// TestWhatReplacingSecretsMeansIsShownInFull: no warning before what can't be undone is cut off.
func TestWhatReplacingSecretsMeansIsShownInFull(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	plant(d, "120", "a")
	d.Press("p", "ctrl+x")
	s := d.App.Top().(*Secrets)
	s.plan.Warnings = append(s.plan.Warnings, strings.Repeat("a long warning, ", 12)+"and its end", "the last warning")
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		got := strings.Join(strings.Fields(d.Screen(size[0], size[1])), " ")
		for _, want := range []string{"and its end", "~ the last warning", "type replace to go on", "url-password#1"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q at %d by %d:\n%s", want, size[0], size[1], d.Screen(size[0], size[1]))
			}
		}
	}
	if got := d.Screen(80, 12); !strings.Contains(got, "lines more") || !strings.Contains(got, "type replace to go on") {
		t.Error(got)
	}
}

// TestASecretThatStaysIsNamedFirst of many that were replaced.
func TestASecretThatStaysIsNamedFirst(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("p")
	s := d.App.Top().(*Secrets)
	s.result = &sweep.Result{}
	for n := range 9 {
		s.result.Proof = append(s.result.Proof, sweep.Proof{Rule: "github-token", Number: n + 1, Gone: n < 8, StillIn: []string{"messages.content 7"}})
	}
	d.Sees("! github-token#9", "✓ github-token#1 gone", "… and 5 lines more")
}

// plant puts a password into a message of the demonstration, and returns its value.
func plant(d *viewtest.Driver, message, first string) string {
	d.T.Helper()
	value := first + strings.Join([]string{"tr7k", "q2mz", "9w"}, "")
	h, err := fakehost.Open(d.Path)
	if err == nil {
		err = errors.Join(h.Exec("UPDATE messages SET content = content || ? WHERE message_id = "+message, "\nsee postgres://app:"+value+"@db.internal/app"), h.Close())
	}
	if err != nil {
		d.T.Fatal(err)
	}
	return value
}

// TestASecretLeadsToItsMessage, with the text around it beside the list, masked, and the conversation's name in its row.
func TestASecretLeadsToItsMessage(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	value := plant(d, "120", "a")
	d.Press("p")
	d.Sees("url-password#1", "Tidewater #2", "see postgres://app:", "@db.internal/app")
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		d.Clean(size[0], size[1])
		d.Misses(value)
	}
	d.Press("enter")
	d.Sees("› Messages")
	d.Press("esc")
	d.Sees("Secrets", "1 sure")
}

// TestASecretIsIgnored and then no longer; the choice is kept in the user's configuration, and an ignored one isn't chosen.
func TestASecretIsIgnored(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Env.Secrets = sweep.ConfigIn(t.TempDir())
	plant(d, "120", "a")
	plant(d, "130", "b")
	d.Press("p")
	d.Sees("2 chosen")
	d.Press("i")
	d.Sees("1 chosen", "· ignored")
	d.Press("i")
	d.Misses("· ignored")
	d.Press("i", "esc", "p")
	d.Sees("1 chosen", "· ignored", "url-password#")
	d.Press("G", "space")
	d.Sees("1 chosen")
	d.Press("i")
	d.Misses("· ignored")
	if list, err := d.Env.Secrets.IgnoredIn(d.Path); err != nil || len(list) > 0 {
		t.Errorf("%v, %v are ignored", list, err)
	}
}

// TestSecretsKeepTheirNumbers: what is left after others were replaced is called as before.
func TestSecretsKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	plant(d, "120", "a")
	value := plant(d, "130", "b")
	d.Press("p")
	second := d.App.Top().(*Secrets).List.Items()[1].name()
	d.Press("down", "space", "ctrl+x")
	d.Write("replace")
	d.Press("enter")
	d.Sees("gone", second)
	if got := d.App.Top().(*Secrets).List.Items(); len(got) != 1 || got[0].name() != second {
		t.Errorf("%s is called %s", second, got[0].name())
	}
	d.Misses(value)
}

// TestTheUsersRulesFindSecrets on the screen as on the command line.
func TestTheUsersRulesFindSecrets(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Env.Secrets = sweep.ConfigIn(t.TempDir())
	rule := "[[rule]]\nid = \"ticket\"\nregex = 'ready for review'\nclass = \"sure\"\n"
	if err := os.WriteFile(d.Env.Secrets.Rules, []byte(rule), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Press("p")
	d.Sees("ticket#1")
}
