// Package postgres stores loops in a PostgreSQL database (15 or newer). Many processes on many machines can share it.
//
// An append is one transaction. It updates the loop's head if the head still has the expected sequence number, and inserts
// the texts and events only if that succeeds. The row lock of the head queues the writers of a loop. Writers of different
// loops do not block each other, except while a Delete removes its rows and locks all heads. An operation that the server
// rolled back, or whose connection broke, is retried within the call; one that was done is recognised.
//
// Tables are created at first use, under an advisory lock, in the first schema of the connection's search_path. Their
// names begin with citeloop_.
//
// Data of a completed call is on disk if the server is configured for it: a session with synchronous_commit off is
// corrected, a server with fsync off cannot be.
package postgres
