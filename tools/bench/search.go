package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// What stands on the search screen.
const (
	keySearch     = "F"
	keyClear      = "\x15" // ctrl+u
	keyRegexp     = "\x12" // ctrl+r
	keyEscape     = "\x1b"
	guideText     = "What you can type" // Where the input is empty.
	scanText      = "searched back to"
	stoppedText   = "stopped"
	nothingText   = "nothing found: "
	searchedWords = `"roll index back"`
)

// someHits is what the screen says of the first hits: how many there are by now.
var someHits = regexp.MustCompile(`  [1-9][\d,]*\+?( of [\d,]+\+?)? hits?\b`)

// scanPause is how long a scan runs before the next key is pressed: longer than the screen
// waits for the query to rest.
const scanPause = 300 * time.Millisecond

// scanQuery is a regular expression that finds nothing, so that every text is read.
const scanQuery = `qqz\d+z`

// typedQuery is a query and how long its first hits took after the last key.
type typedQuery struct {
	query string
	rows  measurement
}

// searchResults are what the search screen's keys took.
type searchResults struct {
	queries   []typedQuery
	key, stop measurement
	memory    measurement
}

// newSearchResults names the queries. The screen waits 80 ms after the last key before it
// searches, which is in each time and in each target.
func newSearchResults() *searchResults {
	query := func(text, what, target string) typedQuery {
		return typedQuery{text, measurement{what: "last key to first hits of " + what, unit: "ms", target: target}}
	}
	return &searchResults{
		queries: []typedQuery{
			query("index", "a common word", "180 ms"),
			query("index schema", "two words", "230 ms"),
			query(searchedWords, "a phrase", "230 ms"),
			query("m*", "words with one first letter", "680 ms"),
			query("台帳の移行", "Japanese words", "180 ms"),
		},
		key:    measurement{what: "letter typed while a scan runs", unit: "ms", target: "16 ms"},
		stop:   measurement{what: "esc to a stopped scan", unit: "ms", target: "50 ms"},
		memory: measurement{what: "peak memory while searching", unit: "MiB", target: "64 MiB"},
	}
}

func (r *searchResults) all() (out []*measurement) {
	for i := range r.queries {
		out = append(out, &r.queries[i].rows)
	}
	return append(out, &r.key, &r.stop, &r.memory)
}

// search measures the search screen of one process.
func search(ctx context.Context, o options, r *searchResults) error {
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
	if _, err := s.pressUntil(keySearch, guideText); err != nil {
		return err
	}
	for i := range r.queries {
		q := &r.queries[i]
		took, found, err := s.pressUntilFound(q.query, someHits.MatchString)
		if err != nil {
			return err
		}
		if found {
			q.rows.add(took)
		}
		if err := s.Settle(s.ctx, settleTime); err != nil { // All hits and their number.
			return err
		}
		if _, err := s.pressUntil(keyClear, guideText); err != nil {
			return err
		}
	}
	if err := s.scan(o.keys, r); err != nil {
		return err
	}
	if mib, ok := peakMemory(s.PID()); ok {
		r.memory.samples = append(r.memory.samples, mib)
	}
	return nil
}

// scan types letters while every text is read, and then stops that. A small file is read before.
func (s *session) scan(keys int, r *searchResults) error {
	text := scanQuery
	if _, found, err := s.pressUntilFound(keyRegexp+text, has(scanText)); err != nil || !found {
		return err
	}
	for range keys {
		time.Sleep(scanPause)
		text += "z"
		took, err := s.pressUntil("z", text)
		if err != nil {
			return err
		}
		r.key.add(took)
	}
	if _, found, err := s.pressUntilFound("", has(scanText)); err != nil || !found {
		return err
	}
	took, err := s.pressUntil(keyEscape, stoppedText)
	if err != nil {
		return err
	}
	r.stop.add(took)
	return nil
}

// pressUntil sends keys and waits until the screen shows a text.
func (s *session) pressUntil(keys, text string) (time.Duration, error) {
	from := time.Now()
	if err := s.Press(keys); err != nil {
		return 0, err
	}
	if _, err := s.shows(text, stepLimit, has(text)); err != nil {
		return 0, fmt.Errorf("press %q: %w", keys, err)
	}
	return time.Since(from), nil
}

// pressUntilFound sends keys and waits until the search screen is as wanted or ends without a hit.
func (s *session) pressUntilFound(keys string, wanted func(screen string) bool) (took time.Duration, found bool, err error) {
	from := time.Now()
	if err := s.Press(keys); err != nil {
		return 0, false, err
	}
	ended := func(screen string) bool {
		found = wanted(screen)
		return found || strings.Contains(screen, nothingText)
	}
	for {
		if _, err := s.shows("the answer to "+keys, stepLimit, ended); err != nil {
			return 0, false, fmt.Errorf("press %q: %w", keys, err)
		}
		if found {
			return time.Since(from), true, nil
		}
		// What stands there may be the answer to what was typed before.
		if err := s.Settle(s.ctx, settleTime); err != nil {
			return 0, false, err
		}
		if ended(s.Screen().String()) && !found {
			return 0, false, nil
		}
	}
}
