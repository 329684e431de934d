package openclaw_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/openclaw"
)

// TestVariablesOfTheHostHaveAnyLength: what stands behind a long line is read too.
func TestVariablesOfTheHostHaveAnyLength(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "FIRST='one'\r\nLONG=" + strings.Repeat("x", 200_000) + "\n# LAST=no\nexport LAST=\"two\""
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := openclaw.ReadConfig(dir, getenv(nil))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"FIRST": "one", "LAST": "two"} {
		if got, _ := h.Variable(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got, _ := h.Variable("LONG"); len(got) != 200_000 {
		t.Errorf("LONG has %d bytes", len(got))
	}
}

func getenv(vars map[string]string) openclaw.Getenv {
	return func(name string) string { return vars[name] }
}

const document = "\ufeff" + `// The host's own, with comments.
{
  env: { OUTER: "outer-value", vars: { INNER: 'inner-value', }, },
  agents: { defaults: { model: { primary: "openai/gpt-5", fallbacks: [] }, compaction: { model: "anthropic/claude-x" } } },
  models: { providers: {
    Anthropic: { baseUrl: "https://${HOSTNAME_OF_PROXY}/a", api: "anthropic-messages", apiKey: "${INNER}" },
    openai: { apiKey: { source: "env", provider: "default", id: "DOTTED" } },
    groq: { apiKey: "${NOT_SET}" },
    xai: { apiKey: { source: "exec", id: "rm -rf /" } },
  } },
  plugins: { entries: { "lossless-claw": { config: {
    freshTailCount: 7, customInstructions: "Costs $5 and ${OUTER}; ${NOT_SET}", stripInjectedContextTags: ["${OUTER}"],
  } } } },
}`

// TestConfig: variables are replaced by the environment, .env and env.vars, in this order;
// keys show in no printed form.
func TestConfig(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("openclaw.json", document)
	write(".env", "# comment\nexport DOTTED=\"dotted value\"\nOUTER=from-dot\nbroken\n")
	h, err := openclaw.ReadConfig(dir, getenv(map[string]string{"HOSTNAME_OF_PROXY": "proxy.example"}))
	if err != nil || !h.Found || !h.EnvFound {
		t.Fatalf("%+v, %v", h, err)
	}
	got := map[string]string{
		"model": h.Model, "compaction": h.CompactionModel, "base": h.Providers["anthropic"].BaseURL, "key": h.Providers["anthropic"].Key(),
		"openai": h.Providers["openai"].Key(), "groq": h.Providers["groq"].Key(), "xai": h.Providers["xai"].Key(),
		"text": h.Plugin["customInstructions"].(string),
	}
	inner, where := h.Variable("INNER")
	got["inner"] = inner + " " + filepath.Base(where)
	dotted, where := h.Variable("DOTTED")
	got["dotted"] = dotted + " " + filepath.Base(where)
	want := map[string]string{
		"model": "openai/gpt-5", "compaction": "anthropic/claude-x", "base": "https://proxy.example/a", "key": "inner-value",
		"openai": "dotted value", "groq": "", "xai": "", "text": "Costs $5 and from-dot; ${NOT_SET}",
		"inner": "inner-value openclaw.json", "dotted": "dotted value .env",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if tail := h.Plugin["freshTailCount"]; tail != 7.0 {
		t.Errorf("freshTailCount is %v", tail)
	}
	if b, err := json.Marshal(h); err != nil || strings.Contains(string(b), "inner-value") {
		t.Errorf("%s, %v", b, err)
	}
}

// TestBrokenConfigHidesNothingElse: beside a document that can't be parsed the variables
// of .env are read.
func TestBrokenConfigHidesNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h, err := openclaw.ReadConfig(dir, getenv(nil))
	if err != nil || h.Found || h.EnvFound {
		t.Errorf("nothing there: %+v, %v", h, err)
	}
	for name, text := range map[string]string{"openclaw.json": "{ plugins: [", ".env": "K=v"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h, err = openclaw.ReadConfig(dir, getenv(nil))
	if v, _ := h.Variable("K"); err == nil || !h.Found || v != "v" {
		t.Errorf("%+v, %v", h, err)
	}
}
