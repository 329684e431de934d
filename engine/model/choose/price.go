package choose

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"lcm-tui/engine/model"
	"lcm-tui/internal/lazyregexp"
)

// Price is what a model costs, in US dollars for a million tokens.
type Price struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
}

// of returns what a call of so many tokens costs.
func (p Price) of(in, out int64) (dollars float64, known bool) {
	return (float64(in)*p.Input + float64(out)*p.Output) / 1e6, true
}

// Prices are prices by "provider/model".
type Prices map[string]Price

// listPrices are prices as they were at the end of 2025. A model that isn't here
// has no price: it isn't guessed from its kin.
var listPrices = Prices{
	"anthropic/claude-haiku-4-5":  {1, 5},
	"anthropic/claude-sonnet-4-5": {3, 15},
	"anthropic/claude-opus-4-5":   {5, 25},
	"openai/gpt-5":                {1.25, 10},
	"openai/gpt-5-mini":           {0.25, 2},
	"openai/gpt-5-nano":           {0.05, 0.4},
	"openai/gpt-4.1":              {2, 8},
	"openai/gpt-4.1-mini":         {0.4, 1.6},
	"openai/gpt-4o-mini":          {0.15, 0.6},
}

var dated = lazyregexp.New(`-\d{4}-?\d\d-?\d\d$`)

// of returns what calls of a model cost: by its name, or by its undated name. At an address
// that isn't the vendor's own only the user knows it.
func (p Prices) of(r Resolved) func(in, out int64) (dollars float64, known bool) {
	for _, name := range []string{r.Name(), dated.ReplaceAllString(r.Name(), "")} {
		if price, ok := p[name]; ok {
			return price.of
		}
		if price, ok := listPrices[name]; ok && ownerOfHost(r.BaseURL) == r.Provider {
			return price.of
		}
	}
	return func(int64, int64) (float64, bool) { return 0, false }
}

// PricesFile returns where the user's prices stand: LCM_TUI_PRICES, or
// lcm-tui/prices.json in the folder for configuration. It needn't exist; it is
// empty where there is no such folder.
func PricesFile(env Getenv) string {
	if f := env("LCM_TUI_PRICES"); f != "" {
		return f
	}
	base := env("XDG_CONFIG_HOME")
	switch {
	case filepath.IsAbs(base):
	case runtime.GOOS == "windows":
		base = env("APPDATA")
	case env("HOME") != "":
		base = filepath.Join(env("HOME"), ".config")
	default:
		base = ""
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, "lcm-tui", "prices.json")
}

// loadPrices puts given prices over those of the user's file.
func loadPrices(given Prices, env Getenv) (Prices, error) {
	path := PricesFile(env)
	b, err := os.ReadFile(path)
	all := Prices{}
	switch {
	case path == "" || errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("read prices: %w", err)
	default:
		if err := json.Unmarshal(b, &all); err != nil {
			return nil, &model.Error{
				Kind: model.KindSetup, Message: "the prices in " + path + " can't be understood: " + err.Error(), Cause: err,
				Next: `they look like {"anthropic/claude-haiku-4-5": {"input": 1, "output": 5}}, in dollars for a million tokens`,
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		all[name] = given[name]
	}
	return all, nil
}
