package choose

import (
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/retry"
	"lcm-tui/engine/model/wire"
)

// Choice is what the flags of a command say; what is empty is looked for in the
// environment and in the host's configuration.
type Choice struct {
	Provider, Model string
	API             wire.API
	BaseURL         string
	// Exec is a command line, with quotes as in a shell, which is not run by one.
	Exec string
	Key  model.Secret
	// KeyEnv names the environment variable that holds the key for this run, whatever
	// the address is.
	KeyEnv string
	// Timeout is the time that one call may take; 0 is a minute.
	Timeout time.Duration
	Retry   retry.Policy
	Prices  Prices // They come before those of the user's file and our own.
}

// IsZero reports whether the choice names no provider, model, address or command, so that
// environment and configuration decide.
func (c Choice) IsZero() bool {
	return c.Provider == "" && c.Model == "" && c.Exec == "" && c.BaseURL == ""
}

// Getenv reads an environment variable, like os.Getenv.
type Getenv func(string) string

// HostConfig is what the host's configuration says about models.
type HostConfig struct {
	// Provider and Model are the plugin's summaryProvider and summaryModel.
	Provider, Model string
	// Defaults are the models that the host's agents use, in the order in which they
	// stand in for the plugin's: that for compaction, then the general one.
	Defaults []string
	// Fallbacks are the plugin's fallbackProviders, as provider/model: they are asked
	// in order where the model in force fails, unless flags name a model.
	Fallbacks []string
	// Endpoints are the host's own, by provider.
	Endpoints map[string]Endpoint
	// Variable reads a variable that the host sets for itself, and says where it
	// stands. It may be nil.
	Variable func(name string) (value model.Secret, where string)
	// SignIns reads the host's sign-ins, where no other key is found. It may be nil.
	SignIns func() SignIns
	// Now is the time by which sign-ins expire; nil is time.Now.
	Now func() time.Time
}

// Endpoint is the address and the key of a provider in the host's configuration.
type Endpoint struct {
	BaseURL, API string
	Key          model.Secret
}
