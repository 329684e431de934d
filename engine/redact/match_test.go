package redact_test

import (
	"encoding/base64"
	"slices"
	"testing"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/redact"
)

func TestKnownSecretsAreFoundWithoutTheirNames(t *testing.T) {
	t.Parallel()
	value := `q"7\` + corpus(11)[2].value[5:25]
	known := redact.NewKnown([]redact.Finding{{Rule: "assigned-secret", Class: redact.Likely, Secret: redact.NewSecret(value)}})
	once := string(jstext.Quote(value))
	for text, want := range map[string]int{
		"it is " + value + " and " + value:                     2,
		`{"a":` + once + `,"b":[` + once + `]}`:                2,
		`{"a":` + string(jstext.Quote(`{"b":`+once+`}`)) + `}`: 1,
		"he typed " + once + " there":                          1,
		"he typed " + string(jstext.Quote(once)) + " there":    1,
		"nothing " + value[1:]:                                 0,
	} {
		found := known.Find(text)
		if len(found) != want {
			t.Errorf("%d finds of %d in %q", len(found), want, text)
		}
		replaced := redact.Replace(text, found, func(redact.Finding) string { return "#" })
		if len(known.Find(replaced)) > 0 {
			t.Errorf("%q still has it", replaced)
		}
	}
}

func TestRemains(t *testing.T) {
	t.Parallel()
	kinds := corpus(12)
	one, two := kinds[2].value, kinds[4].value+`"\`
	r := redact.NewRemains([]redact.Secret{redact.NewSecret(one), redact.NewSecret(two)})
	once := string(jstext.Quote(two))
	for text, want := range map[string][]int{
		"":                                nil,
		"a" + one[:19] + "z":              nil,
		"\x00" + one + "\xff" + two:       {0, 1},
		"x " + once:                       {1},
		"x " + string(jstext.Quote(once)): {1},
		base64.StdEncoding.EncodeToString([]byte(one)):               {0},
		base64.StdEncoding.EncodeToString([]byte("u:" + one)):        {0},
		base64.StdEncoding.EncodeToString([]byte("u"+two+".")) + "…": {1},
	} {
		if got := r.In(text); !slices.Equal(got, want) {
			t.Errorf("%q has %v, want %v", text, got, want)
		}
	}
}
