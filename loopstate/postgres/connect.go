package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// maxConns is the default of pool_max_conns, the connections of a process; one more listens. An append takes about a
	// millisecond, and ten processes fit into PostgreSQL's default of 100.
	maxConns = 8
	// connectTimeout is the default of connect_timeout, for each address of the server.
	connectTimeout = 5 * time.Second
)

// configure parses the URL. Its errors do not repeat parts of the URL, because a password with an unescaped character can
// be parsed as any other part.
func configure(raw string, options Options) (*pgxpool.Config, error) {
	const form = "write it as postgres://user@host:port/database with special characters percent-encoded, and put the password into " +
		"PGPASSWORD or ~/.pgpass"
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, errors.New("postgres: invalid URL of the store; " + form)
	}
	config, err := pgxpool.ParseConfig(raw)
	if err != nil {
		return nil, errors.New("postgres: invalid part of the store's URL, or invalid PG… variable or file; " + form)
	}
	if !u.Query().Has("pool_max_conns") {
		config.MaxConns = maxConns
	}
	config.ConnConfig.ConnectTimeout = cmp.Or(config.ConnConfig.ConnectTimeout, connectTimeout)
	if params := config.ConnConfig.RuntimeParams; params["application_name"] == "" {
		params["application_name"] = "citeloop"
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		// Not in the start-up message, because connection poolers reject it there.
		_, err := conn.Exec(ctx, fmt.Sprintf(`SELECT set_config('statement_timeout', '%d', false);
			SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`,
			options.Timeout.Milliseconds()))
		return err
	}
	return config, nil
}

// place names the database for messages, without user and password.
func place(config *pgx.ConnConfig) string {
	if strings.HasPrefix(config.Host, "/") {
		return fmt.Sprintf("database %q at %s", config.Database, config.Host)
	}
	return fmt.Sprintf("database %q at %s", config.Database, net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))))
}
