// Package prompts is the texts with which a model is asked for a summary:
// templates built into the program, and those of the user's that stand in their
// place.
//
// It must not call models or know the database.
package prompts
