// Package userconfig reads config.toml, in which a user gives keys to actions of the screens and chooses
// colours. A mistake in it is a Problem with its place: what is wrong is left out and the rest counts. It
// never writes the file.
package userconfig
