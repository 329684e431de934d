// Package token estimates how many tokens a text costs, exactly as the reference
// engine does: its budgets, thresholds and stored counts are in these estimates,
// not in any vendor's tokens.
//
// It knows text only: no database, no configuration.
package token
