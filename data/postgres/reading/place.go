package reading

import (
	"net/url"
	"strings"
	"sync"

	"lcm-tui/data/postgres"
)

// shownPlaces has the whole addresses of sources by what they are called on screens and in lists. That lacks passwords, and
// settings such as the folder of a socket.
type shownPlaces struct {
	mu        sync.Mutex
	addresses map[string]string
}

// places are the sources that Sources listed in this process.
var places = &shownPlaces{addresses: map[string]string{}}

// note remembers the address of a source.
func (p *shownPlaces) note(place, address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.addresses[place] = address
}

// WholeAddress returns the whole address of a place that Place or Sources named, or the place itself.
func WholeAddress(place string) string { return places.whole(place) }

// whole returns the whole address of what was listed, or the address itself.
func (p *shownPlaces) whole(address string) string {
	if known, ok := p.known(address); ok {
		return known
	}
	return address
}

func (p *shownPlaces) known(place string) (address string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	address, ok = p.addresses[place]
	return address, ok
}

// Place returns what an address is called on screens and in lists, without a password: Open takes that as well from then on.
func Place(address string) (string, error) {
	a, err := postgres.Parse(places.whole(address))
	if err != nil {
		return "", err
	}
	place := placeOf(a, a.Source)
	if _, known := places.known(place); !known && place != address {
		places.note(place, address)
	}
	return place, nil
}

// placeOf names a source of a replica.
func placeOf(a *postgres.Address, source string) string {
	if source == "" {
		return a.String()
	}
	return a.String() + "?" + url.Values{"source": {source}}.Encode()
}

// withSource returns an address with the name of a source.
func withSource(address, source string) string {
	if postgres.HasSettings(address) {
		return address + " source=" + source
	}
	joint := "?"
	if strings.Contains(address, "?") {
		joint = "&"
	}
	return address + joint + url.Values{"source": {source}}.Encode()
}
