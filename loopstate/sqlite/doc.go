// Package sqlite stores loops in one SQLite file. It is the default store and needs no setup.
//
// Many processes of one machine may share the file, but not over a network file system. WAL mode lets reads run beside
// a write, and synchronous=FULL means that a commit that returned is on disk. One connection writes: SQLite has a single
// writer anyway, and a queue in Go is fair, while a pool of connections competing for the lock is not (measured: stalls
// of 15 ms against 531 ms). Every write is one BEGIN IMMEDIATE transaction. A few read-only connections serve reads.
package sqlite
