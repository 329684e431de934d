package data

// WantedRowsByKey is tested from outside.
var WantedRowsByKey = wantedRowsByKey
