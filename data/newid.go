package data

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
)

// NewUUID makes a new random id in the form of a UUID of version 4, as parts have it.
func NewUUID(db *DB) string {
	const variants = "89ab"
	d := db.NewID() + db.NewID()
	return fmt.Sprintf("%s-%s-4%s-%c%s-%s", d[:8], d[8:12], d[13:16], variants[d[16]%byte(len(variants))], d[17:20], d[20:32])
}

// NewTimedUUID makes a UUID that begins with the time in milliseconds, so that those of one
// import lie together in the index of all.
func NewTimedUUID(db *DB) string {
	at := fmt.Sprintf("%012x", db.Now().UnixMilli()&(1<<48-1))
	return at[:8] + "-" + at[8:] + NewUUID(db)[13:]
}

// randomID returns 16 random hexadecimal digits.
func randomID() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // Never fails.
	return hex.EncodeToString(b)
}
