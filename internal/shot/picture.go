package main

// picture is one screen worth showing: the keys that lead to it from the start,
// one stage a string. After each stage the screen has to come to rest.
type picture struct {
	name  string // of the file
	title string // in the window's frame
	keys  []string
	shows string // text that has to stand there, so that no wrong screen is published
}

// pictures are those of the README.
var pictures = []picture{
	{"conversations", "lcm-tui – conversations", nil, "conversation"},
	{"summaries", "lcm-tui – summaries and what they cover", []string{"s", "right", "down"}, "Summaries"},
	{"context", "lcm-tui – what the model sees", []string{"c"}, "Context"},
	{"messages", "lcm-tui – messages", []string{"enter"}, "Messages"},
	{"review", "lcm-tui – a change, before it is written", []string{"s", "d"}, "Review"},
	{"health", "lcm-tui – what is wrong with a file", []string{"h", "down"}, "Health"},
	{"help", "lcm-tui – help", []string{"?"}, ""},
}
