package fakehost

import (
	"embed"
	"fmt"
	"slices"
)

// Level names the release of the reference engine whose tables a file has.
type Level string

// The levels at which the schema changed, oldest first, and two that lie aside.
const (
	V0_1   Level = "0.1.0"  // the first
	V0_3   Level = "0.3.0"  // token counters of descendants
	V0_4   Level = "0.4.0"  // session keys
	V0_5   Level = "0.5.0"  // model of a summary, bootstrap state
	V0_6   Level = "0.6.0"  // archived conversations, trigram search
	V0_7   Level = "0.7.0"  // telemetry
	V0_8   Level = "0.8.1"  // migration state, the token estimator by code points
	V0_9   Level = "0.9.0"  // identity hashes, maintenance
	V0_9_2 Level = "0.9.2"  // prompt tokens in telemetry
	V0_10  Level = "0.10.0" // large content
	V0_11  Level = "0.11.0" // focus briefs
	V0_12  Level = "0.12.0" // bounded forks, retries
	V0_13  Level = "0.13.0" // transcript entries
	V0_14  Level = "0.14.0" // causes of archiving, line counts
	V0_15  Level = "0.15.2" // stable event keys
	Head   Level = "after 0.15.3"
	Beta   Level = "1.0.0-beta"
	Fork   Level = "fork"
)

//go:embed schema/*.sql
var schemas embed.FS

// Levels lists the line of releases, oldest first; Beta and Fork are not on it.
func Levels() []Level {
	return []Level{V0_1, V0_3, V0_4, V0_5, V0_6, V0_7, V0_8, V0_9, V0_9_2, V0_10, V0_11, V0_12, V0_13, V0_14, V0_15, Head}
}

// Before reports whether l is older than o; Beta and Fork are newer than Head.
func (l Level) Before(o Level) bool {
	all := append(Levels(), Beta, Fork)
	return slices.Index(all, l) < slices.Index(all, o)
}

// steps returns the scripts that make a file of this level, each as the engine upgraded it.
func (l Level) steps() ([]string, error) {
	line := Levels()
	switch i := slices.Index(line, l); {
	case l == Beta || l == Fork:
		line = append(line, l)
	case i < 0:
		return nil, fmt.Errorf("no schema level %q", l)
	default:
		line = line[:i+1]
	}
	var out []string
	for _, v := range line {
		b, err := schemas.ReadFile("schema/" + v.file() + ".sql")
		if err != nil {
			return nil, fmt.Errorf("read schema: %w", err)
		}
		out = append(out, string(b))
	}
	return out, nil
}

// file returns the name of the level's script.
func (l Level) file() string {
	switch l {
	case Head:
		return "head"
	case Beta:
		return "beta"
	}
	return string(l)
}
