package views

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// TokenSteps are the sizes between which keys step, in tokens: round numbers, and the
// windows of the models that are common.
var TokenSteps = []int64{
	1_000, 2_000, 4_000, 8_000, 12_000, 16_000, 24_000, 32_000, 48_000, 64_000, 96_000, 128_000,
	160_000, 200_000, 256_000, 272_000, 320_000, 400_000, 512_000, 640_000, 800_000, 1_000_000, 1_500_000, 2_000_000,
}

// TokenPresets are the windows of the models that are common.
var TokenPresets = []int64{32_000, 128_000, 200_000, 272_000, 400_000, 1_000_000}

// TailSteps are the sizes between which keys step a fresh tail, in messages.
var TailSteps = []int64{0, 1, 2, 4, 8, 12, 16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256, 384, 512}

// Stepped returns the step after n, or before it if down; beyond the last step n doubles,
// and before the first it stays.
func Stepped(steps []int64, n int64, down bool) int64 {
	if down {
		for i := len(steps) - 1; i >= 0; i-- {
			if steps[i] < n {
				if i == len(steps)-1 && n/2 > steps[i] {
					return n / 2
				}
				return steps[i]
			}
		}
		return n
	}
	for _, s := range steps {
		if s > n {
			return s
		}
	}
	if n > math.MaxInt64/4 {
		return n
	}
	return 2 * n
}

// ParseAmount reads a number as people write it: 128000, 128,000, 128k, 1.5M, 128_000t.
func ParseAmount(text string) (int64, error) {
	clean := strings.ToLower(strings.NewReplacer(",", "", "_", "", " ", "").Replace(strings.TrimSpace(text)))
	clean = strings.TrimSuffix(clean, "t")
	factor := 1.0
	for suffix, f := range map[string]float64{"k": 1e3, "m": 1e6} {
		if rest, ok := strings.CutSuffix(clean, suffix); ok {
			clean, factor = rest, f
			break
		}
	}
	n, err := strconv.ParseFloat(clean, 64)
	if err != nil || n < 0 || math.IsNaN(n) || n*factor > 1e15 || strings.ContainsAny(clean, "xpe") {
		return 0, fmt.Errorf("%q is not a number such as 200000, 200k or 1M", text)
	}
	return int64(math.Round(n * factor)), nil
}

// ShortAmount returns a number of tokens in a few cells: 128k, 1M, 1,234.
func ShortAmount(n int64) string {
	switch {
	case n >= 1_000_000 && n%100_000 == 0:
		return strconv.FormatFloat(float64(n)/1e6, 'f', -1, 64) + "M"
	case n >= 1_000 && n%1_000 == 0:
		return strconv.FormatInt(n/1_000, 10) + "k"
	}
	return strconv.FormatInt(n, 10)
}

// AsConfigured is a fresh tail of as many messages as the settings say.
const AsConfigured = -1

// PresetsLine names the sizes of common windows beside a field that takes tokens.
func PresetsLine() string {
	names := make([]string, len(TokenPresets))
	for i, n := range TokenPresets {
		names[i] = ShortAmount(n)
	}
	return "type a number such as " + strings.Join(names, ", ")
}
