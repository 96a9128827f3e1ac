package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
)

// errNoRequest means that the job does not run for a pull or merge request.
var errNoRequest = errors.New("the job does not belong to a pull or merge request")

// host is the comment API of one pull or merge request.
type host struct {
	request       string // the name in messages: "pull request 7"
	api, comments string // URLs: the root, and the comments of the request
	edit, replace string // URL above the ids of comments, and the method that replaces one
	header, token string // how a request is authorized
	prefix        string // what precedes the token
}

var pullRef = regexp.MustCompile(`^refs/pull/([0-9]+)/`)

// hostOf reads the variables that GitHub Actions or GitLab CI set.
func hostOf(getenv func(string) string) (*host, error) {
	if api := getenv("GITHUB_API_URL"); api != "" {
		// pull_request_target and workflow_run have the ref of a branch: jobs of these
		// events hold a token that code from a fork must not come near.
		m := pullRef.FindStringSubmatch(getenv("GITHUB_REF"))
		if m == nil {
			return nil, errNoRequest
		}
		issues := api + "/repos/" + getenv("GITHUB_REPOSITORY") + "/issues/"
		return &host{
			request: "pull request " + m[1], api: api, comments: issues + m[1] + "/comments",
			edit: issues + "comments", replace: http.MethodPatch,
			header: "Authorization", prefix: "Bearer ", token: getenv("GITHUB_TOKEN"),
		}, nil
	}
	if api := getenv("CI_API_V4_URL"); api != "" {
		id := getenv("CI_MERGE_REQUEST_IID")
		if id == "" {
			return nil, errNoRequest
		}
		notes := api + "/projects/" + url.PathEscape(getenv("CI_MERGE_REQUEST_PROJECT_ID")) + "/merge_requests/" + url.PathEscape(id) + "/notes"
		return &host{
			request: "merge request " + id, api: api, comments: notes,
			edit: notes, replace: http.MethodPut,
			header: "PRIVATE-TOKEN", token: getenv("GITLAB_COMMENT_TOKEN"),
		}, nil
	}
	return nil, errors.New("neither GITHUB_API_URL nor CI_API_V4_URL is set: run it in a job of GitHub Actions or GitLab CI")
}

// client follows no redirect: it would carry GitLab's token to another host.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// maxAnswer bounds an answer in bytes: a hundred comments of the largest size fit.
const maxAnswer = 128 << 20

// do sends one request with the token, and decodes the answer unless into is nil.
func (h *host) do(ctx context.Context, method, address string, send *comment, into any) error {
	var body io.Reader
	if send != nil {
		text, err := json.Marshal(map[string]string{"body": send.Body})
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return err
	}
	req.Header.Set(h.header, h.prefix+h.token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "heapwright")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch code := resp.StatusCode; {
	// Hosts answer 404 where naming the thing would reveal too much.
	case code == http.StatusUnauthorized, code == http.StatusForbidden && resp.Header.Get("X-Ratelimit-Remaining") != "0", code == http.StatusNotFound:
		return fmt.Errorf("%w: %s answers %s", errNotAllowed, req.URL.Redacted(), resp.Status)
	case code < 200 || code > 299:
		return fmt.Errorf("%s %s answers %s", method, req.URL.Redacted(), resp.Status)
	case into == nil:
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(into); err != nil {
		return fmt.Errorf("%s %s: %w", method, req.URL.Redacted(), err)
	}
	return nil
}
