package samples

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"lcm-tui/internal/foldercache"
)

// sources are the folders of the code that samples are made of, and what it imports.
var sources = []string{
	"go.mod", "data/jstext", "engine/identity", "internal/fakehost", "internal/sorting", "internal/lazyregexp", "internal/demo", "internal/faults",
	"internal/foldercache", "internal/samples",
}

// cacheName names the folder in the user's cache.
const cacheName = "lcm-tui-samples"

// oldSamples is how long samples of other code are kept.
const oldSamples = 30 * 24 * time.Hour

// sourceDigest returns a digest of the code that makes samples. Where that can't be read it is of this process alone.
var sourceDigest = sync.OnceValue(func() string {
	sum := sha256.New()
	if err := readSources(sum); err != nil {
		fmt.Fprint(sum, err, os.Getpid(), time.Now())
	}
	digest := hex.EncodeToString(sum.Sum(nil)[:8])
	foldercache.RemoveOld(cacheName, digest, oldSamples)
	return digest
})

func readSources(to io.Writer) error {
	root, err := foldercache.ModuleRoot()
	if err != nil {
		return err
	}
	for _, name := range sources {
		err := filepath.WalkDir(filepath.Join(root, name), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			b, err := os.ReadFile(path)
			if err == nil {
				_, err = fmt.Fprintf(to, "%s\x00%d\x00%s", path[len(root):], len(b), b)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// digestOf returns a name for files that stands for any text.
func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
