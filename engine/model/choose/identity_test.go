//go:build unix

package choose_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/model/wire"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakevendor"
)

// answers asks a model that keeps its answers in folder.
func answers(t *testing.T, folder string, c choose.Choice, host choose.HostConfig) summarize.Reply {
	t.Helper()
	m, err := summarize.Cache(summarize.Limit(chosen(t, c, given, host), 100, 0), folder)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Summarize(t.Context(), fakevendor.Request)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestAnAnswerIsKeptByAllThatWentIntoTheCall: another command, another argument, a
// program or a script that was changed, another address, model or format is another call.
func TestAnAnswerIsKeptByAllThatWentIntoTheCall(t *testing.T) {
	t.Parallel()
	folder, dir := t.TempDir(), t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b := write("a.sh", "#!/bin/sh\necho of a $1"), write("b.sh", "#!/bin/sh\necho of b $1")
	data := write("style.txt", "one")
	answer := func(exec string) string {
		return answers(t, folder, choose.Choice{Exec: exec}, choose.HostConfig{}).Text
	}
	kept := func(exec string) bool {
		return answers(t, folder, choose.Choice{Exec: exec}, choose.HostConfig{}).Cached
	}
	for exec, want := range map[string]string{
		"/bin/sh " + a: "of a", "/bin/sh " + b: "of b", a: "of a", b: "of b", a + " x": "of a x", a + " 'x y'": "of a x y", "/bin/sh " + a + " x": "of a x",
		`/bin/sh -c "sh ` + a + `"`: "of a", `/bin/sh -c "sh ` + b + `"`: "of b",
	} {
		if got := answer(exec); got != want {
			t.Errorf("%s said %q, want %q", exec, got, want)
		}
		if !kept(exec) {
			t.Errorf("%s is asked again", exec)
		}
	}
	a = write("a.sh", "#!/bin/sh\necho something else $1")
	for _, exec := range []string{a, "/bin/sh " + a, "/bin/sh " + a + " x", `/bin/sh -c "sh ` + a + `"`} {
		if got := answer(exec); got != "something else" && got != "something else x" {
			t.Errorf("%s, of another program, said %q", exec, got)
		}
	}
	for _, arg := range []string{data, "--style=" + data, "@" + data, "--style=@" + data} {
		exec := a + " " + arg
		if answer(exec); !kept(exec) {
			t.Errorf("%s is asked again", exec)
		}
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(data, later, later); err != nil {
			t.Fatal(err)
		}
		if kept(exec) {
			t.Errorf("%s isn't asked again after the file was changed", exec)
		}
		if err := os.Chtimes(data, later, later.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnAnswerIsKeptByAddressAndFormat, and by the models that may stand in.
func TestAnAnswerIsKeptByAddressAndFormat(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	one, two := fakevendor.New(t), fakevendor.New(t)
	for _, c := range []choose.Choice{
		{Provider: "openai", Model: "good", BaseURL: one.URL},
		{Provider: "openai", Model: "good", BaseURL: two.URL},
		{Provider: "openai", Model: "good", BaseURL: one.URL + "/v2"},
		{Provider: "openai", Model: "good", BaseURL: one.URL, API: wire.Chat},
		{Provider: "compatible", Model: "good", BaseURL: one.URL},
		{Provider: "openai", Model: "thoughtful", BaseURL: one.URL},
	} {
		if answers(t, folder, c, choose.HostConfig{}).Cached {
			t.Errorf("%+v was given another's answer", c)
		}
		if again := answers(t, folder, c, choose.HostConfig{}); !again.Cached || again.Text != fakevendor.Summary || again.Cost != 0 {
			t.Errorf("%+v is asked again", c)
		}
	}
	host := choose.HostConfig{Model: "openai/good", Endpoints: map[string]choose.Endpoint{"openai": {BaseURL: one.URL}, "xai": {BaseURL: two.URL}}}
	if !answers(t, folder, choose.Choice{}, host).Cached {
		t.Error("the host's model at the same address is asked again")
	}
	host.Fallbacks = []string{"xai/good"}
	if answers(t, folder, choose.Choice{}, host).Cached {
		t.Error("a model with a fallback was given the answer of one without")
	}
}
