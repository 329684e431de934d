package service

import (
	"errors"
	"time"

	"lcm-tui/data"
)

// State is what a service does.
type State string

// The states.
const (
	Starting State = "starting"
	Idle     State = "idle"
	Working  State = "working"
	Paused   State = "paused"
	Outside  State = "outside" // Of its hours.
	Blocked  State = "blocked" // A limit of the day is reached; it goes on at midnight.
	Failing  State = "failing" // The last pass failed.
	Stalled  State = "stalled" // No pass has begun for too long.
	Stopping State = "stopping"
)

// What is known of the database.
const (
	dbOK      = "ok"
	dbLocked  = "locked"
	dbDamaged = "damaged"
	dbMissing = "missing"
	dbFailing = "failing" // Of something else: the disk is full, say.
)

// What is known of other processes that have the database open.
const (
	hostOpen    = "open"
	hostAway    = "away"
	hostUnknown = "unknown"
)

// Status is how a service is.
type Status struct {
	State     State  `json:"state"`
	LastTick  string `json:"last_tick"` // When the last pass ended, as RFC 3339 in UTC; empty before the first.
	Queue     int    `json:"queue"`     // Jobs that wait.
	Blocked   int    `json:"blocked"`   // Of these, those that wait because of a limit.
	Uncovered int64  `json:"uncovered"` // Messages that a host took out of a context after a write of this program.
	Host      string `json:"host"`
	DB        string `json:"db"`
	Error     string `json:"error,omitempty"`
	Version   string `json:"version"`
}

// IsHealthy reports whether nobody has to look after the service.
func (s Status) IsHealthy() bool {
	switch s.State {
	case Blocked, Failing, Stalled, Stopping:
		return false
	}
	return s.DB == dbOK
}

// conditionOf returns what an error says of the database.
func conditionOf(err error) string {
	is := func(kinds ...error) bool {
		for _, k := range kinds {
			if errors.Is(err, k) {
				return true
			}
		}
		return false
	}
	switch {
	case err == nil:
		return dbOK
	case is(data.ErrLocked):
		return dbLocked
	case is(data.ErrDamaged, data.ErrNotSQLite, data.ErrCutOff, data.ErrEmptied):
		return dbDamaged
	case is(data.ErrMissing, data.ErrVanished):
		return dbMissing
	}
	return dbFailing
}

// Status returns how the service is now.
func (s *Service) Status() Status {
	s.init()
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.status
	if out.State != Working && out.State != Stopping && time.Since(s.last) > 2*s.Every+time.Minute {
		out.State = Stalled
	}
	return out
}

// set changes the status.
func (s *Service) set(change func(*Status)) {
	s.init()
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
}
