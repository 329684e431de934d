package postgres

import (
	"errors"
	"maps"
	"net"
	"net/url"
	"os"
	"os/user"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/lazyregexp"
)

// AddressVariable names the environment variable with the address of a replica.
const AddressVariable = "LCM_DATABASE_URL"

// Address is where a database of a server is, and as whom it is opened.
type Address struct {
	config *pgx.ConnConfig
	// Source is the name of the source in the replica (?source=NAME), or empty.
	Source string

	refuses atomic.Bool // The server, or a pooler before it, refuses the setting of dial.
}

// addressURL finds the beginning of an address that is a URL, and addressSettings that of one that is written as name=value, by the names of
// libpq that one may begin with.
var (
	addressURL      = lazyregexp.New(`(?i)^postgres(ql)?://`)
	addressSettings = lazyregexp.New(`^(service|host|hostaddr|port|dbname|user|password|passfile|sslmode|sslpassword)\s*=`)
)

// IsAddress reports whether a text names a database of a server and not a file.
func IsAddress(text string) bool { return addressURL.MatchString(text) || HasSettings(text) }

// HasSettings reports whether an address is written as settings, such as service=NAME, and not as a URL.
func HasSettings(address string) bool { return addressSettings.MatchString(address) }

// passwordSetting finds a password among settings that are written as name=value: that of the user, or of the key of a certificate.
var passwordSetting = lazyregexp.New(`(?i)(^|\s)(ssl)?password\s*=`)

// CheckArgument refuses an address with a password, for a place that others can read, such as the arguments of a
// program and a file with settings.
func CheckArgument(address string) error {
	has := passwordSetting.MatchString(address)
	if u, err := url.Parse(address); err == nil && u.User != nil {
		_, set := u.User.Password()
		has = has || set
	}
	if u, err := url.Parse(address); err == nil && (u.Query().Has("password") || u.Query().Has("sslpassword")) {
		has = true
	}
	if has {
		return hint.New("the address has a password, which others on this machine could read",
			"leave it out, and put it into ~/.pgpass or a service file; "+AddressVariable+" may have one")
	}
	return nil
}

// Parse reads an address: a URL, or settings such as service=NAME. What it doesn't say comes from PG* variables, the
// service file and ~/.pgpass. A server elsewhere has to prove who it is (sslmode=verify-full) unless the address or
// PGSSLMODE says disable, require or verify-ca.
func Parse(address string) (*Address, error) {
	address, source, err := cutSource(address)
	if err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, addressError(err)
	}
	if fallsBack(config) {
		if config, err = pgx.ParseConfig(withVerify(address)); err != nil {
			return nil, addressError(err)
		}
	}
	// A pooler may give each statement another session of the server, so nothing is prepared.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.StatementCacheCapacity, config.DescriptionCacheCapacity = 0, 0
	maps.Copy(config.RuntimeParams, textSettings)
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "lcm-tui"
	}
	return &Address{config: config, Source: source}, nil
}

// textSettings are how texts, times and literals are written between the server and this program, whatever the settings of the database or
// the user say. Every pooler knows them.
var textSettings = map[string]string{"client_encoding": serverEncoding, "datestyle": "ISO", "standard_conforming_strings": "on"}

// cutSource takes the parameter source out of a URL.
func cutSource(address string) (rest, source string, err error) {
	if !IsAddress(address) {
		return "", "", &Error{Place: "the server", Verb: "open", Kind: ErrAddress}
	}
	before, query, ok := strings.Cut(address, "?")
	if HasSettings(address) {
		words := strings.Fields(address)
		words = slices.DeleteFunc(words, func(w string) bool {
			name, is := strings.CutPrefix(w, "source=")
			if is {
				source = name
			}
			return is
		})
		return strings.Join(words, " "), source, nil
	}
	scheme := addressURL.FindString(address)
	before = strings.ToLower(scheme) + before[len(scheme):]
	if !ok {
		return before, "", nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", "", &Error{Place: "the server", Verb: "open", Kind: ErrAddress}
	}
	source = values.Get("source")
	values.Del("source")
	if len(values) == 0 {
		return before, source, nil
	}
	return before + "?" + values.Encode(), source, nil
}

// addressError says that an address can't be read, without the address: it may have a password.
func addressError(err error) error {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) && strings.Contains(err.Error(), "service") {
		return hint.New("the service isn't in the service file", "look into ~/.pg_service.conf, or the file that PGSERVICEFILE names")
	}
	return &Error{Place: "the server", Verb: "open", Kind: ErrAddress}
}

// fallsBack reports whether a connection to another machine might go without encryption where the server refuses it,
// which is what libpq's modes prefer and allow do. The first of them is the default.
func fallsBack(config *pgx.ConnConfig) bool {
	plain, encrypted := config.TLSConfig == nil, config.TLSConfig != nil
	remote := !isLocal(config.Host)
	for _, f := range config.Fallbacks {
		plain, encrypted = plain || f.TLSConfig == nil, encrypted || f.TLSConfig != nil
		remote = remote || !isLocal(f.Host)
	}
	return remote && plain && encrypted
}

// isLocal reports whether a host is a folder of sockets or an address of this machine.
func isLocal(host string) bool {
	if strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// withVerify adds sslmode=verify-full to an address.
func withVerify(address string) string {
	if HasSettings(address) {
		return address + " sslmode=verify-full"
	}
	before, query, _ := strings.Cut(address, "?")
	values, _ := url.ParseQuery(query) // It was parsed before.
	values.Set("sslmode", "verify-full")
	return before + "?" + values.Encode()
}

// String names the database without its password.
func (a *Address) String() string {
	host := a.config.Host
	if strings.HasPrefix(host, "/") {
		host = ""
	}
	u := url.URL{Scheme: "postgres", User: url.User(a.config.User), Host: host, Path: "/" + a.config.Database}
	if a.config.Port != 5432 && host != "" {
		u.Host = net.JoinHostPort(host, portText(a.config.Port))
	}
	return u.String()
}

// Key returns a text that is the same for addresses of one database, whatever their source. It has the password: it is never shown.
func (a *Address) Key() string { return a.config.ConnString() }

// Security is how a connection is protected.
type Security struct {
	Encrypted bool
	Verified  bool // The server has to prove its name.
}

// Security returns how the first connection that is tried is protected.
func (a *Address) Security() Security {
	t := a.config.TLSConfig
	return Security{Encrypted: t != nil, Verified: t != nil && !t.InsecureSkipVerify}
}

// HostName returns the name of this machine.
func HostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "localhost"
	}
	return name
}

// Principal returns who runs this program: the user and the machine.
func Principal() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username + "@" + HostName()
	}
	return HostName()
}
