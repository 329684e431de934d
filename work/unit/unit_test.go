package unit_test

import (
	"encoding/xml"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/work/unit"
)

// odd has paths with everything that a unit has to quote.
func odd(program string) unit.Options {
	return unit.Options{
		Service: unit.Work, Program: program, Database: `/srv/my "data" & 100%/$HOME/lcm <1>.db`, State: "/home/u/.local/state/lcm-tui", Log: "/home/u/a & b.log", Args: []string{"--between", "01:00-06:00"},
		Every: "*:0/15", Variables: []unit.Variable{{Name: "XDG_STATE_HOME", Value: `/home/u/"100%" $x & <y>`}, {Name: "CODEX_HOME", Value: "/c"}},
	}
}

// TestUnitsOfSystemd: the service says when it is ready, is watched, and may write to little; with a timer it ends.
func TestUnitsOfSystemd(t *testing.T) {
	t.Parallel()
	files := unit.Systemd(odd("/opt/my tools/lcm-tui"))
	if len(files) != 1 || files[0].Name != "lcm-tui-work.service" {
		t.Fatalf("%+v", files)
	}
	for _, want := range []string{
		"Type=notify", "WatchdogSec=60", "Restart=on-failure", "RestartSec=30", "ProtectSystem=strict", "NoNewPrivileges=yes", "UMask=0077", "MemoryMax=256M", "WantedBy=default.target",
		`ExecStart="/opt/my tools/lcm-tui" work --watch --db "/srv/my \"data\" & 100%%/$$HOME/lcm <1>.db" --between 01:00-06:00`,
		`Environment="XDG_STATE_HOME=/home/u/\"100%%\" $x & <y>"`, "Environment=CODEX_HOME=/c",
		`ReadWritePaths=-/home/u/.local/state/lcm-tui "-/srv/my \"data\" & 100%%/$HOME"`,
	} {
		if !slices.Contains(strings.Split(files[0].Text, "\n"), want) {
			t.Errorf("no line %s:\n%s", want, files[0].Text)
		}
	}
	o := odd("/usr/bin/lcm-tui")
	o.Timer, o.Args = true, nil
	files = unit.Systemd(o)
	if len(files) != 2 || !strings.Contains(files[0].Text, "Type=oneshot") || !strings.Contains(files[0].Text, " work --once ") || strings.Contains(files[0].Text, "WatchdogSec") {
		t.Fatalf("%+v", files)
	}
	for _, want := range []string{"OnCalendar=*:0/15", "Persistent=yes", "RandomizedDelaySec=", "WantedBy=timers.target"} {
		if !strings.Contains(files[1].Text, want) {
			t.Errorf("no %s:\n%s", want, files[1].Text)
		}
	}
}

// TestSystemdUnderstandsItsUnits, where it is installed.
func TestSystemdUnderstandsItsUnits(t *testing.T) {
	t.Parallel()
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd isn't installed")
	}
	program, err := exec.LookPath("true")
	testdb.Must(t, err)
	for _, test := range []struct {
		service unit.Service
		timer   bool
	}{{unit.Work, false}, {unit.Work, true}, {unit.Sync, false}} {
		folder := t.TempDir()
		o := odd(program)
		o.Service, o.Timer = test.service, test.timer
		for _, f := range unit.Systemd(o) {
			path := filepath.Join(folder, f.Name)
			testdb.WriteText(t, path, f.Text)
			out, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", "--recursive-errors=no", path).CombinedOutput()
			if strings.Contains(string(out), folder) || strings.Contains(string(out), f.Name) {
				t.Errorf("%s: %v: %s", f.Name, err, out)
			}
		}
	}
}

// TestTheAgentOfLaunchd is XML whose texts are the paths, and is started again after a failure only.
func TestTheAgentOfLaunchd(t *testing.T) {
	t.Parallel()
	o := odd("/opt/my tools/lcm-tui")
	files := unit.Launchd(o)
	if len(files) != 1 || files[0].Name != "lcm-tui-work.plist" {
		t.Fatalf("%+v", files)
	}
	var texts []string
	for d := xml.NewDecoder(strings.NewReader(files[0].Text)); ; {
		token, err := d.Token()
		if err == io.EOF { //nolint:errorlint // As its documentation says.
			break
		}
		testdb.Must(t, err)
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			texts = append(texts, string(text))
		}
	}
	want := []string{o.Program, "work", "--watch", "--db", o.Database, "--between", "01:00-06:00"}
	at := slices.Index(texts, "ProgramArguments")
	if at < 0 || !slices.Equal(texts[at+1:at+1+len(want)], want) {
		t.Errorf("%q", texts)
	}
	at = slices.Index(texts, "EnvironmentVariables")
	if at < 0 || !slices.Equal(texts[at+1:at+5], []string{o.Variables[0].Name, o.Variables[0].Value, o.Variables[1].Name, o.Variables[1].Value}) {
		t.Errorf("%q", texts)
	}
	for _, key := range []string{"KeepAlive", "SuccessfulExit", "ThrottleInterval", "StandardErrorPath", o.Log} {
		if !slices.Contains(texts, key) {
			t.Errorf("no %s in %q", key, texts)
		}
	}
}

// TestPathsThatNoUnitCanName are refused.
func TestPathsThatNoUnitCanName(t *testing.T) {
	t.Parallel()
	testdb.Must(t, odd("/bin/x").Check())
	for _, program := range []string{"", "lcm-tui", "/bin/x\ny", "/bin/\x00"} {
		if odd(program).Check() == nil {
			t.Errorf("%q", program)
		}
	}
}

// TestTheUnitOfSync goes on, is started again after a failure, and ends well when it is stopped.
func TestTheUnitOfSync(t *testing.T) {
	t.Parallel()
	o := odd("/opt/my tools/lcm-tui")
	o.Service, o.Args = unit.Sync, []string{"--target", "office"}
	files := unit.Systemd(o)
	if len(files) != 1 || files[0].Name != "lcm-tui-sync.service" || strings.Contains(files[0].Text, "notify") || strings.Contains(files[0].Text, "WatchdogSec") {
		t.Fatalf("%+v", files)
	}
	for _, want := range []string{
		"Description=lcm-tui: sends the database to a replica", "Type=exec", "Restart=on-failure", "SuccessExitStatus=130",
		`ExecStart="/opt/my tools/lcm-tui" sync --watch --apply --db "/srv/my \"data\" & 100%%/$$HOME/lcm <1>.db" --target office`,
	} {
		if !slices.Contains(strings.Split(files[0].Text, "\n"), want) {
			t.Errorf("no line %s:\n%s", want, files[0].Text)
		}
	}
	if agent := unit.Launchd(o)[0]; agent.Name != "lcm-tui-sync.plist" || !strings.Contains(agent.Text, "<string>office</string>") {
		t.Errorf("%+v", agent)
	}
}
