package pieces_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"lcm-tui/engine/pieces"
	"lcm-tui/internal/testlength"
)

// random returns a text of words that stand in no other text.
func random(r *rand.Rand, n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789 .,;\"\n台帳検証夜想曲"
	all := []rune(letters)
	var b strings.Builder
	for b.Len() < n {
		b.WriteRune(all[r.IntN(len(all))])
	}
	return b.String()
}

func has(s *pieces.Set, text string) (found bool) {
	s.Find([]byte(text), func(int) { found = true })
	return found
}

// TestEveryPartOfATextIsFound that has the length which the set promises, wherever it was cut from, between other
// bytes, and also in JSON and in JSON within JSON; and nothing else is.
func TestEveryPartOfATextIsFound(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		text := random(r, 60+r.IntN(3000))
		s := pieces.New([]string{random(r, 700), text})
		stored, err := json.Marshal(s.Store())
		if err != nil {
			t.Fatal(err)
		}
		var again pieces.Stored
		if err := json.Unmarshal(stored, &again); err != nil {
			t.Fatal(err)
		}
		loaded, err := pieces.Load(again)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			from := r.IntN(len(text) - s.Least() + 1)
			part := text[from : from+s.Least()]
			if whole := random(r, 500) + part + random(r, 500); !has(s, whole) || !has(loaded, whole) {
				t.Fatalf("the part at %d isn't found", from)
			}
		}
		once, _ := json.Marshal(map[string]string{"text": text})
		twice, _ := json.Marshal(map[string]string{"text": string(once)})
		if !has(s, string(once)) || !has(s, string(twice)) {
			t.Error("the text isn't found in JSON")
		}
		if other := random(r, 20_000); has(s, other) || has(loaded, other) {
			t.Error("a text is found that isn't there")
		}
		for i := 0; i+12 <= len(text); i += 7 {
			if strings.Contains(string(stored), text[i:i+12]) {
				t.Fatal("the stored set holds a part of the text")
			}
		}
	}
}

// TestWhatManyTextsHaveIsNoPiece: short texts, and lines of the same few characters.
func TestWhatManyTextsHaveIsNoPiece(t *testing.T) {
	t.Parallel()
	s := pieces.New([]string{"yes", strings.Repeat("-", 500), strings.Repeat("= ", 80), "0123456789abcdefghi"})
	if s.Len() != 0 || s.Short() != 2 {
		t.Errorf("it has %d pieces, and %d texts were too short", s.Len(), s.Short())
	}
	if has(s, strings.Repeat("-", 500)) {
		t.Error("a line is found")
	}
}

// TestALargeSetKeepsFewerPieces and says from which length on it finds parts.
func TestALargeSetKeepsFewerPieces(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	r := rand.New(rand.NewPCG(3, 4))
	text := random(r, 9<<20)
	s := pieces.New([]string{text})
	if s.Len() > 200_000 || s.Least() <= 41 {
		t.Errorf("it has %d pieces and finds parts of %d bytes", s.Len(), s.Least())
	}
	for range 200 {
		from := r.IntN(len(text) - s.Least())
		if !has(s, text[from:from+s.Least()]) {
			t.Fatalf("the part at %d isn't found", from)
		}
	}
}

// TestWhatIsNoSetIsRefused: files may be damaged.
func TestWhatIsNoSetIsRefused(t *testing.T) {
	t.Parallel()
	good := pieces.New([]string{"the pelican flies over the harbour at night"}).Store()
	for name, change := range map[string]func(*pieces.Stored){
		"another size":  func(s *pieces.Stored) { s.Size = 21 },
		"another count": func(s *pieces.Stored) { s.Count++ },
		"negative":      func(s *pieces.Stored) { s.Count = -1 },
		"no distance":   func(s *pieces.Stored) { s.Distance = 0 },
		"no digests":    func(s *pieces.Stored) { s.Digests = "?" },
		"no salt":       func(s *pieces.Stored) { s.Salt = "?" },
	} {
		bad := good
		change(&bad)
		if _, err := pieces.Load(bad); err == nil {
			t.Errorf("%s: it is loaded", name)
		}
	}
	if _, err := pieces.Load(good); err != nil {
		t.Error(err)
	}
}
