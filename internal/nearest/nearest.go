package nearest

import "strings"

// Distance returns the least number of letters to insert, delete, replace or swap with the
// next one to get from a to b.
func Distance(a, b string) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+substitutionCost(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

func substitutionCost(a, b byte) int {
	if a == b {
		return 0
	}
	return 1
}

// Word returns the known word that differs from a word least, in at most so many letters, and less than it is long;
// else it returns an empty text. Capitals, and the signs _ and - between the parts of a name, make no difference.
// Among equals it is the first.
func Word(word string, known []string, most int) (best string) {
	least := most + 1
	word = plain(word)
	for _, k := range known {
		p := plain(k)
		if d := Distance(word, p); d < least && d < len(p) {
			best, least = k, d
		}
	}
	return best
}

// plain returns a name without capitals and without signs between its parts.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}
