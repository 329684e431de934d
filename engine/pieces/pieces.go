package pieces

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"lcm-tui/data/jstext"
)

const (
	// Size is the length of a piece in bytes. Shorter texts have none.
	Size = 20
	// distance is how far one piece begins behind the one before it, as long as there are few.
	distance = Size + 1
	// most is how many pieces a set keeps at most: of more the distance is doubled.
	most = 200_000
	// variety is how many different bytes a piece has at least: lines of dashes and of blanks stand in many texts.
	variety = 6
	// filterBits is how many bits of the rolling sum choose the places whose digest is made.
	filterBits = 24
	// base is that of the rolling sum.
	base = 0x100000001b3
)

// Set is a set of pieces. Find may be called by several goroutines at once.
type Set struct {
	salt     []byte
	distance int
	digests  map[uint64]int // The number of each piece, by its digest.
	list     []entry        // By number.
	filter   []uint64       // A bit for each value of the sum that a piece has.
	short    int
	common   int
}

// entry is a piece as it is kept.
type entry struct {
	sum    uint32 // The bits of its rolling sum that choose places.
	digest uint64
}

// New returns a set of the pieces of texts, with a salt of its own. Of texts with quotes or line ends it also has the
// pieces that they have in JSON, and in JSON within JSON.
func New(texts []string) *Set {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // It never fails.
	return withSalt(salt, texts)
}

func withSalt(salt []byte, texts []string) *Set {
	s := &Set{salt: salt, distance: distance}
	forms, total := make([][]string, 0, len(texts)), 0
	for _, text := range texts {
		if len(text) < Size {
			s.short++
			continue
		}
		f := formsOf(text)
		for _, form := range f {
			total += len(form)
		}
		forms = append(forms, f)
	}
	for total/s.distance > most {
		s.distance *= 2
	}
	s.digests = map[uint64]int{}
	for _, f := range forms {
		for _, form := range f {
			s.add(form)
		}
	}
	s.makeFilter()
	return s
}

// formsOf returns a text as it may stand in bytes, each form once.
func formsOf(text string) []string {
	quoted := func(s string) string {
		q := string(jstext.Quote(s))
		return q[1 : len(q)-1]
	}
	once := quoted(text)
	return slices.Compact([]string{text, once, quoted(once)})
}

// add adds the pieces of a text.
func (s *Set) add(text string) {
	last := len(text) - Size
	for at := 0; at <= last; at += s.distance {
		i := at
		for i < min(at+s.distance-1, last) && !varied(text[i:i+Size]) {
			i++
		}
		s.addPiece(text[i : i+Size])
	}
	s.addPiece(text[last:])
}

func (s *Set) addPiece(piece string) {
	if !varied(piece) {
		return
	}
	e := entry{uint32(sumOf(piece) >> (64 - filterBits)), s.digest(piece)}
	if _, there := s.digests[e.digest]; !there {
		s.digests[e.digest] = len(s.list)
		s.list = append(s.list, e)
	}
}

// varied reports whether a piece is one by which a text is known again.
func varied(piece string) bool {
	n := 0
	for i := range len(piece) {
		if strings.IndexByte(piece[:i], piece[i]) < 0 {
			n++
		}
	}
	return n >= variety
}

// digest returns the salted digest of a piece.
func (s *Set) digest(piece string) uint64 {
	var b [64]byte
	sum := sha256.Sum256(append(append(b[:0], s.salt...), piece...))
	return binary.BigEndian.Uint64(sum[:8])
}

// sumOf returns the rolling sum of a piece.
func sumOf(piece string) (sum uint64) {
	for i := range len(piece) {
		sum = sum*base + uint64(piece[i]) + 1
	}
	return sum
}

// farthest is the weight of the byte that leaves the rolling sum.
var farthest = func() uint64 {
	w := uint64(1)
	for range Size - 1 {
		w *= base
	}
	return w
}()

func (s *Set) makeFilter() {
	s.filter = make([]uint64, 1<<filterBits/64)
	for _, e := range s.list {
		s.filter[e.sum/64] |= 1 << (e.sum % 64)
	}
}

// Len returns how many pieces the set has.
func (s *Set) Len() int { return len(s.list) }

// Drop takes pieces out of the set, by their numbers, because other texts have them too. The others get new numbers.
func (s *Set) Drop(common map[int]bool) {
	old := s.list
	s.list, s.digests = nil, map[uint64]int{}
	for n, e := range old {
		if common[n] {
			s.common++
			continue
		}
		s.digests[e.digest] = len(s.list)
		s.list = append(s.list, e)
	}
	s.makeFilter()
}

// Short returns how many texts were too short for a piece.
func (s *Set) Short() int { return s.short }

// Digest returns the salted digest of a piece.
func (s *Set) Digest(piece int) uint64 { return s.list[piece].digest }

// Least returns the length in bytes from which on any part of a text has a piece, where the text isn't made of the
// same few characters.
func (s *Set) Least() int { return s.distance + Size - 1 }

// Find calls fn with the number of each piece that stands in some bytes, as often as it stands there.
func (s *Set) Find(text []byte, fn func(piece int)) {
	if len(text) < Size || len(s.list) == 0 {
		return
	}
	var sum uint64
	for _, c := range text[:Size-1] {
		sum = sum*base + uint64(c) + 1
	}
	for end := Size - 1; end < len(text); end++ {
		sum = sum*base + uint64(text[end]) + 1
		if bits := sum >> (64 - filterBits); s.filter[bits/64]&(1<<(bits%64)) != 0 {
			if n, is := s.digests[s.digest(string(text[end-Size+1:end+1]))]; is {
				fn(n)
			}
		}
		sum -= (uint64(text[end-Size+1]) + 1) * farthest
	}
}
