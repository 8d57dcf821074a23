package postgres

import (
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
	// maxConns is how many connections a process has for its calls, unless pool_max_conns says otherwise;
	// one more listens. Chosen: an append takes about a millisecond, and ten processes fit into the 100
	// that PostgreSQL allows by default.
	maxConns = 8
	// connectTimeout is for each address of the server, unless connect_timeout says otherwise. Chosen.
	connectTimeout = 5 * time.Second
)

// configure reads the URL. Its errors say nothing of what stands in it: a password with a character that
// should have been escaped can be taken for any other part.
func configure(raw string, options Options) (*pgxpool.Config, error) {
	const form = "write it as postgres://user@host:port/database, with special characters escaped by %, and the password in PGPASSWORD or ~/.pgpass"
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, errors.New("postgres: the address of the store is no URL of a PostgreSQL database; " + form)
	}
	config, err := pgxpool.ParseConfig(raw)
	if err != nil {
		return nil, errors.New("postgres: a part of the store's URL, or a PG… variable or file beside it, cannot be used; " + form)
	}
	if !u.Query().Has("pool_max_conns") {
		config.MaxConns = maxConns
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if params := config.ConnConfig.RuntimeParams; params["application_name"] == "" {
		params["application_name"] = "citeloop"
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		// Not by the start-up message, which poolers between us and the server refuse.
		_, err := conn.Exec(ctx, fmt.Sprintf(`SELECT set_config('statement_timeout', '%d', false);
			SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`,
			options.Timeout.Milliseconds()))
		return err
	}
	return config, nil
}

// place names the database in messages, without user and password.
func place(config *pgx.ConnConfig) string {
	if strings.HasPrefix(config.Host, "/") {
		return fmt.Sprintf("database %q at %s", config.Database, config.Host)
	}
	return fmt.Sprintf("database %q at %s", config.Database, net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))))
}
