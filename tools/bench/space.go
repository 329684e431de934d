package main

import (
	"context"
	"time"
)

// What the screen of what fills the file shows first, and once everything is measured.
const (
	keySpace   = "z"
	spaceFirst = "message_parts"
	spaceWhole = "once reclaimed"
)

// space measures how long the screen of what fills the file takes to show its first numbers, and
// all of them.
func space(ctx context.Context, o options, r *results) error {
	s, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer s.close()
	if _, err := s.rows(); err != nil {
		return err
	}
	if err := s.Settle(s.ctx, settleTime); err != nil {
		return err
	}
	from := time.Now()
	if err := s.Press(keySpace); err != nil {
		return err
	}
	for _, step := range []struct {
		text string
		n    *measurement
	}{{spaceFirst, &r.spaceFirst}, {spaceWhole, &r.space}} {
		if _, err := s.shows(step.text, stepLimit, has(step.text)); err != nil {
			return err
		}
		step.n.add(time.Since(from))
	}
	return nil
}
