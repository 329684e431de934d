package change

// MovedTogether returns how many changes at the beginning one statement makes, because their items only move.
func MovedTogether(cs []Change) int {
	_, n := firstMove(cs)
	return n
}
