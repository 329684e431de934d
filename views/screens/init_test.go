package screens

import "lcm-tui/views/viewtest"

func init() { *viewtest.Screens = *All() }
