package restore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"lcm-tui/data"
	"lcm-tui/internal/leftover"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/regularfile"
)

// copyNew copies a file to a new one, and has the disk keep it.
func copyNew(ctx context.Context, from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("copy to %s: %w", to, data.ErrExists)
	}
	if err := regularfile.Copy(ctx, from, to); err != nil {
		_ = os.Remove(to) // A part of it is of no use.
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return data.SyncFile(to)
}

// byFiles puts a copy of the backup in the place of a file that SQLite doesn't open, or of one that
// isn't there. The old file, its -wal and its -shm get other names together: no -wal of one file may
// lie beside another.
func (w *worker) byFiles(ctx context.Context) error {
	w.result.Method = MethodFiles
	if names := data.HolderNames(w.live); len(names) > 0 {
		return w.inUse(data.ErrInUse)
	}
	if err := w.checkSpace(); err != nil {
		return err
	}
	part, err := w.writePart(ctx)
	if part != "" {
		defer w.part.Close()
		defer data.RemoveDatabase(part)
	}
	if err != nil {
		return err
	}
	w.reached("written")
	if err := w.rename(part); err != nil {
		return err
	}
	w.reached("renamed")
	_ = w.part.Close() // Before SQLite opens it, whose locks it would end.
	return w.adjustFile(context.WithoutCancel(ctx))
}

// writePart copies the backup beside the live file.
func (w *worker) writePart(ctx context.Context) (part string, err error) {
	if w.part, err = leftover.CreateFile(filepath.Dir(w.live), filepath.Base(w.live)); err != nil {
		return "", fmt.Errorf("restore: %w", err)
	}
	part = w.part.Name()
	w.report(0, 0, "copying the backup")
	if err := regularfile.Copy(ctx, w.Backup.Path(), part); err != nil {
		return part, fmt.Errorf("restore: %w", err)
	}
	if err := data.VerifyCopy(ctx, part, w.Backup.Tables, w.report); err != nil {
		return part, err
	}
	if info, err := os.Stat(w.live); err == nil {
		if err := regularfile.KeepOwner(part, info); err != nil {
			return part, fmt.Errorf("restore: the copy can't get the owner of the file: %w", err)
		}
	}
	return part, data.SyncFile(part)
}

// rename moves the old files aside and gives the new one its name, under the lock that SQLite's
// connections take. Where that fails in the middle, each file gets its name back.
func (w *worker) rename(part string) (err error) {
	saved := w.savedPath()
	var back []func() error
	defer func() {
		if err == nil {
			return
		}
		for _, undo := range slices.Backward(back) {
			if failed := undo(); failed != nil {
				err = &outcome.Error{Reached: "files of the database are moved aside: " + saved + "*", Next: "give them their names again, which begin with " + w.live, Err: errors.Join(err, failed)}
			}
		}
	}()
	move := func(from, to string) error {
		if err := os.Rename(from, to); err != nil {
			return fmt.Errorf("restore: %w", err)
		}
		back = append(back, func() error { return os.Rename(to, from) })
		return nil
	}
	_, missing := os.Lstat(w.live)
	if missing == nil {
		release, err := data.LockBytes(w.live)
		if errors.Is(err, data.ErrInUse) {
			return w.inUse(err)
		}
		if err != nil {
			return err
		}
		defer release()
		if err := w.link(w.live, saved); err == nil {
			back = append(back, func() error { return os.Remove(saved) })
		} else if err := move(w.live, saved); err != nil { // This file system has no links.
			return err
		}
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if _, missing := os.Lstat(w.live + suffix); missing != nil {
			continue
		}
		if err := move(w.live+suffix, saved+suffix); err != nil {
			return err
		}
	}
	w.reached("aside")
	if err := os.Rename(part, w.live); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	back, w.result.Restored = nil, true
	if missing == nil {
		w.result.Saved, w.result.SavedDamaged = saved, true
	}
	return data.SyncFile(filepath.Dir(w.live))
}

// adjustFile writes the checkpoints into the file that was put in place.
func (w *worker) adjustFile(ctx context.Context) error {
	if len(w.result.Checkpoints) == 0 {
		return nil
	}
	x, err := data.OpenExclusive(ctx, w.live)
	if err != nil {
		return err
	}
	return errors.Join(w.adjust(ctx, x.Conn), x.Close())
}
