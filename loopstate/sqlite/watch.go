package sqlite

import (
	"context"
	"encoding/json"
)

// Watch sends the loop's last sequence number at once if it has events, then when it grows or is deleted:
// within this store as soon as an Append or a Delete is done, from other processes within
// Options.PollInterval. A receiver that is slow finds the newest number only. The channel is also closed by
// Close.
func (s *Store) Watch(ctx context.Context, loop string) <-chan int64 {
	return s.watches.Add(ctx, loop)
}

// startPolling looks for events of other processes, while anyone watches, until Close.
func (s *Store) startPolling() {
	ctx, stop := context.WithCancel(context.Background())
	s.stopPolls = stop
	s.polls.Go(func() { s.watches.Poll(ctx, s.options.PollInterval, s.poll) })
}

// poll asks where loops are now. Whoever loads sees an error of the store.
func (s *Store) poll(ctx context.Context, loops []string) (map[string]int64, error) {
	list, err := json.Marshal(loops)
	if err != nil {
		return nil, err
	}
	seqs := make(map[string]int64, len(loops))
	err = s.read(ctx, func(scan scanner) (bool, error) {
		var loop string
		var seq int64
		err := scan(&loop, &seq)
		seqs[loop] = seq
		return true, err
	}, `SELECT loop, seq FROM heads WHERE loop IN (SELECT value FROM json_each(?))`, string(list))
	return seqs, err
}
