// Package postgres stores loops in a PostgreSQL database (15 or newer). Many processes on many machines can share it.
//
// An append is one statement, so one transaction and one round trip. It updates the loop's head if the head still has
// the expected sequence number, and inserts the texts and events only if that succeeds. The row lock of the head queues the writers
// of a loop. Writers of different loops do not block each other, except while a Delete removes its rows and locks all
// heads. An operation that the server rolled back, or whose connection broke, is retried within the call; the operation
// id prevents a second append.
//
// Tables are created at first use, under an advisory lock, in the first schema of the connection's search_path. Their
// names begin with citeloop_, and so do the channels of NOTIFY.
//
// [Store.Watch] polls the heads; NOTIFY only triggers a poll earlier. It is sent after the commit, once for all loops that
// changed within 50 ms, because PostgreSQL commits one notifying transaction at a time: NOTIFY inside the append made
// appends 8 to 14 times slower (measured).
//
// Data of a completed call is on disk if the server is configured for it: a session with synchronous_commit off is
// corrected, a server with fsync off cannot be.
package postgres
