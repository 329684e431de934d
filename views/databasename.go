package views

import (
	"path/filepath"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// ownNames are the names that hosts give the file of every database.
var ownNames = []string{"lcm.db", "db.sqlite"}

// DatabaseName returns what people call a database: the name of its file, or, where all databases have that
// name, of its folder.
func DatabaseName(path string) string {
	folder, file := filepath.Split(path)
	if folder != "" && slices.Contains(ownNames, file) {
		return ShortenHome(filepath.Clean(folder))
	}
	return file
}

// databaseName returns what the header calls the file.
func (o Options) databaseName() string {
	if o.DB == nil {
		return ""
	}
	if o.DB.IsHome() {
		return "home " + ui.Line(o.DB.Path())
	}
	if r, ok := o.DB.Replica(); ok {
		name := "replica of " + ui.Line(r.Source)
		if r.OnlySummaries {
			name += ", without messages"
		}
		if r.IsChosen {
			name += ", some conversations"
		}
		return name + ", " + Ago(r.At, time.Now())
	}
	if m, ok := data.CopyOf(o.DB.Path()); ok {
		return "copy of " + ui.Line(m.Name) + ", " + Ago(m.AskedAt, time.Now())
	}
	return FirstNonEmpty(o.Name, DatabaseName(o.DB.Path()))
}
