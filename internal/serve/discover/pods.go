package discover

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/serve/scrape"
)

// Pods are the pods of a namespace of the Kubernetes cluster that this process runs in,
// as far as their annotations ask for it; "all" is every namespace.
type Pods string

func (p Pods) String() string { return "pods of " + string(p) }

// account is where a pod finds the credentials of its service account
// (kubernetes.io/docs/tasks/run-application/access-api-from-pod).
const account = "/var/run/secrets/kubernetes.io/serviceaccount"

// Targets implements Source.
func (p Pods) Targets(ctx context.Context) ([]scrape.Target, error) {
	host, port := os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT")
	if host == "" {
		return nil, errors.New("this process is in no pod: KUBERNETES_SERVICE_HOST is not set")
	}
	c, err := newCluster("https://"+net.JoinHostPort(host, cmp.Or(port, "443")), account)
	if err != nil {
		return nil, err
	}
	defer c.client.CloseIdleConnections()
	return c.targets(ctx, string(p))
}

// cluster asks the API of a cluster. The token is read each time, because Kubernetes
// replaces it every hour.
type cluster struct {
	address, token string
	client         *http.Client
}

func newCluster(address, folder string) (*cluster, error) {
	token, err := input.ReadRegular(filepath.Join(folder, "token"), 64<<10)
	if err != nil {
		return nil, fmt.Errorf("the service account: %w", err)
	}
	pem, err := input.ReadRegular(filepath.Join(folder, "ca.crt"), 1<<20)
	if err != nil {
		return nil, fmt.Errorf("the service account: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("the service account: there is no certificate in ca.crt")
	}
	return &cluster{address: address, token: strings.TrimSpace(string(token)), client: &http.Client{
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}, nil
}

// page is how many pods one answer has. The API answers the rest on request.
const page = "500"

func (c *cluster) targets(ctx context.Context, namespace string) ([]scrape.Target, error) {
	path := "/api/v1/pods"
	if namespace != "all" {
		path = "/api/v1/namespaces/" + url.PathEscape(namespace) + "/pods"
	}
	all, next := []scrape.Target{}, ""
	var wrong []error
	for {
		var list podList
		if err := c.get(ctx, path+"?"+url.Values{"limit": {page}, "continue": {next}}.Encode(), &list); err != nil {
			return nil, err
		}
		for i := range list.Items {
			t, ok, err := list.Items[i].target()
			switch {
			case err != nil && len(wrong) < 4:
				wrong = append(wrong, err)
			case ok && len(all) == mostTargets:
				return all, errTooMany
			case ok:
				all = append(all, t)
			}
		}
		if next = list.Metadata.Continue; next == "" {
			return all, errors.Join(wrong...)
		}
	}
}

func (c *cluster) get(ctx context.Context, path string, to any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	resp, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusForbidden:
		return errors.New("the service account may not list pods; give it a role with the verb list, " +
			"as in deploy/kubernetes/serve.yaml")
	default:
		return fmt.Errorf("the API of Kubernetes answers %s", resp.Status)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, mostBytes)).Decode(to); err != nil {
		return fmt.Errorf("the API of Kubernetes: %w", err)
	}
	return nil
}
