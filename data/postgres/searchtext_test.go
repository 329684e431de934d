package postgres_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"lcm-tui/data/postgres"
)

// TestPiecesOverlap: each piece is small enough, begins where it says, and every text of 200 characters is whole in one.
func TestPiecesOverlap(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"short":                  "short",
		"empty":                  "",
		"exactly one":            strings.Repeat("x", 100_200),
		"one more than a piece":  strings.Repeat("x", 100_201),
		"of four bytes":          strings.Repeat("😀é", 70_000),
		"just past a second one": strings.Repeat("ab ", 66_733+67),
	} {
		all := []rune(text)
		covered := 0
		for i, p := range postgres.Pieces(text) {
			piece := []rune(p.Text)
			if len(piece) > 100_200 || string(all[p.Start:p.Start+len(piece)]) != p.Text {
				t.Errorf("%s: the piece %d has %d characters from %d", name, i, len(piece), p.Start)
			}
			if i > 0 && covered-p.Start < 200 {
				t.Errorf("%s: the piece %d overlaps by %d characters", name, i, covered-p.Start)
			}
			covered = p.Start + len(piece)
		}
		if covered != utf8.RuneCountInString(text) {
			t.Errorf("%s: %d characters are in pieces of %d", name, covered, len(all))
		}
	}
}

// TestBigramsArePairsWithinRuns of characters without blanks, with their places.
func TestBigramsArePairsWithinRuns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain text, naïve": "",
		"台帳の":               "'台帳':1 '帳の':2 ",
		"a 台 b 帳の c":        "'台':1 '帳の':3 ",
		"サーバー":              "'サー':1 'ーバ':2 'バー':3 ",
		"台帳台帳":              "'台帳':1,3 '帳台':2 ",
	} {
		if got := postgres.Bigrams(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAPieceIsNeverTooMuchForTheServer, whatever stands in it.
func TestAPieceIsNeverTooMuchForTheServer(t *testing.T) {
	t.Parallel()
	conn := connect(t, replica(t))
	var words, hex, han strings.Builder
	for i := range 40_000 {
		words.WriteString(strings.ToLower(string(rune('a'+i%26))+string(rune('a'+i/26%26))+string(rune('a'+i/676%26))) + "-x/y ")
		hex.WriteString(string("0123456789abcdef"[i*7%16]) + string("0123456789abcdef"[i/16*5%16]))
		han.WriteRune(rune(0x4e00 + i*37%20_000))
	}
	for _, text := range []string{words.String(), hex.String(), han.String(), strings.Repeat("'\\ :\"&|!()<->", 8_000)} {
		for _, p := range postgres.Pieces(text) {
			var n int
			_, err := conn.One(t.Context(), "index", "SELECT length(to_tsvector('english', $1) || $2::text::tsvector)", []any{p.Text, postgres.Bigrams(p.Text)}, &n)
			if err != nil {
				t.Errorf("%.20q…: %v", text, err)
			}
		}
	}
}

// FuzzPieces: pieces put together are the text, and bigrams never fail.
func FuzzPieces(f *testing.F) {
	f.Add("text 台帳", 3)
	f.Fuzz(func(t *testing.T, text string, times int) {
		text = strings.Repeat(text, min(max(times, 1), 20_000/(len(text)+1)+1))
		_ = postgres.Bigrams(text)
		all, covered := []rune(text), 0
		for _, p := range postgres.Pieces(text) {
			if p.Start > covered || !strings.HasPrefix(string(all[p.Start:]), string([]rune(p.Text))) {
				t.Errorf("a piece at %d after %d characters", p.Start, covered)
			}
			covered = p.Start + utf8.RuneCountInString(p.Text)
		}
		if covered != len(all) {
			t.Errorf("%d of %d characters", covered, len(all))
		}
	})
}
