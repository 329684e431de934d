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
// there is no such file, it makes one with a new token, unless another process does so at the same time.
func Token(path string) (token string, isNew bool, err error) {
	token, err = readToken(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, false, err
	}
	token, err = newToken(path)
	if !errors.Is(err, fs.ErrExist) {
		return token, err == nil, err
	}
	if made, readErr := readToken(path); readErr == nil {
		return made, false, nil
	}
	return "", false, err
}

// readToken reads the token from its file.
func readToken(path string) (token string, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("read token: %w", err)
	case !isPrivate(info):
		return "", fmt.Errorf("read token %s: %w", path, ErrTokenShared)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	token = strings.TrimSpace(string(text))
	if raw, err := hex.DecodeString(token); err != nil || len(raw) != tokenBytes {
		return "", fmt.Errorf("read token %s: it is no token of %d bytes; delete the file, and a new one is made", path, tokenBytes)
	}
	return token, nil
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
