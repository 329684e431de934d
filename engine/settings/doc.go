// Package settings says which settings are in force, what their values are, where
// each comes from and what it does: flags, the environment, the host's
// configuration, then defaults.
//
// It must not write anything, nor know keys. The names are those of the host's
// configuration, so that one list speaks of both programs.
package settings
