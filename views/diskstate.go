package views

import (
	"context"
	"errors"
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/settings"
)

// diskState is what screens need of files other than rows: the settings in force, and
// whether the database may be written. It is read off the update loop, at the start and
// while the program watches, and asked for on it.
type diskState struct {
	mu       sync.Mutex
	Settings settings.Settings
	locked   error // Why the file can't be written.
	lost     error // Why what is shown is no longer what stands at the file's path; nil if it is.
	read     time.Time
}

// settingsFor is how long settings are taken for what the files say.
const settingsFor = 5 * time.Second

// ReadDiskState reads what is known of the disk again.
func (e *Env) ReadDiskState() {
	locked := e.DB.Writable()
	e.Disk.mu.Lock()
	old := e.Settings != nil && time.Since(e.Disk.read) > settingsFor
	e.Disk.mu.Unlock()
	var set settings.Settings
	if old {
		set = e.Settings()
	}
	e.Disk.mu.Lock()
	defer e.Disk.mu.Unlock()
	e.Disk.locked = locked
	if old {
		e.Disk.Settings, e.Disk.read = set, time.Now()
	}
}

// WatchDisk returns a watch for changes that also looks at the disk.
func (e *Env) WatchDisk(changed func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		e.ReadDiskState()
		found, err := changed(ctx)
		e.Disk.mu.Lock()
		defer e.Disk.mu.Unlock()
		e.Disk.lost = err
		return found, err
	}
}

// fileLost says in a few words what became of the file while it was open, or is empty. The
// status line tells it once; the header shows it as long as it lasts, since the screens go on
// showing what was read before.
func (d *diskState) fileLost() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch lost := d.lost; {
	case errors.Is(lost, data.ErrVanished):
		return "file deleted"
	case errors.Is(lost, data.ErrReplaced):
		return "file replaced"
	case errors.Is(lost, data.ErrEmptied):
		return "file emptied"
	case errors.Is(lost, data.ErrCutOff):
		return "file cut off"
	}
	return ""
}

// KnownSettings returns the settings in force as they were read last; ok is false where there are
// none.
func (e *Env) KnownSettings() (s settings.Settings, ok bool) {
	e.Disk.mu.Lock()
	defer e.Disk.mu.Unlock()
	return e.Disk.Settings, e.Settings != nil
}

// ReadOnly says why nothing can be changed and what to do where something became of the file,
// or is empty.
func (e *Env) ReadOnly() string {
	e.Disk.mu.Lock()
	defer e.Disk.mu.Unlock()
	switch lost := errors.Join(e.Disk.lost, e.Disk.locked); {
	case errors.Is(lost, data.ErrVanished):
		return "the file was deleted; put it back"
	case errors.Is(lost, data.ErrReplaced):
		return "another file stands in its place; open the file again with :db"
	case errors.Is(lost, data.ErrEmptied):
		return "the file was emptied; restore a backup"
	case errors.Is(lost, data.ErrCutOff):
		return "a part of the file was cut off; open the file again with :db"
	}
	refusal := e.DB.WriteRefusal()
	if e.Disk.locked == nil && refusal == nil {
		return ""
	}
	if _, ok := e.DB.Replica(); ok {
		return "a replica is for reading; lcm-tui fleet order leaves a plan for its machine"
	}
	if e.DB.IsOtherMachines() {
		return "a copy is for reading; lcm-tui fleet apply sends a plan to its machine"
	}
	return readOnlyText(refusal, e.Disk.locked)
}

// longestReason is how many letters a reason may have beside the key that it is about.
const longestReason = 60

// readOnlyText says that a file is read-only, and why: because it is never changed, or because it is locked. A long
// reason is left to the notes about the file.
func readOnlyText(refusal, locked error) string {
	const text = "the file is open read-only"
	var of *data.Error
	switch {
	case refusal == nil && errors.Is(locked, data.ErrReadOnly):
		return text + ": it or its folder can't be written"
	case errors.Is(refusal, data.ErrDamaged):
		return text + ": it is damaged"
	case errors.As(refusal, &of) && len(of.ScreenHint()) <= longestReason:
		return text + "; " + of.ScreenHint()
	}
	return text
}
