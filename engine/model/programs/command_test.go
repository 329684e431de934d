//go:build unix

package programs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakevendor"
	"lcm-tui/internal/testlength"
)

const keyText = "very-secret-key-0123456789"

// env is an environment.
type env map[string]string

func (e env) get(name string) string { return e[name] }

// chosen returns the model that is chosen.
func chosen(t *testing.T, c choose.Choice, e env) summarize.Model {
	t.Helper()
	m, err := choose.Model(c, e.get, choose.HostConfig{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// program writes a shell script and gives its folder. The script finds the folder
// in $HERE.
func program(t *testing.T, name, script string) string {
	t.Helper()
	dir := t.TempDir()
	text := "#!/bin/sh\nHERE='" + dir + "'\n" + script
	// No other test's program may inherit the open file: a file that is open for writing can't be run.
	syscall.ForkLock.RLock()
	err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func noted(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// spy notes what a program is given.
const spy = `cat > "$HERE/in"; pwd > "$HERE/pwd"; ls -A > "$HERE/ls"; env > "$HERE/env"; printf '%s\n' "$@" > "$HERE/args"
`

func TestExec(t *testing.T) {
	t.Parallel()
	dir := program(t, "my model", spy+"echo; echo ' A cat <sat>.'")
	m := chosen(t, choose.Choice{Provider: "exec", Exec: `"` + dir + `/my model" --fast 'two words'`}, env{})
	r := fakevendor.Request
	r.Source, r.Prompt, r.Depth, r.Kind, r.Mode = "Ein <Test> & \"mehr\"\u2028.", "P", 2, "condensed", summarize.Aggressive
	got, err := m.Summarize(t.Context(), r)
	if err != nil || got.Text != "A cat <sat>." || got.Model != "exec/my model" || got.Priced {
		t.Errorf("%+v, %v", got, err)
	}
	want := `{"system":"Be brief.","prompt":"P","source_text":"Ein <Test> & \"mehr\"\u2028.","previous_context":"Before that, a dog.",` +
		`"depth":2,"kind":"condensed","mode":"aggressive","target_tokens":300,"max_tokens":2348}` + "\n"
	if in := noted(t, dir, "in"); in != want {
		t.Errorf("stdin %s\n want %s", in, want)
	}
	if args := noted(t, dir, "args"); args != "--fast\ntwo words\n" {
		t.Errorf("arguments %q", args)
	}
}

func TestExecFailures(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for script, want := range map[string]struct {
		kind  model.Kind
		words string
	}{
		"echo half a summary; echo no such thing >&2; exit 7": {model.KindCommand, "exit status 7: no such thing"},
		"exit 0":                             {model.KindEmpty, ""},
		"echo '[Truncated from 9 tokens]'":   {model.KindMarked, "mark"},
		"kill -9 $$":                         {model.KindCommand, "killed"},
		"echo a summary; sleep 4 & exit 0":   {model.KindCommand, "a program that it started still has its standard output open"},
		"echo '<think>never ends'; exec <&-": {model.KindEmpty, "reasoning"},
	} {
		dir := program(t, "p", "echo x >> \"$HERE/runs\"\n"+script)
		_, err := chosen(t, choose.Choice{Exec: dir + "/p"}, env{}).Summarize(t.Context(), fakevendor.Request)
		var e *model.Error
		if !errors.As(err, &e) || e.Kind != want.kind || !strings.Contains(err.Error(), want.words) {
			t.Errorf("%s: %v", script, err)
		}
		if runs := noted(t, dir, "runs"); runs != "x\n" {
			t.Errorf("%s: it ran %d times", script, len(runs)/2)
		}
	}
}

// TestKill: a program that takes too long or isn't wanted any more is killed with
// what it started.
func TestKill(t *testing.T) {
	t.Parallel()
	dir := program(t, "p", "sleep 60 &\necho $! > \"$HERE/pid\"; wait")
	m := chosen(t, choose.Choice{Exec: dir + "/p", Timeout: 300 * time.Millisecond}, env{})
	began := time.Now()
	_, err := m.Summarize(t.Context(), fakevendor.Request)
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != model.KindTimeout {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := chosen(t, choose.Choice{Exec: dir + "/p"}, env{}).Summarize(ctx, fakevendor.Request); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// Twice the wait for what holds the output open, had it not been killed.
	if d := time.Since(began); d > 4*time.Second {
		t.Errorf("it took %v", d)
	}
}

func TestDelegates(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "sk-ant-leak")
	t.Setenv("OPENAI_API_KEY", "sk-leak")
	t.Setenv("OPENAI_ORG_ID", "org-leak")
	t.Setenv("SOME_VENDOR_TOKEN", "token-leak")
	t.Setenv("CLAUDE_CODE_OAUTH_TOKEN", "login")
	t.Setenv("UNRELATED", "stays")
	for _, c := range []struct {
		name, script, model string
		in                  string
		args                []string
		login               bool
		cost                float64
		out                 int64
	}{
		{"claude", "echo 'A cat sat.'", "sonnet", fakevendor.Request.Prompt, []string{"--print", "--system-prompt", "Be brief.", "--model", "sonnet"}, true, 0, 0},
		{
			"claude", `echo '{"type":"result","subtype":"success","is_error":false,"result":"A cat sat.","total_cost_usd":0.5,"usage":{"input_tokens":1,"output_tokens":7}}'`,
			"", fakevendor.Request.Prompt,
			[]string{"--output-format", "json"},
			true, 0.5, 7,
		},
		{
			"claude", `echo '{"type":"result","subtype":"success","result":"A cat sat.","total_cost_usd":1e300,"usage":{"input_tokens":-1,"output_tokens":7.0}}'`,
			"", fakevendor.Request.Prompt, nil, true, 0, 7,
		},
		{"codex", "echo 'A cat sat.'", "gpt-5", fakevendor.Request.System + "\n\n" + fakevendor.Request.Prompt, []string{"exec", "--ephemeral", "read-only", "-m", "gpt-5", "-"}, false, 0, 0},
		{
			"codex", `while [ "$1" != --output-last-message ]; do shift; done; echo 'A cat sat.' > "$2"; echo 'thinking aloud'`,
			"", fakevendor.Request.System + "\n\n" + fakevendor.Request.Prompt, nil, false, 0, 0,
		},
	} {
		dir := program(t, c.name, spy+c.script)
		m := chosen(t, choose.Choice{Provider: c.name, Model: c.model}, env{"PATH": dir})
		got, err := m.Summarize(t.Context(), fakevendor.Request)
		if err != nil || got.Text != "A cat sat." || got.Cost != c.cost || got.OutputTokens != c.out {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		if in := noted(t, dir, "in"); in != c.in {
			t.Errorf("%s was told %q", c.name, in)
		}
		if ls := noted(t, dir, "ls"); ls != "" {
			t.Errorf("%s: its folder holds %q", c.name, ls)
		}
		if _, err := os.Stat(strings.TrimSpace(noted(t, dir, "pwd"))); err == nil {
			t.Errorf("%s: its folder is still there", c.name)
		}
		args := "\n" + noted(t, dir, "args")
		for _, a := range c.args {
			if !strings.Contains(args, "\n"+a+"\n") {
				t.Errorf("%s: no argument %q in %q", c.name, a, args)
			}
		}
		given := noted(t, dir, "env")
		if strings.Contains(given, "leak") || !strings.Contains(given, "UNRELATED=stays") || strings.Contains(given, "=login") != c.login {
			t.Errorf("%s has the environment %s", c.name, given)
		}
	}
}

func TestDelegateFailures(t *testing.T) {
	t.Parallel()
	for script, kind := range map[string]model.Kind{
		"echo 'Invalid API key · Please run /login'; exit 1": model.KindAuth,
		"echo oops >&2; exit 2":                              model.KindCommand,
		"sleep 60":                                           model.KindTimeout,
		`echo '{"type":"result","subtype":"error_max_turns","is_error":true}'`:                      model.KindCommand,
		`echo '{"type":"result","subtype":"success","is_error":true,"result":"Please run /login"}'`: model.KindAuth,
		`echo '{"type":"result","subtype":"success","result":"A cat","stop_reason":"max_tokens"}'`:  model.KindTruncated,
		`echo '{"type":"result","subtype":"success","result":"","stop_reason":"end_turn"}'`:         model.KindEmpty,
	} {
		dir := program(t, "claude", script)
		c := choose.Choice{Provider: "claude"}
		if kind == model.KindTimeout {
			c.Timeout = 300 * time.Millisecond
		}
		m := chosen(t, c, env{"PATH": dir})
		_, err := m.Summarize(t.Context(), fakevendor.Request)
		var e *model.Error
		if !errors.As(err, &e) || e.Kind != kind {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// TestAProgramThatNeverEndsItsAnswerIsEnded.
func TestAProgramThatNeverEndsItsAnswerIsEnded(t *testing.T) {
	t.Parallel()
	dir := program(t, "p", "exec yes and so on")
	_, err := chosen(t, choose.Choice{Exec: dir + "/p"}, env{}).Summarize(t.Context(), fakevendor.Request)
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != model.KindMalformed || !strings.Contains(err.Error(), "more than 4 MB") {
		t.Error(err)
	}
}

// TestErrorsOfProgramsShowNoKey: no key of the environment is in the error.
func TestErrorsOfProgramsShowNoKey(t *testing.T) {
	t.Setenv("NUMBAT_API_KEY", keyText)
	dir := program(t, "p", `echo "the key $NUMBAT_API_KEY is no good" >&2; exit 3`)
	_, err := chosen(t, choose.Choice{Exec: dir + "/p"}, env{}).Summarize(t.Context(), fakevendor.Request)
	if err == nil || strings.Contains(err.Error(), keyText) || !strings.Contains(err.Error(), "the key [key] is no good") {
		t.Error(err)
	}
}

// TestAnAnswerInAFileIsLimitedToo: codex leaves its answer in one.
func TestAnAnswerInAFileIsLimitedToo(t *testing.T) {
	t.Parallel()
	dir := program(t, "codex", `while [ $# -gt 0 ]; do [ "$1" = --output-last-message ] && to=$2; shift; done
head -c 5000000 /dev/zero > "$to"; echo fine`)
	m := chosen(t, choose.Choice{Provider: "codex"}, env{"PATH": dir})
	_, err := m.Summarize(t.Context(), fakevendor.Request)
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != model.KindMalformed || !strings.Contains(err.Error(), "ask codex") {
		t.Error(err)
	}
}

// TestAResultThatIsNoneOfClaudeIsNoSummary.
func TestAResultThatIsNoneOfClaudeIsNoSummary(t *testing.T) {
	t.Parallel()
	dir := program(t, "claude", `echo '{"type":"result","result":["A cat sat."]}'`)
	got, err := chosen(t, choose.Choice{Provider: "claude"}, env{"PATH": dir}).Summarize(t.Context(), fakevendor.Request)
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != model.KindMalformed {
		t.Errorf("%+v, %v", got, err)
	}
}
