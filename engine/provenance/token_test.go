package provenance

import (
	"slices"
	"strings"
	"testing"
)

// keys returns the keys of a text's tokens; those of exact ones have a sign before them.
func keys(text string) []string {
	var out []string
	for _, k := range tokenize(text) {
		if k.exact {
			out = append(out, "="+k.key)
		} else {
			out = append(out, k.key)
		}
	}
	return out
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"We need to deploy search-indexer.":                "need deploi search-indexer",
		"Ticket OPS-459 tracks image-resizer":              "ticket =ops-459 track image-resizer",
		"bump the timeout from 3s to 8s in src/a/retry.ts": "bump timeout =3s =8s =src/a/retry.ts",
		"retry.ts:463: cap the batch at 1,500 rows":        "=retry.ts =463 cap batch =1500 row",
		"39.0% spent, 39.0 percent":                        "=39.0% spent =39.0%",
		"eight seconds, 8 s, 8 seconds, 8-second":          "8s =8s =8s =8s",
		"v1.2.3 of https://a.example/x?y=1 (see ./b.go)":   "=v1.2.3 =https://a.example/x?y=1 see =./b.go",
		"the API of Zoë, don't":                            "api zoë don",
		"2026-04-10 09:14":                                 "=2026-04-10 =09:14",
		"key=value tenant_id foo::bar x...z":               "key valu =tenant_id =foo::bar x z",
		"请先备份 한국어":                                         "请先 先备 备份 한국 국어",
		"👍 … —":                                            "",
		"retries retry retried dropped drop":               "retri retri retri drop drop",
	} {
		if got := strings.Join(keys(text), " "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestTokensLieInTheText(t *testing.T) {
	t.Parallel()
	text := "eight seconds in /etc/a.conf, 请先备份, 12 min on 5 May"
	for _, k := range tokenize(text) {
		if k.start < 0 || k.end > len(text) || k.start >= k.end {
			t.Errorf("%q at %d to %d", k.key, k.start, k.end)
		}
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"One is here. Two is there! Three?":                                                         {"One is here.", "Two is there!", "Three?"},
		"- Uses v1.2 of a.go, e.g. Go. It works\n- Next":                                            {"Uses v1.2 of a.go, e.g. Go.", "It works", "Next"},
		"S0 a. | Wei said b.\nFiles: none.\nExpand for details about: 7fcb04, omitted tool output.": {"S0 a.", "Wei said b."},
		"## Decisions\n**Open work**\nDecisions:\n1. Ship it. 2. \n[Truncated from 900 tokens]":     {"Ship it.", "2."},
		"[2026-01-07 05:20 UTC user] It ran.\n- [2026-01-07 05:21 UTC | tool] Done":                 {"It ran.", "Done"},
		"备份数据库。确认了！好吗？":                                                                             {"备份数据库。", "确认了！", "好吗？"},
		"He said \"stop.\" Then J. Smith left.":                                                     {"He said \"stop.\"", "Then J. Smith left."},
		"":                                                                                          nil,
		"👍\n...\n":                                                                                  nil,
	} {
		var got []string
		for _, s := range Sentences(text) {
			got = append(got, s.Text)
			if text[s.Start:s.End] != s.Text {
				t.Errorf("%q doesn't stand at %d", s.Text, s.Start)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q:\n %q\nwant\n %q", text, got, want)
		}
	}
}

func TestCoverages(t *testing.T) {
	t.Parallel()
	texts := []string{
		"Ticket OPS-459 tracks image-resizer; the retry queue keeps growing.",
		"Ticket OPS-397 tracks billing-cron; memory climbs by 40MB an hour.",
		"",
	}
	got := Coverages("The retry queue of image-resizer grows (OPS-459)", texts)
	if got[0] < 0.6 || got[1] > 0.1 || got[2] != 0 {
		t.Errorf("%v", got)
	}
	if got := Coverages(texts[1], texts); got[1] < 0.999 || got[0] > 0.5 {
		t.Errorf("the text itself: %v", got)
	}
	if got := Coverages("", texts); len(got) != 3 || got[0] != 0 {
		t.Errorf("nothing asked: %v", got)
	}
	if got := Coverages("a word", nil); len(got) != 0 {
		t.Errorf("no texts: %v", got)
	}
}
