package install

// SetBeforeRename sets what is called when everything is written but the file has its old
// content. It is for a process of its own.
func SetBeforeRename(f func()) { beforeRename = f }
