package unit

import (
	"encoding/xml"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Service is what a unit runs.
type Service struct {
	name, about string
	goesOn      []string // The words of the command that stays.
	once        []string // Of the one that a timer starts, or nil.
	notifies    bool     // It says when it is ready and that it is alive, and reads its settings again at SIGHUP.
}

// The services.
var (
	Work = Service{name: "lcm-tui-work", about: "keeps contexts small", goesOn: []string{"work", "--watch"}, once: []string{"work", "--once"}, notifies: true}
	Sync = Service{name: "lcm-tui-sync", about: "sends the database to a replica", goesOn: []string{"sync", "--watch", "--apply"}}
)

// Options are what a unit is about.
type Options struct {
	Service  Service
	Program  string // The path of this program.
	Database string
	IsServer bool     // Database is the address of a server, and no path.
	State    string   // The folder of this program's state, which it writes to.
	Folders  []string // Others that it writes to.
	Log      string   // The file that launchd writes the log to.
	Args     []string // More arguments of its command.
	// Variables are those of this process without which the service would read and write elsewhere.
	Variables []Variable
	Timer     bool   // Passes that a timer starts, instead of a process that stays.
	Every     string // For a timer of systemd: OnCalendar.
}

// Variable is a variable of the environment.
type Variable struct{ Name, Value string }

// Check returns why no unit can be made for the paths.
func (o Options) Check() error {
	texts := append([]string{o.Program, o.Database}, o.Args...)
	for _, v := range o.Variables {
		texts = append(texts, v.Value)
	}
	for _, p := range texts {
		if strings.ContainsAny(p, "\x00\n\r") {
			return errors.New("a unit can't name a path or an argument with a line break in it")
		}
	}
	for _, p := range []string{o.Program, o.Database, o.State} {
		if !filepath.IsAbs(p) && !(o.IsServer && p == o.Database) {
			return fmt.Errorf("a unit needs whole paths, not %q", p)
		}
	}
	return nil
}

// arguments returns the command line.
func (o Options) arguments() []string {
	words := o.Service.goesOn
	if o.Timer {
		words = o.Service.once
	}
	return slices.Concat([]string{o.Program}, words, []string{"--db", o.Database}, o.Args)
}

// File is a file to write.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Systemd returns the units of a user: the service, and with a timer that too.
func Systemd(o Options) []File {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("[Unit]")
	line("Description=lcm-tui: %s", o.Service.about)
	line("")
	line("[Service]")
	for _, l := range o.lifetime() {
		line("%s", l)
	}
	words := o.arguments()
	words[0] = systemdText(strings.ReplaceAll(words[0], "%", "%%")) // Of which no variables are replaced.
	for i, w := range words[1:] {
		words[i+1] = systemdText(strings.NewReplacer("%", "%%", "$", "$$").Replace(w))
	}
	for _, v := range o.Variables {
		line("Environment=%s", systemdText(v.Name+"="+strings.ReplaceAll(v.Value, "%", "%%")))
	}
	line("ExecStart=%s", strings.Join(words, " "))
	line("UMask=0077")
	line("NoNewPrivileges=yes")
	line("ProtectSystem=strict")
	line("ReadWritePaths=%s", systemdPaths(o.folders()))
	line("MemoryMax=256M")
	if o.Timer {
		return []File{{o.Service.name + ".service", b.String()}, {o.Service.name + ".timer", o.timer()}}
	}
	line("")
	line("[Install]")
	line("WantedBy=default.target")
	return []File{{o.Service.name + ".service", b.String()}}
}

// lifetime returns the lines about how the service starts and ends.
func (o Options) lifetime() []string {
	switch {
	case o.Timer:
		return []string{"Type=oneshot", "SuccessExitStatus=75"}
	case o.Service.notifies:
		return []string{"Type=notify", "WatchdogSec=60", "Restart=on-failure", "RestartSec=30", "ExecReload=/bin/kill -HUP $MAINPID", "TimeoutStopSec=15"}
	}
	// It ends with 130 when it is stopped.
	return []string{"Type=exec", "SuccessExitStatus=130", "Restart=on-failure", "RestartSec=30", "TimeoutStopSec=15"}
}

// folders returns the folders that the work writes to. The -wal of a database lies beside it.
func (o Options) folders() (out []string) {
	beside := filepath.Dir(o.Database)
	if o.IsServer {
		beside = ""
	}
	for _, p := range append([]string{o.State, beside}, o.Folders...) {
		if p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

func (o Options) timer() string {
	return "[Unit]\nDescription=lcm-tui: " + o.Service.about + ", now and then\n\n[Timer]\nOnCalendar=" + o.Every +
		"\nPersistent=yes\nRandomizedDelaySec=2m\n\n[Install]\nWantedBy=timers.target\n"
}

// systemdText quotes a word, if it needs that.
func systemdText(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\"'\\;") {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(s) + `"`
}

// systemdPaths returns paths as a list. The minus before one says that it needn't be there.
func systemdPaths(paths []string) string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = systemdText("-" + strings.ReplaceAll(p, "%", "%%"))
	}
	return strings.Join(out, " ")
}

// Launchd returns the agent of a user.
func Launchd(o Options) []File {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`<?xml version="1.0" encoding="UTF-8"?>`)
	line(`<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">`)
	line(`<plist version="1.0">`)
	line(`<dict>`)
	line("\t<key>Label</key>\n\t<string>%s</string>", o.Service.name)
	line("\t<key>ProgramArguments</key>\n\t<array>")
	for _, w := range o.arguments() {
		line("\t\t<string>%s</string>", xmlText(w))
	}
	line("\t</array>")
	if len(o.Variables) > 0 {
		line("\t<key>EnvironmentVariables</key>\n\t<dict>")
		for _, v := range o.Variables {
			line("\t\t<key>%s</key>\n\t\t<string>%s</string>", v.Name, xmlText(v.Value))
		}
		line("\t</dict>")
	}
	line("\t<key>RunAtLoad</key>\n\t<true/>")
	if o.Timer {
		line("\t<key>StartInterval</key>\n\t<integer>900</integer>")
	} else {
		line("\t<key>KeepAlive</key>\n\t<dict>\n\t\t<key>SuccessfulExit</key>\n\t\t<false/>\n\t</dict>")
		line("\t<key>ThrottleInterval</key>\n\t<integer>30</integer>")
	}
	line("\t<key>Umask</key>\n\t<integer>63</integer>") // 0077.
	line("\t<key>StandardErrorPath</key>\n\t<string>%s</string>", xmlText(o.Log))
	line("</dict>\n</plist>")
	return []File{{o.Service.name + ".plist", b.String()}}
}

func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // A builder takes everything.
	return b.String()
}
