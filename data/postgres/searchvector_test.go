package postgres_test

import (
	"encoding/binary"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/data/searchwords"
	"lcm-tui/internal/testlength"
)

// vectorOf reads a vector as the server does: its words with their places. It fails where the server would refuse it.
func vectorOf(t testing.TB, v postgres.SearchVector) map[string][]uint16 {
	t.Helper()
	out := map[string][]uint16{}
	n, rest := binary.BigEndian.Uint32(v), v[4:]
	for range n {
		end := slices.Index(rest, 0)
		word := string(rest[:end])
		places := binary.BigEndian.Uint16(rest[end+1:])
		rest = rest[end+3:]
		if _, twice := out[word]; twice || len(word) > 2046 || places > 255 {
			t.Errorf("the word %.20q, %d bytes, has %d places, twice %v", word, len(word), places, twice)
		}
		out[word] = nil
		for range places {
			out[word] = append(out[word], binary.BigEndian.Uint16(rest))
			rest = rest[2:]
		}
		if !slices.IsSorted(out[word]) || len(slices.Compact(slices.Clone(out[word]))) != len(out[word]) {
			t.Errorf("the places of %q are %v", word, out[word])
		}
	}
	if len(rest) > 0 || len(v) > 1<<20 {
		t.Errorf("a vector of %d bytes has %d more", len(v), len(rest))
	}
	return out
}

// TestATextIsIndexedByItsStems, each with its places, beside the label; characters without blanks also by their pairs.
func TestATextIsIndexedByItsStems(t *testing.T) {
	t.Parallel()
	pieces := (&postgres.SearchIndexer{}).Pieces("The migrations, the naïve Café: a台帳の", ":message:7")
	if len(pieces) != 1 || pieces[0].Words != 6 || pieces[0].Start != 0 {
		t.Fatalf("%d pieces, %+v", len(pieces), pieces)
	}
	got := vectorOf(t, pieces[0].Vector)
	for word, places := range map[string][]uint16{
		":message:7": nil, "the": {1, 3}, "migrat": {2}, "naiv": {4}, "cafe": {5}, "a台帳の": {6}, "台帳": {8192}, "帳の": {8193},
	} {
		if at, ok := got[word]; !ok || !slices.Equal(at, places) {
			t.Errorf("%s: places %v, %v", word, at, ok)
		}
	}
	if len(got) != 8 {
		t.Errorf("%v", got)
	}
}

// longTexts are texts with more than one piece.
func longTexts() map[string]string {
	random := rand.New(rand.NewPCG(1, 2))
	var words, hex, han, spaced strings.Builder
	for range 40_000 {
		for range 1 + random.IntN(9) {
			words.WriteByte(byte('a' + random.IntN(26)))
		}
		words.WriteByte(' ')
		hex.WriteByte("0123456789abcdef"[random.IntN(16)])
		han.WriteRune(rune(0x4e00 + random.IntN(20_000)))
		spaced.WriteRune(rune(0x4e00 + random.IntN(20_000)))
		if random.IntN(200) == 0 {
			spaced.WriteByte(' ')
		}
	}
	return map[string]string{
		"words": words.String(), "one word": strings.Repeat("same ", 2000), "hex": hex.String(), "han": strings.Repeat(han.String(), 4), "spaced han": spaced.String(),
		"signs": strings.Repeat("'\\ :\"&|!()<->", 8_000), "lines": strings.Repeat("a line of words, one like another.\n", 3000), "none": "",
	}
}

// TestPiecesHaveEveryWordAndEveryShortPhrase: all words of a text are in its pieces, a row of 32 words is whole in one, and each word
// is counted once.
func TestPiecesHaveEveryWordAndEveryShortPhrase(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, text := range longTexts() {
		stems := searchwords.Stems(text)
		covered, counted := 0, 0
		for i, p := range (&postgres.SearchIndexer{}).Pieces(text, ":l") {
			rest := searchwords.Stems(string([]rune(text)[p.Start:]))
			from := len(stems) - len(rest)
			if i > 0 && covered-from < 31 && from > 1 {
				t.Errorf("%s: piece %d overlaps by %d words", name, i, covered-from)
			}
			v := vectorOf(t, p.Vector)
			for ; counted+p.Words > covered; covered++ {
				if w := stems[covered]; len(w) <= 200 && !slices.Contains(v[w], uint16(covered-from+1)) {
					t.Fatalf("%s: piece %d lacks the word %d %q at %d: %v", name, i, covered, w, covered-from+1, v[w])
				}
			}
			counted += p.Words
		}
		if counted != len(stems) {
			t.Errorf("%s: %d words are counted of %d", name, counted, len(stems))
		}
	}
}

// TestTheServerTakesEveryPiece, whatever stands in it, and finds it by a query of its words.
func TestTheServerTakesEveryPiece(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	conn := connect(t, replica(t))
	indexer := &postgres.SearchIndexer{}
	for name, text := range longTexts() {
		var rows [][]any
		pieces := indexer.Pieces(text, postgres.SearchLabel("message", 7))
		for i, p := range pieces {
			rows = append(rows, []any{int64(7), int64(1), "message", int64(1), int32(i), int32(p.Start), int32(len(pieces)), int32(p.Words), []byte(p.Vector)})
		}
		columns := []string{"source_id", "sync_group", "kind", "message_id", "piece", "start_at", "pieces", "words", "content_tsv"}
		if _, err := conn.Copy(t.Context(), "search_docs", columns, sequence(rows)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for text, isThere := range map[string]bool{string([]rune(longTexts()["han"])[100:140]): true, "龠龠龠龠": false} {
		q := postgres.NewSearchQuery(data.WordQuery{Groups: [][]data.WordTerm{{{Text: text, Part: true}}}}, postgres.SearchLabel("message", 7))
		var n int
		if _, err := conn.One(t.Context(), "search", "SELECT count(*) FROM lcm.search_docs WHERE content_tsv @@ $1::text::tsquery", []any{q.All}, &n); err != nil || n > 0 != isThere || q.IsExact {
			t.Errorf("%s: %d, %v, %+v", text, n, err, q)
		}
	}
	for text, isThere := range map[string]bool{"lines of words": true, "words like": false, "same same": true, "o'clock \\": false} {
		q := postgres.NewSearchQuery(data.WordQuery{Groups: [][]data.WordTerm{{{Text: text}}}}, postgres.SearchLabel("message", 7))
		var n int
		if _, err := conn.One(t.Context(), "search", "SELECT count(*) FROM lcm.search_docs WHERE content_tsv @@ $1::text::tsquery", []any{q.All}, &n); err != nil || n > 0 != isThere || !q.IsExact {
			t.Errorf("%s: %d, %v, %+v", text, n, err, q)
		}
	}
}

// sequence returns rows as Copy takes them.
func sequence(rows [][]any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// FuzzPieces: every piece can be read, and words are counted once.
func FuzzPieces(f *testing.F) {
	f.Add("text 台帳, naïve", 3)
	f.Fuzz(func(t *testing.T, text string, times int) {
		text = strings.Repeat(text, min(max(times, 1), 20_000/(len(text)+1)+1))
		n := 0
		for _, p := range (&postgres.SearchIndexer{}).Pieces(text, ":l") {
			vectorOf(t, p.Vector)
			n += p.Words
		}
		if want := len(searchwords.All(text)); n != want {
			t.Errorf("%d words of %d", n, want)
		}
	})
}
