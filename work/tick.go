package work

import (
	"context"
	"time"
)

// Tick is when a service looked last at what there is to do.
type Tick struct {
	At time.Time `json:"at"`
	// Paths are the session files, and the folders of some, at which it looked.
	Paths []string `json:"paths,omitempty"`
	// Failing are the session files of which the newest couldn't be imported, and since when they wait for it.
	Failing map[string]time.Time `json:"failing,omitempty"`
}

// The services that note ticks.
const (
	FollowService = "follow"
	WorkService   = "work"
)

// tickSample is what the names of their samples begin with.
const tickSample = "tick_"

// NoteTick notes the tick of a service.
func (s Counts) NoteTick(ctx context.Context, service string, t Tick) error {
	return s.SetSample(ctx, tickSample+service, t)
}

// Tick returns the last tick of a service; not ok where none was noted.
func (s Counts) Tick(ctx context.Context, service string) (t Tick, ok bool, err error) {
	ok, err = s.Sample(ctx, tickSample+service, &t)
	return t, ok, err
}
