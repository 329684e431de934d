package service

import (
	"os"

	"lcm-tui/data"
)

// fileState is by what it shows that somebody wrote to a database: its files, without opening them.
type fileState struct{ main, log one }

// one is what is known of one file.
type one struct{ size, changed int64 }

// stateOf returns that of a database now. A file that isn't there has none.
func stateOf(path string) fileState {
	of := func(path string) one {
		info, err := os.Stat(path)
		if err != nil {
			return one{}
		}
		return one{info.Size(), info.ModTime().UnixNano()}
	}
	return fileState{of(path), of(path + data.WALSuffix)}
}
