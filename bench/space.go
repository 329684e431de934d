package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"lcm-tui/internal/terminal"
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
		if _, err := s.Until(s.ctx, func(sc terminal.Screen) bool { return strings.Contains(sc.String(), step.text) }); err != nil {
			return fmt.Errorf("%q did not show %q: %w\n%s", keySpace, step.text, err, s.Screen())
		}
		step.n.add(time.Since(from))
	}
	return nil
}
