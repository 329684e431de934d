package conversation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

func TestFilesScreens(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("enter", "4")
	d.Goldens()
}

func TestFileContentScreen(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("enter", "4", "enter")
	d.Goldens()
	d.Press("Y")
	if !strings.HasPrefix(d.Clip, "tenant_id,name,") {
		t.Errorf("copied %.40q", d.Clip)
	}
	d.Press("y", "esc")
	if d.Clip != "file_bbf1e5f7f74144d3" || d.App.Depth() != 2 {
		t.Errorf("copied %q, depth %d", d.Clip, d.App.Depth())
	}
}

// TestFilesInANarrowWindow: in a narrow window enter goes from the list to the text, then to the content.
func TestFilesInANarrowWindow(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("enter", "4")
	d.Screen(80, 24)
	d.Press("enter")
	if s := d.Screen(80, 24); !strings.Contains(s, "what the model sees of it") {
		t.Errorf("enter does not show the text:\n%s", s)
	}
	d.Press("enter")
	if s := d.Screen(80, 24); !strings.Contains(s, "1,Nordlink,NO") {
		t.Errorf("enter does not show the content:\n%s", s)
	}
	d.Press("esc", "esc")
	if s := d.Screen(80, 24); !strings.Contains(s, "▌tenants-2026.csv") {
		t.Errorf("esc does not go back:\n%s", s)
	}
}

func TestFileContentIsReadFromTheFolderOnly(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	folder := d.Env.Files
	secret := filepath.Join(t.TempDir(), "secret")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(secret, "a secret")
	write(filepath.Join(folder, "binary"), "\x7fELF\x00\x01\x02 and so on")
	write(filepath.Join(folder, "empty"), "")
	write(filepath.Join(folder, "steer"), "\x1b[2Jcleared\x07 text\n")
	write(filepath.Join(folder, "long"), strings.Repeat("0123456789abcde\n", 50_000))
	if err := os.Symlink(secret, filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		secret:                          "the stored path leads out of the files folder",
		filepath.Join(folder, "link"):   "the stored path leads out of the files folder",
		folder + "/../lcm.db":           "the stored path leads out of the files folder",
		"":                              "! read file_1",
		filepath.Join(folder, "none"):   "there is no file",
		folder:                          "not a regular file",
		filepath.Join(folder, "binary"): "00000000  7f 45 4c 46 00 01 02",
		filepath.Join(folder, "empty"):  "the file is empty",
		filepath.Join(folder, "steer"):  "␛[2Jcleared␇ text",
		filepath.Join(folder, "long"):   "the first 524 kB",
		"file://" + filepath.Join(folder, "steer"): "␛[2Jcleared",
	} {
		c := newFileContent(d.Env, lcm.LargeFile{ID: "file_1", URI: path, Bytes: 23})
		d.Run(c.Init())
		got := viewtest.Plain(c.View(500, 20))
		if !strings.Contains(got, want) || strings.Contains(got, "a secret") {
			t.Errorf("%s: want %q in\n%s", path, want, got)
		}
		if strings.HasPrefix(want, "the stored") && !strings.Contains(got, "LCM_LARGE_FILES_DIR") {
			t.Errorf("%s: there is no hint in\n%s", path, got)
		}
	}
}

func TestFilesOfDamagedFiles(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"hostile-text", "file-missing", "bad-values"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveSample(t, fakehost.Head, fault)
			d.Open(1, views.TabFiles)
			d.Clean(120, 36)
			d.Press("enter")
			d.Clean(120, 36)
			d.Clean(80, 24)
		})
	}
}

func TestFilesOfEveryLevel(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range append(fakehost.Levels(), fakehost.Beta, fakehost.Fork) {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveSample(t, level)
			d.Open(1, views.TabFiles)
			for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}, {20, 5}} {
				d.Clean(size[0], size[1])
			}
		})
	}
}
