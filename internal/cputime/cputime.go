// Package cputime measures the work of a test. Unlike a clock, it does not count the work of other processes.
package cputime
