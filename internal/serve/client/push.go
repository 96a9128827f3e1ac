package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/heapwright/heapwright/internal/serve/forward"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Push implements forward.Remote.
func (s *Store) Push(ctx context.Context, message []byte) error {
	address := s.address + "/push.v1.PusherService/Push"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(message))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/proto")
	req.Header.Set("Connect-Protocol-Version", "1")
	resp, err := s.peer.do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	head, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if resp.StatusCode == http.StatusOK {
		return err
	}
	var said struct{ Message string }
	if json.Unmarshal(head, &said) != nil || said.Message == "" {
		said.Message = string(head[:min(len(head), 300)])
	}
	err = fmt.Errorf("%s: %s: %s", s.address, resp.Status, termtext.Harmless(strings.TrimSpace(said.Message)))
	switch resp.StatusCode {
	case http.StatusUnprocessableEntity:
		return fmt.Errorf("%w: %w", forward.ErrTime, err)
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		// This RPC has no status of its own for the time.
		if strings.Contains(said.Message, "ingestion window") {
			return fmt.Errorf("%w: %w", forward.ErrTime, err)
		}
		return fmt.Errorf("%w: %w", forward.ErrRefused, err)
	}
	return err
}
