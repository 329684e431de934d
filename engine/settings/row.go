package settings

import (
	"encoding/json"

	"lcm-tui/engine/compact"
)

// kind is how a value is written.
type kind int

const (
	integer kind = iota
	number
	boolean     // On only at "true".
	unlessFalse // A boolean that is on unless it is exactly "false".
	text
	list
	zone
	rules  // The host's exceptions by model and session.
	models // A list of models, each provider/model or an object of both.
	word   // One of a few words.
)

// use is who goes by a setting.
type use int

const (
	usedHere   use = iota // This program and the host.
	usedApart             // Both; its value is found elsewhere, with where files are or which model is asked.
	secondName            // Both; it stands in for another one, or is shown beside it.
	hostOnly              // The host alone.
)

// row is one setting: what it's called, how it's written, what it does, and in which versions.
type row struct {
	name string   // As the configuration has it, with a point before a key of an object; empty where only a variable sets it.
	env  []string // In the order in which they are asked.
	also []string // Other names in the host's configuration, asked after its own.
	kind kind
	// least and most hold if most isn't 0. schemaLeast holds in the configuration where it is more than least: variables
	// aren't checked by the host's schema.
	least, most float64
	schemaLeast float64
	words       []string
	preset      any      // nil is not set, if compact has no default of the name.
	shownPreset any      // The default of a key that stands in for another one, and isn't in force itself where nobody sets it.
	earlier     *Earlier // The default before a version, where it was another one.
	since, gone string   // The first version that has the key, and the first that has it no more.
	use         use
	about       string
}

// Earlier is the default of a setting before a version.
type Earlier struct {
	Before string `json:"before"`
	Value  any    `json:"value"`
}

// label returns the name of a setting for people: that of its variable where the configuration has none.
func (r row) label() string {
	if r.name == "" {
		return r.env[0]
	}
	return r.name
}

const unlimited = 1 << 53 // More is no whole number in JavaScript.

// defaults returns compact's own, by the names of the host's configuration, so that
// they stand in one place.
func defaults() map[string]any {
	b, err := json.Marshal(compact.Defaults())
	if err != nil {
		panic(err) // A struct of numbers and texts.
	}
	all := map[string]any{}
	if err := json.Unmarshal(b, &all); err != nil {
		panic(err)
	}
	return all
}
