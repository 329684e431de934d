package data

// InvariantError says that a write would have broken something that must hold.
// It was rolled back: nothing was written.
type InvariantError struct{ What string }

func (e *InvariantError) Error() string {
	return "refused, because it would break the file: " + e.What
}

// Hint says that it isn't the user's fault.
func (e *InvariantError) Hint() string {
	return "nothing was changed; the conversation is damaged in a way that this operation doesn't expect"
}
