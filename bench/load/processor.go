package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit of processor time in /proc: USER_HZ, which is 100 on all platforms of Linux that Go supports.
const tick = 10 * time.Millisecond

// processorTime returns the processor time of a process and its children, also of those that ended.
func processorTime(pid int) time.Duration {
	total, _ := statOf(pid)
	others, _ := filepath.Glob("/proc/[0-9]*")
	for _, path := range others {
		if child, err := strconv.Atoi(filepath.Base(path)); err == nil {
			if used, parent := statOf(child); parent == pid {
				total += used
			}
		}
	}
	return total
}

// statOf returns the processor time of a process and its ended children, and its parent.
func statOf(pid int) (used time.Duration, parent int) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the name may contain spaces
	fields := strings.Fields(rest)                // from the third field of proc(5) on
	if len(fields) < 15 {
		return 0, 0
	}
	parent, _ = strconv.Atoi(fields[1])
	for _, field := range fields[11:15] {
		n, _ := strconv.Atoi(field)
		used += time.Duration(n) * tick
	}
	return used, parent
}

// ownProcessorTime returns the processor time of this process: the clients and the proxy.
func ownProcessorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// spent is processor time of the parts of a run.
type spent struct{ clients, replicas, database time.Duration }

func (p *pool) spent(database int) spent {
	s := spent{clients: ownProcessorTime()}
	for _, r := range p.replicas {
		s.replicas += r.processorTime()
	}
	if database > 0 {
		s.database = processorTime(database)
	}
	return s
}

// print prints the processor time of each call, and how long n clients wait for a call on average if the parts share two
// cores: each has one call in progress at any time.
func (s spent) print(since spent, calls, clients int) {
	each := func(a, b time.Duration) float64 {
		return float64((a - b).Microseconds()) / 1000 / float64(max(calls, 1))
	}
	replicas, database, own := each(s.replicas, since.replicas), each(s.database, since.database), each(s.clients, since.clients)
	sum := replicas + database + own
	fmt.Printf("processor time of a call: replicas %.2f ms, database %.2f ms, clients and proxy %.2f ms; so two cores answer at most %.0f calls/s, and %d clients wait %.0f ms on average\n",
		replicas, database, own, 2000/sum, clients, float64(clients)*sum/2)
}
