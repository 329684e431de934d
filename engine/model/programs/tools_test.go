//go:build unix

package programs_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/summarize"
)

var toolRun = model.ProgramRequest{
	System: "Be brief.", Prompt: "Which port?", Tools: []string{"lcm_describe", "lcm_grep"},
	Server: []string{"/opt/lcm tui", "--db", `/tmp/a "b".db`, "mcp", "--grant-tokens=4000"},
}

// toolProgram returns a program that notes how it was started, and answers with a text.
func toolProgram(t *testing.T, provider, answer string, spending *summarize.Spending) (p model.ToolProgram, notes string) {
	t.Helper()
	notes = t.TempDir()
	script := `printf '%s\n' "$@" > ` + notes + `/args
cat > ` + notes + `/in
env > ` + notes + `/env
while [ $# -gt 0 ]; do
  case $1 in
  --mcp-config) cp "$2" ` + notes + `/mcp.json; ls -l "$2" > ` + notes + `/mode;;
  --output-last-message) echo '` + answer + `' > "$2";;
  esac
  shift
done
echo '` + answer + `'`
	p, err := choose.ToolProgram(choose.Choice{Provider: provider, Model: "x"}, env{"PATH": program(t, provider, script)}.get, choose.HostConfig{}, spending)
	if err != nil {
		t.Fatal(err)
	}
	return p, notes
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestClaudeGetsOurServerAndNoOtherTools(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "sk-ant-api03-0123456789")
	p, notes := toolProgram(t, model.Claude, `{"type":"result","subtype":"success","is_error":false,"result":"{}"}`, nil)
	got, err := p.Run(t.Context(), toolRun)
	if err != nil || got != "{}" || p.Name() != "claude/x" {
		t.Fatalf("%q, %v", got, err)
	}
	args := "\n" + read(t, notes, "args")
	for _, want := range []string{
		"\n--strict-mcp-config\n", "\n--tools\n\n", "\n--allowedTools\nmcp__lcm__lcm_describe,mcp__lcm__lcm_grep\n",
		"\n--setting-sources\n\n", "\n--system-prompt\nBe brief.\n", "\n--no-session-persistence\n", "\n--model\nx\n",
	} {
		if !strings.Contains(args, want) {
			t.Errorf("the arguments lack %q: %s", want, args)
		}
	}
	var config struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(read(t, notes, "mcp.json")), &config); err != nil {
		t.Fatal(err)
	}
	server := config.Servers["lcm"]
	if len(config.Servers) != 1 || server.Command != toolRun.Server[0] || strings.Join(server.Args, "|") != strings.Join(toolRun.Server[1:], "|") {
		t.Errorf("the configuration: %+v", config)
	}
	if !strings.HasPrefix(read(t, notes, "mode"), "-rw-------") {
		t.Errorf("others can read the configuration: %s", read(t, notes, "mode"))
	}
	if read(t, notes, "in") != "Which port?" {
		t.Errorf("on its standard input: %q", read(t, notes, "in"))
	}
	environment := read(t, notes, "env")
	if !strings.Contains(environment, "LCM_TUI_HOOKS=off\n") || strings.Contains(environment+args, "0123456789") {
		t.Errorf("the environment: %s", environment)
	}
}

func TestCodexGetsOurServerAndNoOtherTools(t *testing.T) {
	t.Parallel()
	p, notes := toolProgram(t, model.Codex, "{}", nil)
	got, err := p.Run(t.Context(), toolRun)
	if err != nil || strings.TrimSpace(got) != "{}" {
		t.Fatalf("%q, %v", got, err)
	}
	args := "\n" + read(t, notes, "args")
	for _, want := range []string{
		"\n--ignore-user-config\n", "\n--sandbox\nread-only\n", "\nfeatures.shell_tool=false\n", "\nfeatures.multi_agent=false\n", "\ntools.view_image=false\n", "\nweb_search=\"disabled\"\n",
		"\nmcp_servers.lcm.command=\"/opt/lcm tui\"\n",
		"\nmcp_servers.lcm.args=[\"--db\", \"/tmp/a \\\"b\\\".db\", \"mcp\", \"--grant-tokens=4000\"]\n",
		"\nmcp_servers.lcm.enabled_tools=[\"lcm_describe\", \"lcm_grep\"]\n",
	} {
		if !strings.Contains(args, want) {
			t.Errorf("the arguments lack %q: %s", want, args)
		}
	}
	if in := read(t, notes, "in"); in != "Be brief.\n\nWhich port?" {
		t.Errorf("on its standard input: %q", in)
	}
}

func TestProgramsWithToolsAreLimitedAndStopped(t *testing.T) {
	t.Parallel()
	p, _ := toolProgram(t, model.Codex, "{}", summarize.NewSpending(1, 0))
	if _, err := p.Run(t.Context(), toolRun); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(t.Context(), toolRun); !errors.Is(err, summarize.ErrLimit) {
		t.Errorf("a second run: %v", err)
	}
	slow, err := choose.ToolProgram(choose.Choice{Provider: model.Claude}, env{"PATH": program(t, "claude", "sleep 60")}.get, choose.HostConfig{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := slow.Run(ctx, toolRun); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a program that is late: %v", err)
	}
	if _, err := choose.ToolProgram(choose.Choice{Provider: "openai"}, env{"OPENAI_API_KEY": "sk-proj-x"}.get, choose.HostConfig{}, nil); err == nil {
		t.Error("a provider over HTTP was taken for a program")
	}
}
