package sqlite

import (
	"context"
	"encoding/json"
)

// Watch sends the loop's last sequence number at once if it has events, and then on every change: changes by this store at
// once, changes by other processes within Options.PollInterval. A slow receiver gets the newest number only. Close also
// closes the channel.
func (s *Store) Watch(ctx context.Context, loop string) <-chan int64 {
	return s.base.Watches.Add(ctx, loop)
}

// poll reads the last sequence numbers of loops. Watches ignores its errors; a Load reports them.
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
