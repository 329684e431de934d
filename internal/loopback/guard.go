// Package loopback guards servers that are meant for programs of this machine: who may connect, from where, and with
// which token. It serves nothing itself.
package loopback

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Is reports whether a host names this machine to itself only.
func Is(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
}

// Guard answers requests to an address with a handler, once they are no other web site's, come under a name of this
// machine where the address is one, and have the token, which is looked at in this order. An empty token lets nobody
// pass.
func Guard(h http.Handler, address, token string) http.Handler {
	local := false
	if host, _, err := net.SplitHostPort(address); err == nil {
		local = Is(host)
	}
	origins := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		switch {
		case origins.Check(asPost(r)) != nil:
			http.Error(w, "requests of other web sites are refused", http.StatusForbidden)
		case local && !Is(hostOf(r.Host)):
			http.Error(w, "the server answers to the names 127.0.0.1, [::1] and localhost only", http.StatusForbidden)
		case !hasToken(r, token):
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
		default:
			h.ServeHTTP(w, r)
		}
	})
}

// asPost returns the request as one that changes something: the library's check of origins lets
// others pass.
func asPost(r *http.Request) *http.Request {
	copied := *r
	copied.Method = http.MethodPost
	return &copied
}

// hostOf returns a host header without its port.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// hasToken compares in a time that says nothing about the token.
func hasToken(r *http.Request, token string) bool {
	kind, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return token != "" && strings.EqualFold(kind, "Bearer") && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(token)) == 1
}
