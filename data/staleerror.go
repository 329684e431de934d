package data

import "fmt"

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
