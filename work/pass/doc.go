// Package pass does the work that was requested and waits in the sidecar: job after job, each under the lock of its
// conversation, each planned, written and recorded as when a user asks for it. One pass ends when nothing is due. It
// is started by whoever has a reason to, a hook, a timer or a user; nothing has to run for nothing to be lost. It
// knows no clients, and doesn't decide what is requested.
package pass
