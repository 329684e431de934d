package commands_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// secondsOfToday are the times that an operation writes now.
var secondsOfToday = regexp.MustCompile(`20(2[6-9]|[3-9]\d)-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+Z)?`)

// dumpWithoutTimes returns all that stands in a database, but for times.
func dumpWithoutTimes(t *testing.T, path string) string {
	t.Helper()
	return secondsOfToday.ReplaceAllString(testdb.Dump(t, path), "TIME")
}

// TestPlanOutAndApply: with each command that changes the database, --plan-out writes a file and
// nothing else, and apply leaves in a copy of the database what --apply leaves in it.
func TestPlanOutAndApply(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	source := testdb.Sample(t, fakehost.Head, "counters-drift", "stored-secret")
	shown := testcli.Object(t, testdb.Copy(t, source), "summaries", "1")["summaries"].([]any)
	summary := ""
	for _, s := range shown {
		if s := s.(map[string]any); s["in_context"] == true && s["depth"].(float64) > 0 {
			summary = s["summary_id"].(string)
		}
	}
	text := filepath.Join(t.TempDir(), "text.md")
	if err := os.WriteFile(text, []byte("written by hand"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"dissolve":            {"dissolve", "1", "--summary-id", summary, "--force"},
		"edit":                {"edit", summary, "--file", text},
		"rewrite":             {"rewrite", "1", "--summary", summary, "--provider", "extractive", "--generate"},
		"repair":              {"repair", "--all"},
		"key rename":          {"key", "rename", "2", "agent:ops:other", "--force"},
		"key unarchive":       {"key", "unarchive", "2"},
		"key detach":          {"key", "detach", "1"},
		"prune text":          {"prune", "text", "--older-than", "1d"},
		"prune conversations": {"prune", "conversations", "--archived"},
		"secrets":             {"secrets"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			here, there, path := testdb.Copy(t, source), testdb.Copy(t, source), filepath.Join(t.TempDir(), "plan.json")
			before := testdb.Dump(t, here)
			exit, out, errs := testcli.Run(t, here, append(args, "--plan-out", path)...)
			if exit != 0 || !strings.Contains(out, "lcm-tui apply "+path) || testdb.Dump(t, here) != before {
				t.Fatalf("exit %d: %s%s", exit, out, errs)
			}
			irreversible := []string{}
			if name == "secrets" {
				irreversible = []string{"--irreversible"}
				if exit, _, errs := testcli.Run(t, there, "apply", path); exit != 2 || !strings.Contains(errs, "--irreversible") {
					t.Errorf("without --irreversible: exit %d: %s", exit, errs)
				}
			}
			if exit, _, errs := testcli.Run(t, here, append(append(args, "--apply"), irreversible...)...); exit != 0 {
				t.Fatalf("applied at once: exit %d: %s", exit, errs)
			}
			if exit, out, errs := testcli.Run(t, there, "plan", "check", path); exit != 0 || !strings.Contains(out, "can be applied") {
				t.Errorf("checked: exit %d: %s%s", exit, out, errs)
			}
			if exit, out, errs := testcli.Run(t, there, append([]string{"apply", path}, irreversible...)...); exit != 0 {
				t.Fatalf("applied: exit %d: %s%s", exit, out, errs)
			}
			if dumpWithoutTimes(t, here) != dumpWithoutTimes(t, there) {
				t.Error("applied from a file it leaves other rows")
			}
			if exit, _, errs := testcli.Run(t, there, append([]string{"apply", path}, irreversible...)...); exit != 3 || !strings.Contains(errs, "already") {
				t.Errorf("applied again: exit %d: %s", exit, errs)
			}
		})
	}
}

// TestPlanOfSecretsHasNoSecret: neither the file nor what is shown of it has a value or a part of one.
func TestPlanOfSecretsHasNoSecret(t *testing.T) {
	t.Parallel()
	db, path := testdb.Sample(t, fakehost.Head), filepath.Join(t.TempDir(), "plan.json")
	const value = "ghp_" + "Zx81Kq0Lw7Vb3Nm5Tr9Yp2Ds6Fg4Hj1Ac8E0"
	h, err := fakehost.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("UPDATE messages SET content = content || ' token " + value + "' WHERE message_id = 3"); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if exit, out, errs := testcli.Run(t, db, "secrets", "--plan-out", path); exit != 0 {
		t.Fatalf("exit %d: %s%s", exit, out, errs)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, out, _ := testcli.Run(t, db, "plan", "show", path, "--json")
	for _, text := range []string{string(b), out} {
		if !strings.Contains(text, "github-token#1") {
			t.Errorf("it doesn't name the secret: %s", text)
		}
		for at := 4; at+6 <= len(value); at++ {
			if strings.Contains(text, value[at:at+6]) {
				t.Fatalf("it has %s of the value", value[at:at+6])
			}
		}
	}
}

// TestPlanShowNeedsNoDatabase: it shows what was shown when the plan was made; flags that have no
// effect and places that are taken are refused.
func TestPlanShowNeedsNoDatabase(t *testing.T) {
	t.Parallel()
	db, path := testdb.Sample(t, fakehost.Head), filepath.Join(t.TempDir(), "plan.json")
	if exit, out, errs := testcli.Run(t, db, "key", "unarchive", "2", "--plan-out", path); exit != 0 {
		t.Fatalf("exit %d: %s%s", exit, out, errs)
	}
	nowhere := filepath.Join(t.TempDir(), "missing.db")
	exit, out, errs := testcli.Run(t, nowhere, "plan", "show", path, "--rows")
	if exit != 0 || !strings.Contains(out, "unarchive ") || !strings.Contains(out, "#2") || !strings.Contains(out, "updated  conversations 2") || !strings.Contains(out, db) {
		t.Errorf("exit %d: %s%s", exit, out, errs)
	}
	exit, out, errs = testcli.Run(t, nowhere, "plan", "show", path, "--json")
	var shown struct {
		Op      string         `json:"op"`
		Applied bool           `json:"applied"`
		Changes []any          `json:"changes"`
		File    map[string]any `json:"file"`
	}
	if err := json.Unmarshal([]byte(out), &shown); err != nil || exit != 0 || shown.Op != "key unarchive" || len(shown.Changes) == 0 || shown.File["path"] != path {
		t.Errorf("exit %d: %v %s%s", exit, err, out, errs)
	}
	for what, args := range map[string][]string{
		"exclude each other":  {"key", "unarchive", "2", "--plan-out", path + "2", "--apply"},
		"something already":   {"key", "unarchive", "2", "--plan-out", path},
		"the database itself": {"key", "unarchive", "2", "--plan-out", db + "-wal"},
		"needs show":          {"plan", "check", path, "--rows"},
		"needs a check":       {"plan", "show", path, "--exact=false"},
		"expected show":       {"plan", "list"},
		"has no effect":       {"apply", path, "--irreversible"},
		"no plan of lcm-tui":  {"apply", db},
		"no such file":        {"apply", nowhere},
		"several changes":     {"compact", "--all", "--force", "--plan-out", path + "3"},
		"is an estimate":      {"rewrite", "1", "--all", "--provider", "extractive", "--plan-out", path + "4"},
	} {
		if exit, out, errs := testcli.Run(t, db, args...); exit == 0 || !strings.Contains(errs, what) {
			t.Errorf("%q: exit %d: %s%s", args, exit, out, errs)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); err != nil || len(left) != 1 {
		t.Errorf("there are %q", left)
	}
}
