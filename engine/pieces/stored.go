package pieces

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// Stored is a set as it is kept in a file. Whoever has it can check a guess of a piece, and can't read one from it.
type Stored struct {
	Salt string `json:"salt"`
	// Size is the length of a piece in bytes, and Distance how far apart they begin.
	Size     int `json:"piece_bytes"`
	Distance int `json:"every_bytes"`
	Count    int `json:"pieces"`
	// TooShort are the texts that have no piece.
	TooShort int `json:"too_short"`
	// Common are pieces that were dropped.
	Common  int    `json:"common"`
	Digests string `json:"digests"`
}

// entryBytes is what a piece takes: three bytes of its sum, eight of its digest.
const entryBytes = 3 + 8

var errStored = errors.New("its pieces can't be read")

// Store returns the set as it is kept.
func (s *Set) Store() Stored {
	b := make([]byte, 0, len(s.list)*entryBytes)
	for _, e := range s.list {
		b = append(b, byte(e.sum>>16), byte(e.sum>>8), byte(e.sum))
		b = binary.BigEndian.AppendUint64(b, e.digest)
	}
	return Stored{
		Salt: base64.StdEncoding.EncodeToString(s.salt), Size: Size, Distance: s.distance, Count: len(s.list), TooShort: s.short, Common: s.common,
		Digests: base64.StdEncoding.EncodeToString(b),
	}
}

// Load returns the set that was stored.
func Load(stored Stored) (*Set, error) {
	salt, err := base64.StdEncoding.DecodeString(stored.Salt)
	if err != nil {
		return nil, errStored
	}
	b, err := base64.StdEncoding.DecodeString(stored.Digests)
	if err != nil || stored.Size != Size || stored.Distance < 1 || stored.Distance > 1<<40 || len(b) != stored.Count*entryBytes || stored.Count > 2*most {
		return nil, errStored
	}
	s := &Set{salt: salt, distance: stored.Distance, digests: map[uint64]int{}, short: stored.TooShort, common: stored.Common}
	for ; len(b) > 0; b = b[entryBytes:] {
		e := entry{uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]), binary.BigEndian.Uint64(b[3:])}
		s.digests[e.digest] = len(s.list)
		s.list = append(s.list, e)
	}
	s.makeFilter()
	return s, nil
}
