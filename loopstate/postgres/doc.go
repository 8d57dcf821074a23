// Package postgres keeps loops in a PostgreSQL database (15 or newer): the store that many processes on many
// machines share.
//
// An append is one statement, and so one transaction and one way to the server and back: it updates the
// loop's head where the head still ends at the expected number, and inserts the events only if that
// succeeded. The row lock of the head is the queue of a loop's writers; writers of different loops never
// meet, except while a Delete removes its rows, which locks all heads. An operation that the server rolled
// back for another's sake, or whose connection broke, is done again inside the call: the operation id keeps
// an append from acting twice.
//
// Tables are made at first use, in the schema that the connection's search_path names first, under an
// advisory lock. Their names begin with citeloop_, and so do the channels of NOTIFY.
//
// [Store.Watch] asks the heads at an interval: that is the truth. NOTIFY only makes it ask sooner. It is
// sent after the commit and for all loops that moved within 50 ms at once, because PostgreSQL commits one
// transaction that notifies at a time: inside the append it made appending 8 to 14 times slower (measured
// for the design).
//
// What a call has returned is on disk as far as the server keeps its own promise: a session whose
// synchronous_commit is off is set right, a server with fsync off cannot be.
package postgres
