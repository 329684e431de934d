package model_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"lcm-tui/engine/model"
)

const keyText = "very-secret-key-0123456789"

func TestSecretNeverPrints(t *testing.T) {
	t.Parallel()
	s := model.NewSecret(" " + keyText + "\n")
	type hidden struct{ inner model.Secret }
	choice := struct{ Key model.Secret }{s}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
		fmt.Fprintf(&out, verb, s)
		fmt.Fprintf(&out, verb, &s)
		fmt.Fprintf(&out, verb, hidden{s})
		fmt.Fprintf(&out, verb, choice)
	}
	for _, h := range []slog.Handler{slog.NewJSONHandler(&out, nil), slog.NewTextHandler(&out, nil)} {
		slog.New(h).Info("x", "key", s, "choice", choice, "hidden", hidden{s})
	}
	b, err := json.Marshal(map[string]any{"key": s, "choice": choice})
	if err != nil {
		t.Error(err)
	}
	out.Write(b)
	if b, err = xml.Marshal(s); err != nil {
		t.Error(err)
	}
	out.Write(b)
	hex := fmt.Sprintf("%x", keyText)
	if text := strings.ToLower(out.String()); strings.Contains(text, keyText) || strings.Contains(text, hex) {
		t.Errorf("it shows: %s", text)
	}
	if !s.Set() || model.NewSecret(" ").Set() || (model.Secret{}).String() != "" {
		t.Error("set or not set?")
	}
}
