package openclaw_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/openclaw"
)

const signIns = `{"version":1,"profiles":{
	"anthropic:default":{"type":"oauth","provider":"anthropic","access":"key-of-login","refresh":"key-of-refresh","expires":1700000000000},
	"anthropic:work":{"type":"api_key","provider":"Anthropic","key":"key-of-work"},
	"anthropic:ci":{"type":"token","provider":"anthropic","token":"key-of-ci","expires":4102444800000},
	"openai:ref":{"type":"api_key","provider":"openai","keyRef":{"source":"env","provider":"default","id":"DOTTED"}},
	"openai:text":{"mode":"api_key","provider":"openai","apiKey":"${DOTTED}"},
	"groq:file":{"type":"api_key","provider":"groq","keyRef":{"source":"file","id":"/groq"}},
	"xai:none":{"type":"api_key","provider":"xai"},
	"broken:1":{"type":7,"provider":"broken"}, "broken:2":"text", "broken:3":{"type":"api_key","provider":"broken","key":{"deep":1},"expires":"soon"}
}}`

// agentWith returns a state folder with one agent's sign-ins, and the configuration in it.
func agentWith(t *testing.T, config, store, state string) (openclaw.Locations, openclaw.Agent) {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "agents", "main", "agent")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		filepath.Join(dir, "openclaw.json"): config, filepath.Join(dir, ".env"): "DOTTED=key-of-env",
		filepath.Join(folder, "auth-profiles.json"): store, filepath.Join(folder, "auth-state.json"): state,
	} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := openclaw.Locate("", dir, getenv(nil))
	if err != nil {
		t.Fatal(err)
	}
	return l, openclaw.Agent{ID: "main", Folder: folder}
}

// TestSignIns: keys, tokens and logins with their times; references to variables are resolved,
// others are named as a problem; what isn't understood is passed over.
func TestSignIns(t *testing.T) {
	t.Parallel()
	l, agent := agentWith(t, "", signIns, "")
	all, err := l.Host.ReadSignIns(agent)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range all {
		expires := "never"
		if !s.Expires.IsZero() {
			expires = s.Expires.UTC().Format(time.DateOnly)
		}
		got = append(got, fmt.Sprintf("%s|%s|%s|%s|%s|%t", s.Source(), s.Provider, s.Type, s.Key(), expires, s.Problem != ""))
	}
	want := []string{
		"auth profile anthropic:work of agent main|anthropic|api_key|key-of-work|never|false",
		"auth profile anthropic:default of agent main|anthropic|oauth|key-of-login|2023-11-14|false",
		"auth profile anthropic:ci of agent main|anthropic|token|key-of-ci|2100-01-01|false",
		"auth profile broken:3 of agent main|broken|api_key||never|true",
		"auth profile groq:file of agent main|groq|api_key||never|true",
		"auth profile openai:ref of agent main|openai|api_key|key-of-env|never|false",
		"auth profile openai:text of agent main|openai|api_key|key-of-env|never|false",
		"auth profile xai:none of agent main|xai|api_key||never|true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if b, err := json.Marshal(all); err != nil || strings.Contains(string(b)+fmt.Sprintf("%+v", all), "key-of-") {
		t.Errorf("a key shows in %s, %v", b, err)
	}
}

// TestTheHostsOrderOfSignIns: an order leaves out what it doesn't name; the host's state comes
// before its configuration; without an order the one that worked last comes first.
func TestTheHostsOrderOfSignIns(t *testing.T) {
	t.Parallel()
	const inConfig = `{auth: {order: {anthropic: ["anthropic:ci"]}}}`
	for name, c := range map[string]struct {
		config, state string
		want          string
	}{
		"none":              {want: "anthropic:work anthropic:default anthropic:ci"},
		"last good":         {state: `{"lastGood":{"anthropic":"anthropic:ci"}}`, want: "anthropic:ci anthropic:work anthropic:default"},
		"in the state":      {config: inConfig, state: `{"order":{"Anthropic":["anthropic:default","anthropic:work"]}}`, want: "anthropic:default anthropic:work"},
		"in the config":     {config: inConfig, want: "anthropic:ci"},
		"of another type":   {config: `{auth: {order: "none"}, agents: {list: 7}}`, state: `{"order":7,"lastGood":{"anthropic":1}}`, want: "anthropic:work anthropic:default anthropic:ci"},
		"a state in pieces": {state: `{"order":{`, want: "anthropic:work anthropic:default anthropic:ci"},
	} {
		l, agent := agentWith(t, c.config, signIns, c.state)
		all, err := l.Host.ReadSignIns(agent)
		var got []string
		for _, s := range all {
			if s.Provider == "anthropic" {
				got = append(got, s.Profile)
			}
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s (%v)", name, got, c.want, err)
		}
	}
}

// TestSignInsThatCantBeRead: the error names the agent and quotes nothing of the document.
func TestSignInsThatCantBeRead(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]string{
		"not JSON": `key-of-nobody {`, "a list": `["key-of-nobody"]`, "profiles of another type": `{"profiles":"key-of-nobody"}`,
	} {
		l, agent := agentWith(t, "", store, "")
		all, err := l.Host.ReadSignIns(agent)
		if err == nil || len(all) != 0 || strings.Contains(err.Error(), "key-of-") || !strings.Contains(err.Error(), agent.SignInPath()) {
			t.Errorf("%s: %v, %v", name, all, err)
		}
	}
	l, agent := agentWith(t, "", "", "")
	if all, err := l.Host.ReadSignIns(agent); err != nil || all != nil {
		t.Errorf("no file: %v, %v", all, err)
	}
	if err := os.Mkdir(agent.SignInPath(), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Host.ReadSignIns(agent); err == nil || !strings.Contains(err.Error(), "agent main") {
		t.Errorf("a folder in its place: %v", err)
	}
}

// TestAgents: folders under the state folder, and those that the configuration names; the default
// agent and main come first.
func TestAgents(t *testing.T) {
	t.Parallel()
	l, _ := agentWith(t, `{agents: {list: [{id: "Zed", default: true}, {id: "far", agentDir: "~/far"}, {agentDir: "/nobody"}, 7]}}`, "", "")
	for _, name := range []string{"alpha/agent", "zed/agent", "empty"} {
		if err := os.MkdirAll(filepath.Join(l.StateDir, "agents", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, a := range l.Agents() {
		path := strings.TrimPrefix(a.Folder, l.StateDir+string(filepath.Separator))
		got = append(got, a.ID+" "+filepath.ToSlash(path))
	}
	want := []string{"zed agents/zed/agent", "main agents/main/agent", "alpha agents/alpha/agent", "far far"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
