package data

import "fmt"

// InvariantError says that a write would have broken something that must hold.
// It was rolled back: nothing was written.
type InvariantError struct{ What string }

func (e *InvariantError) Error() string {
	return "refused, because it would break the file: " + e.What
}

// Hint says that it isn't the user's fault.
func (e *InvariantError) Hint() string {
	return "the conversation is damaged in a way that this operation doesn't expect"
}

// StaleError says that the database is no longer what the plan saw. Nothing was
// written.
type StaleError struct {
	What string // The row, or the table and condition of a guard.
	Why  string
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("the database changed since the plan was made: %s %s", e.What, e.Why)
}

// Hint says who did it and what to do.
func (e *StaleError) Hint() string {
	return "most likely the agent's host wrote in the meantime; plan again to see what it would be now"
}
