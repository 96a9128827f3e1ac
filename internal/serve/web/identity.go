package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
)

// Identity is who may read or push: the holder of a bearer token, or of a client
// certificate.
type Identity struct {
	Tenant string // the owner of the profiles; "" is who runs the server
	Token  string // "" with Cert
	Cert   string // a name in the certificate: its common name, a DNS name or a URI
}

// Access gives the rights of each identity. Without identities everybody may read and
// write, and that is for a listener that only this machine or holders of a certificate
// reach.
type Access struct {
	AnyHost     bool // without identities, answer to any name of this machine
	Read, Write []Identity
}

// Bearer returns the identities of tokens without a tenant.
func Bearer(tokens ...string) (all []Identity) {
	for _, t := range tokens {
		all = append(all, Identity{Token: t})
	}
	return all
}

// Open reports whether nobody is asked for an identity.
func (a Access) Open() bool { return len(a.Read)+len(a.Write) == 0 }

// Tenants returns the names of all tenants, sorted, without "".
func (a Access) Tenants() []string {
	names := map[string]bool{}
	for _, i := range slices.Concat(a.Read, a.Write) {
		names[i.Tenant] = true
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}

// certificates reports whether identities are names in certificates.
func (a Access) certificates() bool {
	return slices.ContainsFunc(slices.Concat(a.Read, a.Write), func(i Identity) bool { return i.Cert != "" })
}

// Check reports an identity that is of two tenants.
func (a Access) Check() error {
	of := map[Identity]string{}
	for _, i := range slices.Concat(a.Read, a.Write) {
		who := Identity{Token: i.Token, Cert: i.Cert}
		if tenant, ok := of[who]; ok && tenant != i.Tenant {
			return fmt.Errorf("one token or certificate is of the tenants %q and %q; give each its own", tenant, i.Tenant)
		}
		of[who] = i.Tenant
	}
	return nil
}

// known returns the first of some identities that a request has. A token that it gives
// decides alone.
func known(all []Identity, r *http.Request) (found Identity, ok bool) {
	given, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer {
		_, given, bearer = r.BasicAuth()
	}
	if bearer {
		return withToken(all, given)
	}
	names := certified(r)
	at := slices.IndexFunc(all, func(i Identity) bool { return i.Cert != "" && slices.Contains(names, i.Cert) })
	if at < 0 {
		return found, false
	}
	return all[at], true
}

// withToken compares in constant time.
func withToken(all []Identity, given string) (found Identity, ok bool) {
	sum := sha256.Sum256([]byte(given))
	for _, i := range all {
		want := sha256.Sum256([]byte(i.Token))
		if subtle.ConstantTimeCompare(sum[:], want[:]) == 1 && i.Token != "" {
			found, ok = i, true
		}
	}
	return found, ok
}

// certified returns the names in the certificate of a client, which was checked.
func certified(r *http.Request) (names []string) {
	if r.TLS == nil || len(r.TLS.VerifiedChains) == 0 {
		return nil
	}
	leaf := r.TLS.VerifiedChains[0][0]
	names = append(names, leaf.DNSNames...)
	for _, u := range leaf.URIs {
		names = append(names, u.String())
	}
	if name := leaf.Subject.CommonName; name != "" {
		names = append(names, name)
	}
	return names
}

// byCert is in front of the name of a certificate, in a file of identities.
const byCert = "cert:"

// tenantName is the form of a tenant's name, which is a folder's, too.
var tenantName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)

// Identities reads a file of identities, one a line: a bearer token or cert:NAME, and before
// it the tenant and a space, if it has one.
func Identities(ctx context.Context, file string) (all []Identity, err error) {
	text, err := input.ReadFile(ctx, file, 1<<20)
	if err != nil {
		return nil, err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		var i Identity
		if len(words) > 1 {
			i.Tenant = words[0]
		}
		if len(words) > 2 || len(words) == 2 && !tenantName.MatchString(i.Tenant) {
			return nil, fmt.Errorf("%s:%d: write TOKEN or cert:NAME, or TENANT before it in lower-case letters and digits", file, n)
		}
		who := words[len(words)-1]
		if name, ok := strings.CutPrefix(who, byCert); ok {
			i.Cert = name
		} else {
			i.Token = who
		}
		if i.Cert+i.Token == "" {
			return nil, fmt.Errorf("%s:%d: cert: has no name; write cert:NAME", file, n)
		}
		all = append(all, i)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is no token in it", file)
	}
	return all, nil
}
