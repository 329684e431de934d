package agents

import (
	"slices"

	"lcm-tui/cli"
	"lcm-tui/clients/install"
	"lcm-tui/ui"
)

// makePlugin writes the folder of a plugin if that is wanted.
func (f *installFlags) makePlugin(c *cli.Invocation) (cli.Result, error) {
	if len(c.Args) > 0 {
		return nil, cli.UsageErrorf("install: --plugin makes a folder for all clients; leave %q out", c.Args[0])
	}
	var s install.Setup
	if err := f.servers(c, &s); err != nil {
		return nil, err
	}
	folder, err := absolute(c, f.plugin.Value)
	if err == nil {
		err = c.ClosedDestinations().Check(folder)
	}
	if err != nil {
		return nil, err
	}
	hook := func(client string) install.Server { // The place of the database follows the name of the client.
		return install.Server{Command: s.Hook.Command, Args: slices.Concat([]string{"hook", client}, s.Hook.Args[2:])}
	}
	r := &pluginResult{Folder: folder, Files: install.Plugin(s.Server, hook, c.Sys.VersionText()), Steps: install.PluginSteps(folder)}
	if err := install.CheckPluginFolder(folder); err != nil || !f.apply {
		return r, err
	}
	r.Applied = true
	return r, install.WritePlugin(folder, r.Files)
}

// pluginResult is the result of install --plugin.
type pluginResult struct {
	Folder  string               `json:"folder"`
	Files   []install.PluginFile `json:"files"`
	Steps   []string             `json:"steps"` // What the user types then, for one client each.
	Applied bool                 `json:"applied"`
	cli.WarningList
}

func (r *pluginResult) Print(p *cli.Printer) {
	if !r.Applied {
		for _, f := range r.Files {
			p.Line(ui.Line(f.Path))
		}
		p.Muted("nothing was written; --apply writes these files into " + ui.Line(r.Folder))
		return
	}
	p.Fact("wrote", ui.Line(r.Folder))
	for _, step := range r.Steps {
		p.Block(ui.Line(step))
	}
	p.Muted("take one of these; uninstall first what lcm-tui install wrote for that client, else it runs twice")
}
