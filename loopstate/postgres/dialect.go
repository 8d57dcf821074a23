package postgres

import "github.com/citeloop/citeloop/loopstate/storage"

// serverNow is the server's clock in Unix microseconds. clock_timestamp is read when the expression is evaluated, so that
// a call that waited for a lock counts from when it got it.
const serverNow = `(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`

// dialect is PostgreSQL's. The sum ends a page in the server, so that no unused rows are sent; PostgreSQL knows the length of
// data without reading it. The lock on a head, which does not block appends, makes PutSnapshot and Delete wait for each other.
var dialect = storage.Dialect{
	Name: "postgres",
	Page: `SELECT head.seq, coalesce(e.seq, 0), coalesce(e.at, ''), coalesce(e.kind, ''), coalesce(e.version, 0),
			coalesce(e.op, ''), coalesce(e.data, '')
		FROM citeloop_heads AS head LEFT JOIN LATERAL (
			SELECT *, sum(octet_length(data)) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) - octet_length(data) AS before
			FROM (SELECT * FROM citeloop_events
				WHERE loop = $1 AND seq > $2 AND seq <= least(head.seq, $3) ORDER BY seq LIMIT $4) AS few
		) AS e ON e.before < $5
		WHERE head.loop = $1
			AND ($6 = '' OR EXISTS (SELECT FROM citeloop_events WHERE loop = $1 AND seq = $2 AND op = $6 AND at = $7))
		ORDER BY e.seq`,
	Listed: `SELECT json_array_elements_text($1::json)`,
	Lock:   `FOR KEY SHARE`,
	Now:    serverNow,
	Probe:  `SELECT pg_logical_emit_message(true, 'citeloop', repeat('0', 16384))`,
}
