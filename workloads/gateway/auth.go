package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// signer signs and checks tokens: USER.HMAC-SHA256(USER) in hexadecimal.
type signer string

func (s signer) sign(user string) string {
	mac := hmac.New(sha256.New, []byte(s))
	mac.Write([]byte(user))
	return hex.EncodeToString(mac.Sum(nil))
}

func (s signer) token(user string) string { return user + "." + s.sign(user) }

// user returns who sent the request, if its bearer token is genuine.
func (s signer) user(r *http.Request) (string, bool) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	dot := strings.LastIndexByte(token, '.')
	if !ok || dot <= 0 {
		return "", false
	}
	user := token[:dot]
	return user, hmac.Equal([]byte(token[dot+1:]), []byte(s.sign(user)))
}
