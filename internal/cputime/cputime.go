// Package cputime measures the work of a test. Unlike wall-clock time, it does not include the work of other processes.
package cputime
