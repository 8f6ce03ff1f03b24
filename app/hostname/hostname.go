// Package hostname tells by which names a server of this machine may be asked.
package hostname

import (
	"net"
	"net/netip"
	"slices"
	"strings"
)

// Ours reports whether the Host of a request is an address, localhost, or one of the
// server's names, with or without a port. Any other name may be given to this address
// by somebody else, whose page could then make a browser ask here as its own server (DNS
// rebinding).
func Ours(host string, names ...string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	name = strings.Trim(name, "[]")
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return strings.EqualFold(name, "localhost") || slices.ContainsFunc(names, func(o string) bool { return o != "" && strings.EqualFold(name, o) })
}
