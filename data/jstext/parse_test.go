package jstext

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Value{
		`{"a":1,"b":[true,null,"x"]}`:            `{"a":1,"b":[true,null,"x"]}`,
		" { \"a\" : [ 1 , 2 ] } \n":              `{"a":[1,2]}`,
		`{}`:                                     `{}`,
		`[ ]`:                                    `[]`,
		`""`:                                     `""`,
		`"<b> & \u2028 \u00e9 \/ \u0041"`:        "\"<b> & \u2028 é / A\"",
		`"\u001b \u001B \u000a \u0009"`:          `"\u001b \u001b \n \t"`,
		`"\ud83d\ude00 \ud83d \uDE00"`:           `"😀 \ud83d \ude00"`,
		"\"\xff\"":                               "\"\ufffd\"",
		`[1.0,1e3,-0,0.10,1e400,1e21,0.0000001]`: `[1,1000,0,0.1,null,1e+21,1e-7]`,
		`[12345678901234567890,1.5,-7,100]`:      `[12345678901234567000,1.5,-7,100]`,
		`{"b":1,"10":2,"9":3,"-1":4,"01":5}`:     `{"9":3,"10":2,"b":1,"-1":4,"01":5}`,
		`{"a":1,"b":2,"a":3}`:                    `{"a":3,"b":2}`,
		`{"a":{"x":1,"x":2},"a2":{"x":[{}]}}`:    `{"a":{"x":2},"a2":{"x":[{}]}}`,
		``:                                       "", `nul`: "", `{"a":}`: "", `{"a" 1}`: "", `[1,]`: "", `{,}`: "", `01`: "", `-`: "", `1.`: "", `1e`: "",
		`"a`: "", "\"a\nb\"": "", `"\x"`: "", `"\u12"`: "", `{} {}`: "", `{a:1}`: "", `[1 2]`: "", `{"a":1]`: "", `tru`: "",
		strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1): "",
	} {
		if got := Parse(in); got != want {
			t.Errorf("%.60q is %q, want %q", in, got, want)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	v := Parse(`{"type":"te\"xt","n":[1,{"a":"]"},"\\"],"o":{"k":"v"},"last":false}`)
	if got := v.Field("type").Text(); got != `te"xt` {
		t.Error(got)
	}
	if got := v.Field("o"); got != `{"k":"v"}` {
		t.Error(got)
	}
	if got := v.Field("none"); got.Defined() {
		t.Error(got)
	}
	if got := v.Without("n", "o"); got != `{"type":"te\"xt","last":false}` {
		t.Error(got)
	}
	if got := Value("[]").Field("x"); got.Defined() {
		t.Error(got)
	}
	if got := Quote("a\"\\\b\f\n\r\t\x00\x7f\xff<é😀\u2028"); got != "\"a\\\"\\\\\\b\\f\\n\\r\\t\\u0000\x7f\ufffd<é😀\u2028\"" {
		t.Error(got)
	}
	// The beginning of a character that isn't finished is one sign, as every other such byte.
	if got := Quote("a\xe2\x82b\xf0\x9f\x98\xff\x80"); got != "\"a\ufffdb\ufffd\ufffd\ufffd\"" {
		t.Errorf("unfinished characters: %q", got)
	}
}

// FuzzParse holds parse against the standard library: the same texts are JSON, and
// mean the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"originalRole":"assistant","rawType":"toolCall","raw":{"type":"toolCall","id":"call_1","arguments":{"a":"\n"}}}`,
		`{"a":1,"a":[1e5,-0.0,"\ud83d","\u0041"],"1":null, "0": {} }`, `"\\\""`, `[[[]]]`, "{\"\xff\":1}", `1E+2`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := Parse(s)
		if !json.Valid([]byte(s)) {
			if v.Defined() {
				t.Fatalf("%q is no JSON, but was read as %q", s, v)
			}
			return
		}
		if !v.Defined() {
			if strings.Count(s, "[")+strings.Count(s, "{") > maxDepth {
				t.Skip("too deep")
			}
			t.Fatalf("%q was not read", s)
		}
		if again := Parse(string(v)); again != v {
			t.Fatalf("%q is read as %q, and that as %q", s, v, again)
		}
		if strings.Contains(s, "e") || strings.Contains(s, "E") {
			return // Numbers may be too large for Go.
		}
		var want, got any
		if json.Unmarshal([]byte(s), &want) == nil && (json.Unmarshal([]byte(v), &got) != nil || !reflect.DeepEqual(want, got)) {
			t.Fatalf("%q is %v, want %v", s, got, want)
		}
		for _, f := range v.Fields() {
			if Parse(string(f)) != f {
				t.Fatalf("%q has the field %q", v, f)
			}
		}
	})
}
