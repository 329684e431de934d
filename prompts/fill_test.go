package prompts_test

import (
	"reflect"
	"strings"
	"testing"

	"lcm-tui/internal/testlength"
	"lcm-tui/prompts"
)

// render fills in a user's template, where the text to summarize is x.
func render(t *testing.T, text string) (string, error) {
	t.Helper()
	return open(t, folder(t, "leaf.tmpl", text)).Render("leaf", prompts.Vars{SourceText: "x", Depth: 2})
}

func TestTemplatesOfUsersHaveTheWholeLanguage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{{define "a"}}[{{.}}]{{end}}{{range 2}}{{template "a" .}}{{end}}{{block "b" .}}{{.Depth}}{{end}}`: "[0][1]2",
		`{{with $d := .Depth}}{{if and (gt $d 1) (ne $.SourceText "")}}{{printf "%03d" $d}}{{end}}{{end}}`: "002",
		`{{html "<" 1}}{{js "<"}}{{urlquery "a b"}}{{print 1 2 nil}}{{println .SourceText}}`:               `&lt;1\u003Ca+b1 2 <nil>x`,
		`{{range 5}}{{if eq . 1}}{{continue}}{{else if eq . 3}}{{break}}{{end}}{{.}}{{else}}none{{end}}`:   "02",
		`a {{- /* nothing */ -}} {{slice "abc" 1 2}}{{index "a" 0}}{{len "abc" | or 0}}{{not .}}`:          "ab973false",
		``: ``,
	} {
		if got, err := render(t, text); err != nil || got != want {
			t.Errorf("%s is %q (%v), not %q", text, got, err, want)
		}
	}
}

// TestHostileTemplatesEnd: what has no end, or makes a text of endless size, is an error soon.
func TestHostileTemplatesEnd(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for text, want := range map[string]string{
		`{{range 1000000000000}}{{end}}`:                                                                                                  "steps",
		`{{range 1000000000000}}{{/* nothing */}}{{continue}}{{end}}`:                                                                     "steps",
		`{{range 1000000000000}}{{with ""}}{{end}}{{end}}`:                                                                                "steps",
		`{{range 1000000}}{{range 1000000}}{{$x := 1}}{{end}}{{end}}`:                                                                     "steps",
		`{{range 1000000000000}}text{{end}}`:                                                                                              "steps",
		`{{$x := "aa"}}{{range 1000}}{{$x = print $x $x}}{{end}}`:                                                                         "MB of text",
		`{{$x := "&<"}}{{range 1000}}{{$x = html $x $x}}{{end}}`:                                                                          "MB of text",
		`{{$x := "&<"}}{{range 1000}}{{$x = js $x $x | urlquery}}{{end}}`:                                                                 "MB of text",
		`{{$x := "a"}}{{range 1000}}{{$x = printf "%q%[1]q" $x}}{{end}}`:                                                                  "MB of text",
		`{{printf "` + strings.Repeat("%999999d", 300) + `"}}`:                                                                            "MB of text",
		`{{printf "` + strings.Repeat("%*d", 300) + `" 999999 1}}`:                                                                        "MB of text",
		`{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`:                                                                           "in one another",
		`{{define "a"}}{{template "a"}}{{template "a"}}{{end}}{{template "a"}}`:                                                           "in one another",
		`{{define "a"}}{{range 9}}{{template "a" .}}{{end}}{{end}}{{template "a"}}`:                                                       "in one another",
		`{{define "a"}}{{if 1}}{{template "a"}}{{end}}{{end}}{{range 9}}{{template "a"}}{{end}}`:                                          "in one another",
		`{{define "a"}}` + strings.Repeat("{{with 1}}", 500) + strings.Repeat("{{end}}", 501) + `{{range 1000}}{{template "a"}}{{end}}`:   "steps",
		strings.Repeat("{{range 1}}", 30_000) + strings.Repeat("{{end}}", 30_000):                                                         "in one another",
		`{{define "a"}}` + strings.Repeat("{{with 1}}", 1000) + `{{template "a"}}` + strings.Repeat("{{end}}", 1001) + `{{template "a"}}`: "steps",
	} {
		out, err := render(t, text)
		if err == nil || !strings.Contains(err.Error(), want) || out != "" {
			t.Errorf("%.60s: %.80s (%v)", text, out, err)
		}
	}
}

func TestVariablesHaveNoMethodsThatATemplateCouldCall(t *testing.T) {
	t.Parallel()
	for _, of := range []reflect.Type{reflect.TypeFor[prompts.Vars](), reflect.TypeFor[*prompts.Vars]()} {
		if of.NumMethod() > 0 {
			t.Errorf("%v has %d methods", of, of.NumMethod())
		}
	}
}

// TestErrorsOfTemplatesHoldNoTexts: the messages have the line and the part of the template, and nothing of
// the conversation.
func TestErrorsOfTemplatesHoldNoTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\n{{range .}}{{end}}":             ":2: range can't iterate over this value at <.>",
		"{{range $i, $e := 3}}{{end}}":      ":1: can't use 3 to iterate over more than one variable at <3>",
		"\n{{len .}}":                       ":2: error calling len: len of type all variables at <len .>",
		"{{call .SourceText}}":              ":1: error calling call: non-function .SourceText of type string at <call .SourceText>",
		"{{lt 1 .SourceText}}":              ":1: error calling lt: incompatible types for comparison: int and string at <lt 1 .SourceText>",
		"{{.Depth 1}}":                      ":1: Depth has arguments but cannot be invoked as function at <.Depth>",
		"\n\n{{template `other`}}":          `:3: template "other" not defined at <{{template "other"}}>`,
		"{{printf 1}}":                      ":1: expected string; found 1 at <1>",
		"{{(print 1).X}}{{/* a string */}}": ":1: there is no variable X",
		"{{.escaped}}":                      ":1: there is no variable escaped",
		"{{env `HOME`}}":                    ":1: there is no function env; write a variable with a dot before its name",
		"{{.SourceText}":                    ":1: bad character U+007D '}'",
	} {
		if _, err := render(t, text); err == nil || !strings.HasSuffix(err.Error(), "leaf.tmpl"+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
