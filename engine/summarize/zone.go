package summarize

import (
	"fmt"
	"slices"
	"time"
)

// Zone returns the time zone of a name, UTC for one that doesn't exist. An empty name
// is the system's.
func Zone(name string) *time.Location {
	if name == "" {
		return time.Local
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return z
}

// stamp returns a time to the minute with its zone. Midnight is 00:00; hosts on old
// versions of Node wrote 24:00.
func (f Form) stamp(t time.Time) string {
	z := f.Zone
	if z == nil {
		z = time.UTC
	}
	t = t.In(z)
	return t.Format("2006-01-02 15:04 ") + zoneName(t)
}

// zoneHours are the zones that readers in the US know by letters, with their
// hours from UTC. The others are written by their offset: the same letters mean
// other zones elsewhere, such as CST in China.
var zoneHours = map[string]int{
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"AKST": -9, "AKDT": -8, "HST": -10, "AST": -4, "ADT": -3,
}

// Places whose zone has another name than its letters say, also under the older names of the places.
var (
	// offsetOnlyPlaces are on a zone of the US that has a name there which isn't known by letters.
	offsetOnlyPlaces = []string{"America/Dawson", "America/Whitehorse", "Canada/Yukon", "America/Hermosillo", "America/Mazatlan", "Mexico/BajaSur"}
	aleutianPlaces   = []string{"America/Adak", "America/Atka", "US/Aleutian"}
	universalPlaces  = []string{"GMT", "Etc/GMT", "GMT0", "GMT+0", "GMT-0"}
)

// zoneName returns the short name of a time's zone, as the host writes it, which has it
// from the tables of Unicode for American English.
func zoneName(t time.Time) string {
	letters, offset := t.Zone()
	place := t.Location().String()
	hours, known := zoneHours[letters]
	switch {
	case letters == "UTC", slices.Contains(universalPlaces, place):
		return "UTC"
	case letters == "HST" && slices.Contains(aleutianPlaces, place):
		return "HAST"
	case letters == "HDT":
		return "HADT"
	case letters == "WET", place == "Atlantic/Azores":
		return gmtOffset(offset)
	case offset == 0:
		return "GMT"
	case known && offset == hours*3600 && !slices.Contains(offsetOnlyPlaces, place):
		return letters
	}
	return gmtOffset(offset)
}

// gmtOffset returns an offset in seconds, such as GMT+8 or GMT+5:30.
func gmtOffset(offset int) string {
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	hours, minutes := offset/3600, offset/60%60
	if minutes == 0 {
		return fmt.Sprintf("GMT%c%d", sign, hours)
	}
	return fmt.Sprintf("GMT%c%d:%02d", sign, hours, minutes)
}
