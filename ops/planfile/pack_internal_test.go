package planfile

import (
	"bytes"
	"strings"
	"testing"
)

// TestLargePlansArePacked: from a size on a file is packed, and what was packed is read again;
// a changed byte of it, and more bytes behind it, are refused.
func TestLargePlansArePacked(t *testing.T) {
	t.Parallel()
	body := []byte(strings.Repeat("a plan of many rows ", 100))
	var packed, plain bytes.Buffer
	if err := pack(&packed, body, len(body)-1); err != nil || packed.Len() >= len(body) {
		t.Fatalf("%d bytes are packed to %d: %v", len(body), packed.Len(), err)
	}
	if err := pack(&plain, body, len(body)); err != nil || !bytes.Equal(plain.Bytes(), body) {
		t.Errorf("%d bytes are written as %d: %v", len(body), plain.Len(), err)
	}
	for _, b := range [][]byte{packed.Bytes(), body} {
		if got, err := unpack(b); err != nil || !bytes.Equal(got, body) {
			t.Errorf("unpacked to %d bytes: %v", len(got), err)
		}
	}
	for at := range packed.Len() {
		changed := bytes.Clone(packed.Bytes())
		changed[at] ^= 0xff
		if got, err := unpack(changed); err == nil && bytes.Equal(got, body) {
			t.Errorf("byte %d changed is taken", at)
		}
	}
	for _, b := range [][]byte{append(packed.Bytes(), 0), packed.Bytes()[:packed.Len()-1]} {
		if _, err := unpack(b); err == nil {
			t.Errorf("%d bytes instead of %d are taken", len(b), packed.Len())
		}
	}
}
