package postgres

import "context"

// Channel is the channel of NOTIFY.
func (s *Store) Channel() string { return s.channel }

// MaxConns is how many connections the pool may have.
func (s *Store) MaxConns() int32 { return s.pool.Config().MaxConns }

// Setting asks a connection of the pool for a setting.
func (s *Store) Setting(ctx context.Context, name string) (value string, err error) {
	err = s.pool.QueryRow(ctx, `SELECT current_setting($1)`, name).Scan(&value)
	return value, err
}
