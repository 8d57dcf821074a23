//go:build !unix

package fetch

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
