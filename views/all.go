package views

// All returns what makes every screen of the program.
func All() *Screens {
	s := &Screens{}
	for _, register := range []func(*Screens){
		homeRegister, conversationRegister, searchRegister, reviewRegister, healthRegister, transcriptsRegister, cleanRegister, compareRegister,
	} {
		register(s)
	}
	return s
}
