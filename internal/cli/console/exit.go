package console

import "fmt"

// Exit codes; docs/commands.md explains them.
const (
	ExitOK          = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitUndecided   = 3   // not read yet, or a text could not be read
	ExitInterrupted = 130 // as shells report SIGINT
)

// UsageError is an invalid call of a command.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }

func (e UsageError) Unwrap() error { return e.Err }

// Usage marks an error as an invalid call.
func Usage(err error) error { return UsageError{Err: err} }

// Usagef is Usage with a message like that of fmt.Errorf.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// End ends a command with its own code. Without a cause, there is nothing more to print.
type End struct {
	Code  int
	Cause error
}

func (e End) Error() string {
	if e.Cause == nil {
		return fmt.Sprintf("ended with code %d", e.Code)
	}
	return e.Cause.Error()
}

func (e End) Unwrap() error { return e.Cause }
