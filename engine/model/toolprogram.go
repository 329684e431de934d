package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"lcm-tui/engine/summarize"
)

// ToolProgram is a program that answers with the tools of one MCP server: claude or codex, by
// its own login.
type ToolProgram interface {
	// Name is "provider/model".
	Name() string
	// Identity is all that answers depend on beside a request.
	Identity() string
	// Run gives the last message of the program. When ctx is done, the program is killed with all
	// that it started.
	Run(ctx context.Context, r ProgramRequest) (string, error)
}

// ProgramRequest is one run of a program with tools.
type ProgramRequest struct {
	System, Prompt string
	// Server is the command of the MCP server, which offers nothing but Tools.
	Server []string
	Tools  []string
}

// serverName is the name of our server in the program's configuration.
const serverName = "lcm"

// toolEnvironment is what such a program gets beside the environment: our hooks would put the
// memory into its prompt a second time, and Claude Code would show names of tools only.
var toolEnvironment = []string{"LCM_TUI_HOOKS=off", "ENABLE_TOOL_SEARCH=false"}

// ChooseToolProgram finds the program of a choice whose provider is Claude or Codex. Each run
// counts as one call against spending, which may be nil.
func ChooseToolProgram(c Choice, env Getenv, host HostConfig, spending *summarize.Spending) (ToolProgram, error) {
	r, err := Resolve(c, env, host)
	if err == nil {
		err = r.Ready()
	}
	switch {
	case err != nil:
		return nil, err
	case r.Provider == Claude:
		return toolProgram{r, claudeTools, spending}, nil
	case r.Provider == Codex:
		return toolProgram{r, codexTools, spending}, nil
	}
	return nil, setup("the provider "+r.Provider+" is no program with tools", "use --provider claude or --provider codex")
}

// toolProgram runs a program that was found.
type toolProgram struct {
	resolved Resolved
	run      func(ctx context.Context, r Resolved, q ProgramRequest) (string, error)
	spending *summarize.Spending
}

// Name implements ToolProgram.
func (p toolProgram) Name() string { return p.resolved.Name() }

// Identity implements ToolProgram.
func (p toolProgram) Identity() string { return p.Name() + "\n" + p.resolved.identity() }

// Run implements ToolProgram.
func (p toolProgram) Run(ctx context.Context, r ProgramRequest) (string, error) {
	if len(r.Server) == 0 {
		return "", errors.New("run a program with tools: no server is named")
	}
	if err := p.spending.Reserve(0); err != nil {
		return "", err
	}
	start := time.Now()
	text, err := p.run(ctx, p.resolved, r)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("run %s for %s: %w", p.resolved.Provider, time.Since(start).Round(time.Second), err)
	}
	return text, err
}

// claudeTools runs Claude Code with our server only: no tools of its own, no settings, hooks,
// skills or other servers of the user, and no stored session.
func claudeTools(ctx context.Context, r Resolved, q ProgramRequest) (string, error) {
	const config = "mcp.json"
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{serverName: map[string]any{
		"type": "stdio", "command": q.Server[0], "args": q.Server[1:], "env": map[string]string{},
	}}})
	if err != nil {
		return "", fmt.Errorf("write the configuration of the server: %w", err)
	}
	allowed := make([]string, len(q.Tools))
	for i, name := range q.Tools {
		allowed[i] = "mcp__" + serverName + "__" + name
	}
	out, _, err := runAgent(ctx, agentRun{
		provider: Claude, program: r.program, in: q.Prompt, keep: claudeLogin, env: toolEnvironment,
		files: map[string]string{config: string(servers)},
		args: func(folder string) []string {
			args := []string{
				"--print", "--input-format", "text", "--output-format", "json", "--max-turns", "12", "--system-prompt", q.System,
				"--mcp-config", filepath.Join(folder, config), "--strict-mcp-config", "--tools", "", "--allowedTools", strings.Join(allowed, ","),
				"--setting-sources", "", "--disable-slash-commands", "--no-session-persistence",
			}
			if r.Model != "" {
				args = append(args, "--model", r.Model)
			}
			return args
		},
	})
	if err != nil {
		return "", err
	}
	got, err := readClaude(out)
	return got.text, err
}

// codexFeatures are those of Codex that bring tools, or run something of the user's. One that a
// version doesn't know is passed over by it.
var codexFeatures = []string{
	"shell_tool", "multi_agent", "goals", "hooks", "apps", "plugins", "skill_search", "image_generation", "browser_use", "computer_use",
}

// codexTools runs Codex with our server only: without its shell, the web, and the user's
// configuration and rules.
func codexTools(ctx context.Context, r Resolved, q ProgramRequest) (string, error) {
	server := "mcp_servers." + serverName + "."
	out, last, err := runAgent(ctx, agentRun{
		provider: Codex, program: r.program, in: q.System + "\n\n" + q.Prompt, keep: codexLogin, env: toolEnvironment,
		args: func(folder string) []string {
			args := []string{
				"exec", "--skip-git-repo-check", "--color", "never", "--ephemeral", "--sandbox", "read-only",
				"--ignore-user-config", "--ignore-rules", "-c", `web_search="disabled"`, "-c", "tools.view_image=false",
				"-c", server + "command=" + tomlText(q.Server[0]), "-c", server + "args=" + tomlList(q.Server[1:]),
				"-c", server + "enabled_tools=" + tomlList(q.Tools), "-c", server + "required=true",
				"--output-last-message", filepath.Join(folder, answerFile),
			}
			for _, f := range codexFeatures {
				args = append(args, "-c", "features."+f+"=false")
			}
			if r.Model != "" {
				args = append(args, "-m", r.Model)
			}
			return append(args, "-")
		},
	})
	return firstNonEmpty(last, out), err
}

// tomlText is a text as TOML writes it, which is as JSON does.
func tomlText(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // A text.
	}
	return string(b)
}

func tomlList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = tomlText(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
