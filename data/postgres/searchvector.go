package postgres

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"

	"lcm-tui/data/searchwords"
)

// The limits of a piece of a text that is searched. The server keeps at most 255 places of a word and 1 MB of words, and places up
// to 16,383; of these pairs of characters have the upper half.
const (
	maxPieceWords  = 8000
	maxPlaces      = 255
	maxVectorBytes = 700_000
	firstPairPlace = 8192
	maxPairPlace   = 16_383
	// pieceOverlap is how many words a piece has from the end of the one before: a phrase of so many words is whole in one.
	pieceOverlap = 32
	// maxLexeme is the size in bytes of the longest word that stands in the index as it is.
	maxLexeme = 200
)

// moreLexeme stands in a piece that has more pairs of characters than the server takes.
const moreLexeme = ":more"

// SearchPiece is a part of a text as the server's index has it.
type SearchPiece struct {
	Start  int          // Where its first word begins in the text, in characters.
	Words  int          // How many words it has that the piece before doesn't have.
	Vector SearchVector // Its words with their places.
}

// SearchVector is a value of the server's type tsvector as the wire has it.
type SearchVector []byte

// SearchLabel returns what each piece has beside its words: by it the index finds those of one source and kind alone. No word
// begins as a label does.
func SearchLabel(kind string, source int64) string {
	return ":" + kind + ":" + strconv.FormatInt(source, 10)
}

// HomeSource is the number of the source in the labels of a home, which is the only one of its database.
const HomeSource = 0

// SearchIndexer makes pieces of texts. It must not be used by two goroutines at once.
type SearchIndexer struct {
	stems  map[string]string
	places map[string]int // Of each word, its place in words.
	words  []vectorWord
	starts []int // Of the words of the piece, in bytes.
	bytes  int   // About, of the vector.
	pair   int   // The place of the last pair.
	isFull bool  // A word has as many places as the server keeps.
}

// vectorWord is a word with its places.
type vectorWord struct {
	text   string
	places []uint16
}

// maxStems is how many stems are kept: the usual words of texts. More of them are found more slowly than they are made.
const maxStems = 10_000

// stem returns the stem of a word as it stands in a text.
func (x *SearchIndexer) stem(word string) string {
	if s, ok := x.stems[word]; ok {
		return s
	}
	if x.stems == nil || len(x.stems) >= maxStems {
		x.stems = make(map[string]string, maxStems)
	}
	s := strings.Clone(lexeme(searchwords.Stem(searchwords.Fold(word))))
	if len(word) <= maxLexeme {
		x.stems[strings.Clone(word)] = s // A word must not keep its whole text.
	}
	return s
}

// lexeme returns a word as the index has it: the server refuses very long ones, which end with a hash.
func lexeme(word string) string {
	if len(word) <= maxLexeme {
		return word
	}
	h := fnv.New128a()
	_, _ = h.Write([]byte(word)) // A hash takes everything.
	return startOfWord(word) + ":" + strconv.FormatUint(binary.BigEndian.Uint64(h.Sum(nil)), 36)
}

// startOfWord returns as much of a long word as stands in the index.
func startOfWord(word string) string {
	n := maxLexeme
	for n > 0 && !utf8.RuneStart(word[n]) {
		n--
	}
	return word[:n]
}

// Pieces returns a text in pieces, each with a label. A text without words has one.
func (x *SearchIndexer) Pieces(text, label string) (out []SearchPiece) {
	x.reset()
	start, chars := 0, 0 // Of the piece, in bytes and in characters.
	covered, fresh := 0, 0
	from := 0
	for {
		begin, end, ok := searchwords.Next(text, from)
		isMore := ok && fresh > 0 && (len(x.starts) >= maxPieceWords || x.bytes >= maxVectorBytes || x.isFull)
		if !ok || isMore {
			out = append(out, SearchPiece{Start: chars, Words: fresh, Vector: x.encode(label)})
		}
		if !ok {
			return out
		}
		if isMore {
			next := x.starts[max(len(x.starts)-pieceOverlap, 1)]
			chars += utf8.RuneCountInString(text[start:next])
			start, from, fresh = next, next, 0
			x.reset()
			continue
		}
		if len(x.starts) == 0 && len(out) == 0 {
			start, chars = begin, utf8.RuneCountInString(text[:begin])
		}
		x.add(text[begin:end], begin)
		if begin >= covered {
			covered = end
			fresh++
		}
		from = end
	}
}

// reset begins another piece.
func (x *SearchIndexer) reset() {
	if x.places == nil {
		x.places = map[string]int{}
	}
	clear(x.places)
	x.words, x.starts, x.bytes, x.pair, x.isFull = x.words[:0], x.starts[:0], 0, firstPairPlace-1, false
}

// add adds a word of the text, which begins at a byte of it.
func (x *SearchIndexer) add(word string, begin int) {
	x.starts = append(x.starts, begin)
	x.note(x.stem(word), uint16(len(x.starts)))
	if strings.ContainsFunc(word, searchwords.IsUnspaced) {
		x.addPairs(word)
	}
}

// note adds a place of a word, or the word alone with the place 0.
func (x *SearchIndexer) note(word string, place uint16) {
	i, ok := x.places[word]
	if !ok {
		i = len(x.words)
		x.places[word] = i
		if i < cap(x.words) {
			x.words = x.words[:i+1]
			x.words[i].text, x.words[i].places = word, x.words[i].places[:0]
		} else {
			x.words = append(x.words, vectorWord{text: word})
		}
		x.bytes += len(word) + 8
	}
	w := &x.words[i]
	if n := len(w.places); place > 0 && n < maxPlaces && (n == 0 || w.places[n-1] < place) {
		w.places = append(w.places, place)
		x.bytes += 2
		x.isFull = x.isFull || len(w.places) == maxPlaces && place < firstPairPlace
	}
}

// addPairs adds the pairs of characters in the runs of Chinese, Japanese and Korean of a word: these have no blanks between words.
func (x *SearchIndexer) addPairs(word string) {
	before, length := 0, 0 // Where the character before begins, and how many of the run there were.
	end := func(at int) {
		if length == 1 {
			x.notePair(word[before:at])
		}
		length = 0
		x.pair++ // Two runs are no phrase.
	}
	for at, r := range word {
		if !searchwords.IsUnspaced(r) {
			if length > 0 {
				end(at)
			}
			continue
		}
		if length > 0 {
			x.notePair(word[before : at+utf8.RuneLen(r)])
		}
		before, length = at, length+1
	}
	if length > 0 {
		end(len(word))
	}
}

// notePair adds a pair of characters.
func (x *SearchIndexer) notePair(pair string) {
	x.pair++
	switch {
	case x.bytes >= maxVectorBytes+pieceOverlap*maxLexeme:
		x.note(moreLexeme, 0)
	case x.pair <= maxPairPlace:
		x.note(strings.Clone(pair), uint16(x.pair))
	default:
		x.note(strings.Clone(pair), 0)
	}
}

// encode returns the vector of the piece.
func (x *SearchIndexer) encode(label string) SearchVector {
	b := make([]byte, 0, x.bytes+len(label)+16)
	b = binary.BigEndian.AppendUint32(b, uint32(len(x.words)+1))
	b = append(append(b, label...), 0, 0, 0)
	for i := range x.words {
		w := &x.words[i]
		b = append(append(b, w.text...), 0)
		b = binary.BigEndian.AppendUint16(b, uint16(len(w.places)))
		for _, p := range w.places {
			b = binary.BigEndian.AppendUint16(b, p)
		}
	}
	return b
}

// Text returns the vector as statements have it, between the quotes of a literal.
func (v SearchVector) Text() string {
	var b strings.Builder
	n, rest := binary.BigEndian.Uint32(v), []byte(v[4:])
	for range n {
		end := bytes.IndexByte(rest, 0)
		b.WriteString(quoteLexeme(string(rest[:end])))
		places := binary.BigEndian.Uint16(rest[end+1:])
		rest = rest[end+3:]
		for i := range places {
			b.WriteByte(":,"[min(i, 1)])
			b.WriteString(strconv.Itoa(int(binary.BigEndian.Uint16(rest))))
			rest = rest[2:]
		}
		b.WriteByte(' ')
	}
	return b.String()
}
