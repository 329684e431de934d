package prompts

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"text/template"
)

// variants are variables with which every template of the tests is filled in.
var variants = []Vars{
	{},
	{TargetTokens: 1200, PreviousContext: "what came before", ChildCount: 3, TimeRange: "2026", Depth: 1, SourceText: "abc", CustomInstructions: "be brief"},
	{TargetTokens: -1, ChildCount: 1, Depth: 2, SourceText: "<a href='x'>&\"\x00\\ é\u200b😀=\x1b\xff\n", PreviousContext: " ", CustomInstructions: "a%db%s"},
}

// templates are templates of every part of the language, right and wrong ones.
var templates = strings.Split(strings.TrimSpace(`
text only
{{.SourceText}}
{{.}}
{{$}}|{{$.Depth}}|{{$.Depth.X}}
a {{- .Depth -}} b
a  {{- /* a comment */ -}}  b{{/* another */}}
{{/* not closed
{{.Sauce}}
{{.sourceText}}
{{.value}}
{{.SourceText.Length}}
{{SourceText}}
{{.Depth 1}}
{{.Sauce 1}}
{{1 | .Depth}}
{{$x := 1}}{{$x}}{{$x = "two"}}{{$x}}
{{$x := .}}{{$x.Depth}}{{$x.Sauce}}
{{$x := .Depth}}{{$x 1}}
{{$x := .Depth}}{{1 | $x}}
{{$x}}
{{$x = 1}}
{{$x := $x}}
{{$x := .Depth.X | print $x}}
{{range $x = 2}}{{end}}
{{if $x = 2}}{{end}}
{{$x := 1}}{{if true}}{{$x := 2}}{{$x}}{{end}}{{$x}}
{{$x := 1}}{{if true}}{{$x = 2}}{{end}}{{$x}}
{{if $x := .Depth}}{{$x}}{{else}}none{{$x}}{{end}}
{{if .Depth}}{{$y := 1}}{{end}}{{$y}}
{{$x := 1}}{{print ($x := 2)}}{{$x}}
{{print ($x := 2) $x}}{{$x}}
{{if .SourceText}}yes{{else}}no{{end}}
{{if .Depth}}1{{else if .ChildCount}}2{{else}}3{{end}}
{{if .}}yes{{end}}
{{if .Depth}}
{{end}}{{end}}
{{if}}{{end}}
{{if 1.5}}a{{end}}{{if 0.0}}b{{end}}{{if 1i}}c{{end}}{{if 0i}}d{{end}}{{if ""}}e{{end}}{{if 'a'}}f{{end}}
{{if index "\x00" 0}}a{{else}}b{{end}}{{if index "a" 0}}a{{end}}
{{if nil}}{{end}}
{{if not nil}}a{{end}}
{{with .PreviousContext}}{{.}}{{else}}none{{end}}
{{with .PreviousContext}}1{{else with .CustomInstructions}}{{.}}{{else}}3{{.Depth}}{{end}}
{{with $x := .Depth}}{{$x}}{{.}}{{$.Depth}}{{end}}
{{with .Depth}}{{.Depth}}{{end}}
{{or .PreviousContext "(none)"}}
{{or 0 "" nil}}|{{or nil}}|{{and nil 1}}|{{and 1 nil}}
{{and .Depth .ChildCount}}|{{and 1 2 3}}|{{and 1 0 (index "a" 9)}}
{{or 1 (index "a" 9)}}
{{or 0 (index "a" 9)}}
{{or}}
{{and}}
{{1 | or}}|{{0 | or 0}}|{{1 | and 2}}|{{nil | or}}
{{.Depth | or .ChildCount}}
{{not .Depth}}{{not 1}}{{not ""}}{{not .}}
{{not}}
{{not 1 2}}
{{eq .Depth 1}}{{eq .Depth 1 2 3}}{{eq .SourceText "abc"}}
{{eq 1}}
{{eq}}
{{eq nil}}
{{eq nil nil}}{{eq nil 1}}{{eq 1 nil}}{{eq . nil}}{{eq nil .}}{{ne nil nil}}{{ne nil 1}}
{{eq . .}}{{ne . .}}{{eq . $}}
{{eq . 1}}
{{eq 1 .}}
{{eq 1 1.0}}
{{eq 1 "1"}}
{{eq 1 2 "1"}}
{{eq 1 1 "1"}}
{{eq true true}}{{eq true false}}{{eq true 1}}
{{eq 1.5 1.5}}{{eq 1i 1i}}{{eq 1i 2i}}{{eq 'a' 97}}{{eq (index "a" 0) 97}}{{eq 97 (index "a" 0)}}{{eq (index "a" 0) (index "b" 0)}}
{{eq (index "a" 0) -1}}{{lt (index "a" 0) 98}}{{lt -1 (index "a" 0)}}{{ge (index "a" 0) 97}}{{lt 97 (index "a" 0)}}
{{ne .Depth 1}}{{ne "a" "b"}}{{ne 1 "a"}}
{{ne 1}}
{{ne 1 2 3}}
{{lt 1 2}}{{le 1 2}}{{gt 1 2}}{{ge 1 2}}{{lt 2 1}}{{le 2 2}}{{gt 2 2}}{{ge 2 2}}{{gt 3 2}}{{ge 1 2}}
{{lt "a" "b"}}{{le "a" "a"}}{{gt "b" "a"}}{{ge "a" "b"}}
{{lt 1.5 2.5}}{{le 1.5 1.5}}{{gt 1.5 2.5}}{{ge 2.5 1.5}}
{{lt 1 "a"}}
{{gt 1 1.0}}
{{lt true false}}
{{lt 1i 2i}}
{{le 1i 1i}}
{{lt nil 1}}
{{lt 1 nil}}
{{gt nil nil}}
{{lt . 1}}
{{ge 1 .}}
{{lt true 1}}
{{gt .ChildCount 1 | not}}
{{len .SourceText}}{{len ""}}{{len "é"}}
{{len .Depth}}
{{len .}}
{{len nil}}
{{len}}
{{len "a" "b"}}
{{len (index "a" 0)}}
{{.SourceText | len}}
{{index .SourceText 0}}
{{index .SourceText 3}}
{{index .SourceText 100}}
{{index "abc" 1}}{{index "abc" (index "\x02" 0)}}{{index "abc"}}{{index 7}}
{{index "abc" -1}}
{{index "abc" "1"}}
{{index "abc" 1.0}}
{{index "abc" nil}}
{{index "abc" .}}
{{index "abc" 1 1}}
{{index 7 1}}
{{index . "Depth"}}
{{index nil}}
{{index nil 1}}
{{index}}
{{1 | index "abc"}}
{{slice .SourceText}}{{slice "abc" 1}}{{slice "abc" 1 2}}{{slice "abc" 3}}{{slice "abc" 0 0}}{{slice "abc" (index "\x01" 0)}}
{{slice "abc" 2 1}}
{{slice "abc" 4}}
{{slice "abc" 1 4}}
{{slice "abc" -1}}
{{slice "abc" 0 1 2}}
{{slice "abc" 0 1 2 3}}
{{slice "abc" nil}}
{{slice "abc" "a"}}
{{slice 7}}
{{slice 7 1}}
{{slice 7 1 2 3 4}}
{{slice .}}
{{slice nil}}
{{slice nil 1 2 3 4}}
{{slice}}
{{print}}|{{print 1}}|{{print 1 2 "a" "b" nil true 1.5}}|{{print .}}|{{print nil}}|{{print 'a' 0x10 1e3 0x1p4 1_000 0b11 017 0o17 1i}}
{{println}}|{{println "a" 1 nil}}
{{printf "%d-%s-%v-%q" .Depth .SourceText nil 'a'}}
{{printf "%T %T %T %T %T %T" 1 "a" 1.5 true (index "a" 0) 1i}}
{{printf "%d"}}|{{printf "%s" 1 2}}|{{printf "%5d|%-5s|%05.1f" 1 "a" 1.5}}|{{printf "%x" .SourceText}}
{{printf .CustomInstructions 1 2}}
{{printf "%+v" .}}{{printf "%#v" .}}{{printf "%T" .}}
{{printf}}
{{printf 1}}
{{printf nil}}
{{printf .Depth}}
{{printf .}}
{{printf (print "%d") 3}}
{{printf 1 (index "a" 9)}}
{{printf .Depth (index "a" 9)}}
{{"%d" | printf}}
{{1 | printf}}
{{3 | printf "%d"}}
{{3 | printf "%d" | printf "%s!" | len}}
{{"a" | print "b" | printf "%q"}}
{{html .SourceText}}|{{html 1 nil "<"}}|{{html}}|{{.SourceText | html}}
{{js .SourceText}}|{{js "a" nil 1}}|{{js "'\"<>&=\\\x01\x7f\u2028é😀\U000E0001\xff"}}
{{urlquery .SourceText}}|{{urlquery "a b" 1 nil}}
{{html nil}}{{js nil}}{{urlquery nil}}
{{call}}
{{call 1}}
{{call nil}}
{{call "f" 1 2}}
{{1 | call}}
{{range 3}}{{.}},{{end}}
{{range .ChildCount}}{{.}},{{else}}none{{end}}
{{range $i := 3}}{{$i}}{{.}}{{end}}
{{range $i, $e := 3}}{{$i}}{{end}}
{{range $i, $e := 0}}{{$i}}{{end}}
{{range $i, $e := nil}}{{end}}
{{range -1}}a{{else}}b{{.Depth}}{{end}}
{{range 0}}a{{end}}
{{$x := 9}}{{range $x = 3}}{{$x}}{{end}}{{$x}}
{{$x := 9}}{{range $x = 0}}{{$x}}{{else}}{{$x}}{{end}}{{$x}}
{{$x := 9}}{{range 3}}{{$x = .}}{{$x := 5}}{{end}}{{$x}}
{{range 5}}{{if eq . 3}}{{break}}{{end}}{{if eq . 1}}{{continue}}{{end}}{{.}}{{end}}
{{range 3}}{{range 3}}{{if eq . 1}}{{break}}{{end}}{{.}}{{end}}-{{end}}
{{range 2}}{{$y := .}}{{with 1}}{{continue}}{{end}}{{end}}{{.Depth}}
{{range $i := 2}}{{$j := $i}}{{range $k := 2}}{{$i}}{{$j}}{{$k}} {{end}}{{end}}
{{range index "\x03" 0}}{{printf "%T%v " . .}}{{end}}
{{range $i, $e := index "\x03" 0}}{{end}}
{{range .SourceText}}{{.}}{{end}}
{{range 1.5}}{{end}}
{{range 1i}}{{end}}
{{range true}}{{end}}
{{range .}}{{end}}
{{range (print "a")}}{{end}}
{{range or nil}}a{{else}}b{{end}}
{{break}}
{{continue}}
{{define "a"}}[{{.}}]{{end}}{{template "a" .Depth}}{{template "a" "x"}}{{template "a"}}
{{template "a"}}{{define "a"}}{{.Depth}}{{.Depth 1}}{{$}}{{$.X}}{{with .}}1{{else}}2{{end}}{{end}}
{{define "a"}}{{$x}}{{end}}{{$x := 1}}{{template "a"}}
{{define "a"}}{{$x := 2}}{{$x}}{{end}}{{$x := 1}}{{template "a"}}{{$x}}
{{template "other" .}}
{{template "other"}}
{{template leaf}}
{{define "a"}}one{{end}}{{define "a"}}two{{end}}
{{define "a"}}one{{end}}{{define "a"}} {{end}}{{template "a"}}
{{define "leaf.tmpl"}}inner{{end}}
{{define "leaf.tmpl"}}inner{{end}}outer
{{define "a"}}{{.Sauce}}{{end}}{{template "a" .}}
{{define "a"}}{{index . 9}}{{end}}{{template "a" "x"}}
{{define "a"}}{{template "b" .}}!{{end}}{{define "b"}}({{.}}){{end}}{{template "a" 1}}
{{block "a" .Depth}}<{{.}}>{{end}}{{template "a" 7}}
{{block "a" .}}<{{.Depth}}{{$.ChildCount}}>{{end}}
{{block "a" .}}{{.Sauce}}{{end}}
{{define "a"}}{{if .}}{{slice . 0 1}}-{{template "a" (slice . 1)}}{{end}}{{end}}{{template "a" "abcdef"}}
{{template "a" $x := 1}}{{$x}}{{define "a"}}{{.}}{{end}}
{{1}}{{1.0}}{{1.5e3}}{{1e3}}{{0x1F}}{{'a'}}{{"a"}}{{true}}{{false}}{{-1}}{{+1}}{{1i}}{{1+2i}}
{{18446744073709551615}}
{{print 9223372036854775808}}
{{9223372036854775807}}{{-9223372036854775808}}{{0xFFFFFFFFFFFFFFFF}}
{{1e19}}|{{1E2}}|{{0x1p-2}}|{{0xep1}}|{{'e'}}|{{'\n'}}|{{0xE}}|{{.5}}
{{nil}}
{{nil | print}}
{{1 2}}
{{"a" 1}}
{{true | 1}}
{{1 | "a"}}
{{. 1}}
{{(1) 2}}
{{(print 1) 2}}
{{1 | (print 2)}}
{{(print 1 2)}}{{(1 | print 2) | len}}{{((.Depth))}}
{{(.).Depth}}{{(.).Sauce}}
{{(print 1).X}}
{{(nil).X}}
{{(or nil).X.Y}}
{{print.X}}
{{print (or nil).X}}
{{(.).Depth 1}}
{{(.).Depth.X}}
{{len.X}}
{{print len}}
{{print print}}|{{print (print)}}|{{len print}}
{{print .Depth $.Depth .SourceText true nil 'a' (len "a")}}
{{.Depth | print | print | print}}
{{print "a`+"`"+`"}}{{print `+"`raw\\n`"+`}}
{{"unclosed}}
{{.Depth
{{.Depth}
{{}}
{{|}}
{{else}}
{{end}}
{{if .Depth}}
{{if .Depth}}{{else}}{{else}}{{end}}
{{$x := }}
{{foo .Depth}}
{{.Depth.}}
{{1a}}
{{"\xzz"}}
{{template "a" 1 2}}{{define "a"}}{{.}}{{end}}
`), "\n")

// templatesOfLines are templates that have several lines.
var templatesOfLines = []string{
	"", " \n ", "\xef\xbb\xbfa", "a\n{{.Sauce}}", "a\n\n  {{- .Depth -}}\n\nb\n{{.SourceText.X}}", "{{if .Depth}}\n a\n{{- else}}\n b\n{{end}}c",
	"{{define \"a\"}}\n\n{{index . 9}}{{end}}\n{{template \"a\" .SourceText}}", "{{range 2}}\n{{.}}\n{{- end}}\n{{range 1}}\n{{break}}x{{end}}",
	"{{print 1\n2}}\n{{len\n7}}", "{{/* a\nb */}}\n{{len 7}}", "{{block \"a\" .}}\n{{with 1}}\n{{.X}}{{end}}{{end}}", "{{ \"a\n\" }}", "a\r\n{{printf 1}}",
}

// reference is what text/template makes of a template.
func reference(text string, vars Vars) (string, error) {
	t, err := template.New("leaf.tmpl").Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, vars)
	return b.String(), err
}

// executionError is the form of text/template's errors that aren't the parser's.
var executionError = regexp.MustCompile(`(?s)^template: leaf.tmpl(:\d+):\d+: executing ".*?" at (<.*>): (.*)$`)

// differences are the messages that have other words here: those of text/template name Go's
// packages, or hold the whole text that can't be used.
var differences = []struct {
	theirs *regexp.Regexp
	ours   string
}{
	{regexp.MustCompile(`^can't evaluate field (\S+) in type \S+ at .*`), "there is no variable $1"},
	{regexp.MustCompile(`^(range can't iterate over) .* (at <.*)`), "$1 SOMETHING $2"},
	{regexp.MustCompile(`^(error calling index): (?:reflect: string )?(index out of range)(?:: \d+)?( at <.*)`), "$1: $2$3"},
	{regexp.MustCompile(`^(error calling call): .*? (at <.*)`), "$1 $2"},
	{regexp.MustCompile(`^(error calling len): .*? (at <.*)`), "$1 $2"},
	{regexp.MustCompile(`^(?:expected|wrong type for value; expected|invalid value; expected|cannot assign nil to) string.*? at (<.*)`), "no string at $1"},
	{regexp.MustCompile(`prompts\.Vars`), "all variables"},
}

// withoutDifferences leaves out of a message what has other words here.
func withoutDifferences(msg string) string {
	msg = strings.ReplaceAll(msg, "\n", "␊")
	for _, r := range differences {
		msg = r.theirs.ReplaceAllString(msg, r.ours)
	}
	return msg
}

// wantError is the message that we should have for an error of text/template.
func wantError(err error) string {
	if m := executionError.FindStringSubmatch(err.Error()); m != nil {
		return withoutDifferences("leaf.tmpl" + m[1] + ": " + withoutDifferences(m[3]+" at "+m[2]))
	}
	return withoutDifferences(newTemplateError(Template{Name: "leaf"}, err).Error())
}

// checkSame reports where a template is filled in differently than text/template does it.
func checkSame(t *testing.T, text string, vars Vars) {
	t.Helper()
	want, wantErr := reference(text, vars)
	got, err := evaluate("leaf.tmpl", text, vars)
	switch {
	case wantErr == nil && (err != nil || got != want):
		t.Errorf("%q with %+v is\n%q (%v), not\n%q", text, vars, got, err, want)
	case wantErr != nil && err == nil:
		t.Errorf("%q with %+v is %q, not the error %v", text, vars, got, wantErr)
	case wantErr != nil:
		ours := newTemplateError(Template{Name: "leaf"}, err)
		message := withoutDifferences(ours.Where + ": " + withoutDifferences(ours.Err.Error()))
		theirs := wantError(wantErr)
		if message != strings.TrimPrefix(theirs, "template ") {
			t.Errorf("%q with %+v: the error is\n%s, not\n%s", text, vars, message, theirs)
		}
	}
}

func TestTemplatesAreFilledInLikeTextTemplateDoes(t *testing.T) {
	t.Parallel()
	for _, text := range append(templates, templatesOfLines...) {
		for _, vars := range variants {
			checkSame(t, text, vars)
		}
	}
}

func TestRandomTemplatesAreFilledInLikeTextTemplateDoes(t *testing.T) {
	t.Parallel()
	filled := 0
	for seed := range uint64(1000) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		text, vars := g.template(3), variants[g.IntN(len(variants))]
		checkSame(t, text, vars)
		if _, err := reference(text, vars); err == nil {
			filled++
		}
	}
	if filled < 100 {
		t.Errorf("only %d of the templates are without an error", filled)
	}
}

// generator makes templates that are right in their syntax.
type generator struct{ *rand.Rand }

func (g generator) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

// template is a few actions, at most so deep in one another.
func (g generator) template(depth int) string {
	var b strings.Builder
	b.WriteString("{{$x := " + g.expression(1) + "}}")
	for range 1 + g.IntN(4) {
		b.WriteString(g.action(depth))
	}
	return b.String()
}

func (g generator) action(depth int) string {
	if depth == 0 {
		return g.pick("text", " \n", "{{"+g.expression(1)+"}}")
	}
	body := func() string { return g.action(depth-1) + g.action(depth-1) }
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("{{if %s}}%s{{else}}%s{{end}}", g.expression(2), body(), body())
	case 1:
		return fmt.Sprintf("{{with %s}}%s{{else with %s}}%s{{end}}", g.expression(2), body(), g.expression(1), body())
	case 2:
		return fmt.Sprintf("{{range %s%d}}%s%s{{else}}%s{{end}}", g.pick("", "$x = ", "$y := "), g.IntN(4), body(), g.pick("", "{{break}}", "{{continue}}"), body())
	case 3:
		return fmt.Sprintf("{{$x %s %s}}", g.pick("=", ":="), g.expression(2))
	case 4:
		name := fmt.Sprintf("t%d", g.IntN(1000))
		return fmt.Sprintf("{{block %q %s}}{{$x := 0}}%s{{end}}", name, g.expression(1), body())
	}
	return g.pick("{{- ", "{{") + g.expression(2) + g.pick(" -}}", "}}")
}

// expression is a pipeline.
func (g generator) expression(depth int) string {
	if depth == 0 || g.IntN(4) == 0 {
		return g.pick(".", "$", "$x", ".Depth", "$.Depth", ".ChildCount", ".SourceText", "$.SourceText", ".PreviousContext", "$.CustomInstructions",
			"0", "1", "2", "1.5", "'b'", `""`, `"b"`, `"abc"`, `"%v|%d"`, "true", "false", "(index $.SourceText 0)", "(or nil)")
	}
	a := func() string { return "(" + g.expression(depth-1) + ")" }
	switch g.IntN(8) {
	case 0:
		return g.pick("not ", "print ", "html ", "js ", "urlquery ", "len (print 1) | print ") + a()
	case 1:
		return g.pick("and ", "or ", "print ", "println ", `printf "%v%T" `, "and ", "printf ") + a() + " " + a() + g.pick("", " nil", " "+a())
	case 2:
		return a() + " | " + g.pick("print", "print | len", "not", "or "+a(), "and "+a(), "println "+a(), `printf "%v %T"`, "eq "+a(), "slice "+a(), "index "+a())
	case 3:
		return g.pick("index ", "slice ") + g.pick("$.SourceText", `"abc"`, `"abc"`, a()) + g.pick("", " 0", " 1", " 3") + g.pick("", "", "", " 2", " "+a())
	case 4:
		return g.pick("(.)", "($)", "($)", a()) + g.pick(".Depth", ".SourceText", ".TimeRange")
	}
	number := func() string {
		return g.pick(".Depth", ".ChildCount", "$.Depth", "1", "2", "(index \"abc\" 0)", "(len $.SourceText)")
	}
	return g.pick("eq ", "ne ", "lt ", "le ", "gt ", "ge ") + g.pick(number(), number(), number(), a()) + " " + number()
}

// endless matches what could take a long time: great numbers, and templates that call templates.
var endless = regexp.MustCompile(`\d{3,}|\d_|0[xXbBoO]|'|(?s:range.*range.*range)|(?s:(define|block).*template)`)

func FuzzTemplatesAreFilledInLikeTextTemplateDoes(f *testing.F) {
	for _, text := range append(templates, templatesOfLines...) {
		f.Add(text, "abc", 1)
	}
	f.Fuzz(func(t *testing.T, text, source string, depth int) {
		if endless.MatchString(text) || depth > 99 || len(text) > 500 {
			t.Skip()
		}
		checkSame(t, text, Vars{SourceText: source, Depth: depth, ChildCount: 3, PreviousContext: source})
	})
}

func TestTemplateThatCallsItselfIsAnError(t *testing.T) {
	t.Parallel()
	_, err := evaluate("leaf.tmpl", "\n{{define \"a\"}}{{template \"a\"}}{{end}}{{template \"a\"}}", Vars{})
	var wrong *evaluationError
	if !errors.As(err, &wrong) || wrong.line() != ":2" || !strings.Contains(err.Error(), "exceeded maximum template depth") {
		t.Errorf("%v", err)
	}
}

func TestTemplatesKnowEveryVariable(t *testing.T) {
	t.Parallel()
	v := reflect.ValueOf(variants[1])
	for i, f := range reflect.VisibleFields(v.Type()) {
		if got := variants[1].value(f.Name); got != v.Field(i).Interface() {
			t.Errorf("%s is %v", f.Name, got)
		}
	}
	if got := variants[1].value("Sauce"); got != nil {
		t.Errorf("a variable that isn't there is %v", got)
	}
}
