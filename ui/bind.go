package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
)

// Bind returns the binding of keys, which are names split by spaces ("up k"),
// printed as label and described by what.
func Bind(keys, label, what string) key.Binding {
	return key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(label, what))
}
