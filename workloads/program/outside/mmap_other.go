//go:build !unix

package outside

import "errors"

func mmap(int) ([]byte, error) { return nil, errors.ErrUnsupported }
