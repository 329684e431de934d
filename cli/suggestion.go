package cli

import "strings"

// suggestion is the known word that was probably meant: one that begins with word, or that
// differs in no more than a third of its letters. Cobra suggests commands only, and doesn't
// count swapped letters as one difference.
func suggestion(word string, known []string) (string, bool) {
	word = strings.ToLower(word)
	best, least := "", max(2, len(word)/3)+1
	for _, k := range known {
		d := editDistance(word, strings.ToLower(k))
		if len(word) > 1 && strings.HasPrefix(k, word) {
			d = 0
		}
		if d < least && d < len(k) {
			best, least = k, d
		}
	}
	return best, best != ""
}

// editDistance is the least number of letters to insert, delete, replace or swap with the
// next one to get from a to b.
func editDistance(a, b string) int {
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
