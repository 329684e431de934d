package provenance

import "strings"

// stopWords are words that say nothing about where a sentence came from.
var stopWords = setOf(`a about after all also an and any are as at be been before but by can did do does for from had has have he her his how i
	if in into is it its just may more no not of on or our she so some than that the their them then there these they this to up was we
	were what when which while who will with would you your`)

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// Stem drops the English endings of verbs and plurals from a word in lower case.
func Stem(w string) string {
	if len(w) < 4 || w[len(w)-1] >= 0x80 {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ing") && len(w) >= 6:
		w = undouble(w[:len(w)-3])
	case strings.HasSuffix(w, "ies") && len(w) >= 5:
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ied") && len(w) >= 5:
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ed") && len(w) >= 5:
		w = undouble(w[:len(w)-2])
	case strings.HasSuffix(w, "es") && len(w) >= 5:
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us"):
		w = w[:len(w)-1]
	}
	if len(w) >= 4 && w[len(w)-1] == 'e' {
		w = w[:len(w)-1]
	}
	if len(w) >= 4 && w[len(w)-1] == 'y' {
		w = w[:len(w)-1] + "i"
	}
	return w
}

// undouble drops the second of two equal letters that an ending brought: dropped, running.
func undouble(w string) string {
	n := len(w)
	if n >= 4 && w[n-1] == w[n-2] && strings.IndexByte("lsz", w[n-1]) < 0 {
		return w[:n-1]
	}
	return w
}
