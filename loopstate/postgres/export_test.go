package postgres

import "context"

// MaxConns returns the maximum number of connections of the pool.
func (s *Store) MaxConns() int32 { return s.pool.Config().MaxConns }

// Setting returns a setting of a connection of the pool.
func (s *Store) Setting(ctx context.Context, name string) (value string, err error) {
	err = s.pool.QueryRow(ctx, `SELECT current_setting($1)`, name).Scan(&value)
	return value, err
}
