package settings

import (
	"fmt"

	"lcm-tui/internal/hint"
)

// Enablement says whether the host works with lossless-claw at all, and by which settings.
type Enablement struct {
	Enabled bool     `json:"plugin_enabled"` // plugins.entries.lossless-claw.enabled
	Slot    string   `json:"slot"`           // plugins.slots.contextEngine; empty stands for lossless-claw.
	Allow   []string `json:"allow"`          // plugins.allow; null is no list, which allows all.
	Active  bool     `json:"active"`
	// Reasons say why it is not.
	Reasons []error `json:"-"`
}

// Enablement says whether the host works with the plugin, by its configuration and the setting enabled.
func (s Settings) Enablement() Enablement {
	const next = "nothing is stored and nothing compacted while it is so; "
	e := Enablement{Enabled: !s.host.IsDisabled, Slot: s.host.Slot, Allow: s.host.Allow}
	off := func(text, next string) { e.Reasons = append(e.Reasons, hint.New(text, next)) }
	if s.host.IsDisabled {
		off("the host doesn't use lossless-claw: openclaw.json plugins.entries.lossless-claw.enabled is false", next+"set it to true, or delete it")
	}
	if !s.host.IsSelected() {
		off(fmt.Sprintf("the host doesn't use lossless-claw: openclaw.json plugins.slots.contextEngine is %q", s.host.Slot), next+"set it to lossless-claw, or delete it")
	}
	if !s.host.IsAllowed() {
		off("the host doesn't load lossless-claw: it isn't in openclaw.json plugins.allow", next+"add lossless-claw to the list")
	}
	for _, one := range s.Others {
		if one.Name == "enabled" && one.Value == false {
			off("lossless-claw is off: enabled is false, from "+one.Source, next+"set it to true, or delete it")
		}
	}
	e.Active = len(e.Reasons) == 0
	return e
}
