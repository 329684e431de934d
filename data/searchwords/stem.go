package searchwords

import "bytes"

// Stem reduces an English word to the form under which the search tables know it: Porter's
// algorithm, with the details that SQLite's tokenizer gives it. The word is in lower case. Very
// short and very long words stay as they are.
func Stem(word string) string {
	const longest = 64
	if len(word) < 3 || len(word) > longest {
		return word
	}
	b := append(make([]byte, 0, len(word)+1), word...)
	b = stemPlural(b)
	b = stemPast(b)
	if last := len(b) - 1; b[last] == 'y' && hasVowel(b[:last]) {
		b[last] = 'i'
	}
	b = replaceSuffix(b, stemStep2, atLeastOne)
	b = replaceSuffix(b, stemStep3, atLeastOne)
	b = replaceSuffix(b, stemStep4, atLeastTwo)
	return string(stemEnd(b))
}

// suffix is an ending, and what stands in its place afterwards.
type suffix struct{ from, to string }

var stemStep2 = []suffix{
	{"ational", "ate"},
	{"tional", "tion"},
	{"enci", "ence"},
	{"anci", "ance"},
	{"izer", "ize"},
	{"logi", "log"},
	{"bli", "ble"},
	{"alli", "al"},
	{"entli", "ent"},
	{"eli", "e"},
	{"ousli", "ous"},
	{"ization", "ize"},
	{"ation", "ate"},
	{"ator", "ate"},
	{"alism", "al"},
	{"iveness", "ive"},
	{"fulness", "ful"},
	{"ousness", "ous"},
	{"aliti", "al"},
	{"iviti", "ive"},
	{"biliti", "ble"},
}

var stemStep3 = []suffix{
	{"ical", "ic"}, {"ness", ""}, {"icate", "ic"}, {"iciti", "ic"}, {"ful", ""}, {"ative", ""}, {"alize", "al"},
}

var stemStep4 = []suffix{
	{"al", ""},
	{"ance", ""},
	{"ence", ""},
	{"er", ""},
	{"ic", ""},
	{"able", ""},
	{"ible", ""},
	{"ant", ""},
	{"ement", ""},
	{"ment", ""},
	{"ent", ""},
	{"sion", "s"},
	{"tion", "t"},
	{"ou", ""},
	{"ism", ""},
	{"ate", ""},
	{"iti", ""},
	{"ous", ""},
	{"ive", ""},
	{"ize", ""},
}

// replaceSuffix replaces the first of these endings that a word has, if enough is left. An
// ending that is the whole word is none.
func replaceSuffix(b []byte, suffixes []suffix, enough func(stem []byte) bool) []byte {
	for _, s := range suffixes {
		if len(b) > len(s.from) && bytes.HasSuffix(b, []byte(s.from)) {
			left := b[:len(b)-len(s.from)+keptLetters(s)]
			if !enough(left) {
				return b
			}
			return append(b[:len(b)-len(s.from)], s.to...)
		}
	}
	return b
}

// keptLetters returns how many letters of an ending count as the word's own: the s or t of -sion
// and -tion.
func keptLetters(s suffix) int {
	if s.from == "sion" || s.from == "tion" && s.to == "t" {
		return 1
	}
	return 0
}

func stemPlural(b []byte) []byte {
	n := len(b)
	switch {
	case b[n-1] != 's':
		return b
	case b[n-2] == 'e':
		if n > 4 && b[n-4] == 's' && b[n-3] == 's' || n > 3 && b[n-3] == 'i' {
			return b[:n-2]
		}
		return b[:n-1]
	case b[n-2] != 's':
		return b[:n-1]
	}
	return b
}

// stemPast removes -ed and -ing.
func stemPast(b []byte) []byte {
	n := len(b)
	switch {
	case n > 3 && bytes.HasSuffix(b, []byte("eed")):
		if atLeastOne(b[:n-3]) {
			return b[:n-1]
		}
		return b
	case n > 2 && bytes.HasSuffix(b, []byte("ed")) && hasVowel(b[:n-2]):
		return afterPast(b[:n-2])
	case n > 3 && bytes.HasSuffix(b, []byte("ing")) && hasVowel(b[:n-3]):
		return afterPast(b[:n-3])
	}
	return b
}

// afterPast gives what -ed or -ing was removed from its own ending back: hoping, hop, hope.
func afterPast(b []byte) []byte {
	n := len(b)
	if n > 2 {
		switch string(b[n-2:]) {
		case "at", "bl", "iz":
			return append(b, 'e')
		}
	}
	c := b[n-1]
	switch {
	case n > 1 && !isVowel(c, false) && c != 'l' && c != 's' && c != 'z' && c == b[n-2]:
		return b[:n-1]
	case exactlyOne(b) && endsShort(b):
		return append(b, 'e')
	}
	return b
}

func stemEnd(b []byte) []byte {
	n := len(b)
	if b[n-1] == 'e' && (atLeastTwo(b[:n-1]) || exactlyOne(b[:n-1]) && !endsShort(b[:n-1])) {
		n--
	}
	if n > 1 && b[n-1] == 'l' && b[n-2] == 'l' && atLeastTwo(b[:n-1]) {
		n--
	}
	return b[:n]
}

func isVowel(c byte, yIsVowel bool) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	}
	return yIsVowel && c == 'y'
}

func hasVowel(b []byte) bool {
	for i, c := range b {
		if isVowel(c, i > 0) {
			return true
		}
	}
	return false
}

// afterMeasure returns the place behind the first vowels and the consonant after them, or 0 where
// there are none. A y is a vowel behind a consonant.
func afterMeasure(b []byte, consonant bool) int {
	i := 0
	for ; i < len(b); i++ {
		if consonant = !isVowel(b[i], consonant); !consonant {
			break
		}
	}
	for i++; i < len(b); i++ {
		if consonant = !isVowel(b[i], consonant); consonant {
			return i + 1
		}
	}
	return 0
}

func atLeastOne(b []byte) bool { return afterMeasure(b, false) > 0 }

func atLeastTwo(b []byte) bool {
	n := afterMeasure(b, false)
	return n > 0 && afterMeasure(b[n:], true) > 0
}

func exactlyOne(b []byte) bool {
	n := afterMeasure(b, false)
	return n > 0 && afterMeasure(b[n:], true) == 0
}

// endsShort reports whether a word ends in consonant, vowel, consonant, and the last one is
// no w, x or y.
func endsShort(b []byte) bool {
	if len(b) == 0 || bytes.IndexByte([]byte("wxy"), b[len(b)-1]) >= 0 {
		return false
	}
	mask, consonant := 0, false
	for _, c := range b {
		consonant = !isVowel(c, consonant)
		mask <<= 1
		if consonant {
			mask++
		}
	}
	return mask&7 == 5
}
