// Package settings finds the settings in force: the value, source and meaning of each. The
// sources are flags, the environment, the host's configuration, then defaults.
//
// It must not write anything, nor read API keys. The names are those of the host's
// configuration, so that one list serves both programs.
package settings
