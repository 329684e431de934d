package loopback

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lcm-tui/internal/atomicfile"
)

const tokenBytes = 32

// ErrTokenShared says that others than its owner may read a file with a token.
var ErrTokenShared = errors.New("others may read the file with the token: delete it, and a new token is made")

// Token reads the token that clients have to send from a file that its owner alone may read. If
// there is no such file, it makes one with a new token.
func Token(path string) (token string, isNew bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		token, err = newToken(path)
		return token, true, err
	case err != nil:
		return "", false, fmt.Errorf("read token: %w", err)
	case !isPrivate(info):
		return "", false, fmt.Errorf("read token %s: %w", path, ErrTokenShared)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", false, fmt.Errorf("read token: %w", err)
	}
	token = strings.TrimSpace(string(text))
	if raw, err := hex.DecodeString(token); err != nil || len(raw) != tokenBytes {
		return "", false, fmt.Errorf("read token %s: it is no token of %d bytes; delete the file, and a new one is made", path, tokenBytes)
	}
	return token, false, nil
}

// newToken makes a token and its file. It replaces no file.
func newToken(path string) (string, error) {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // It never fails.
	token := hex.EncodeToString(raw)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make token: %w", err)
	}
	if err := atomicfile.Write(path, []byte(token+"\n"), atomicfile.Options{}); err != nil {
		return "", fmt.Errorf("make token: %w", err)
	}
	return token, nil
}
