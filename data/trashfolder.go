package data

import "path/filepath"

// Folder is the path of the trash folder of the database at path.
func TrashFolder(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // By whatever name a database is opened, it has one trash.
	}
	return path + ".lcm-tui-trash"
}
