package storetest

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// change runs a statement like another program.
func change(t *testing.T, of implementation, place, statement string) {
	t.Helper()
	if of.name == "postgres" {
		admin(t, place, statement)
		return
	}
	db, err := sql.Open("sqlite", place)
	if err == nil {
		_, err = db.ExecContext(t.Context(), statement)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// raises makes every append to PostgreSQL fail with an error code, as the server does in that case.
func raises(code string) string {
	return `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no' USING ERRCODE = '` + code + `'; END$$;
		CREATE TRIGGER fail BEFORE INSERT ON citeloop_events EXECUTE FUNCTION fail()`
}

const raisesNothing = `DROP TRIGGER fail ON citeloop_events; DROP FUNCTION fail`

// What goes wrong with data at rest: the error names the store and what to do, and once that is done, everything that was
// acknowledged is there. Kills and several processes are in process_test.go, and a full disk of SQLite in its own package.
func TestFaultsOfTheStore(t *testing.T) {
	for _, tt := range []struct {
		name, store  string // of one implementation; "": of both
		wrong, mends string // statements; "chmod" for a folder without rights
		want         error
	}{
		{"a newer version", "sqlite", `PRAGMA user_version = 99`, `PRAGMA user_version = 2`, storage.ErrTooNew},
		{"a newer version", "postgres", `UPDATE citeloop_schema SET version = 99`, `UPDATE citeloop_schema SET version = 2`,
			storage.ErrTooNew},
		{"a missing event", "", `UPDATE citeloop_events SET seq = 99 WHERE seq = 2`, `UPDATE citeloop_events SET seq = 2 WHERE seq = 99`,
			storage.ErrDamaged},
		{"the last events missing", "", `UPDATE citeloop_events SET seq = seq + 90 WHERE loop = 'L' AND seq > 3`,
			`UPDATE citeloop_events SET seq = seq - 90 WHERE seq > 90`, storage.ErrDamaged},
		{"an event without its time", "", `UPDATE citeloop_events SET at = 'x' || at`, `UPDATE citeloop_events SET at = substr(at, 2)`,
			storage.ErrDamaged},
		{"a missing table", "sqlite", `ALTER TABLE citeloop_events RENAME TO gone`, `ALTER TABLE gone RENAME TO citeloop_events`,
			storage.ErrUnsupported},
		{"a missing table", "postgres", `ALTER TABLE citeloop_events RENAME TO gone`, `ALTER TABLE gone RENAME TO citeloop_events`,
			storage.ErrDamaged},
		{"a folder without rights", "sqlite", "chmod", "", storage.ErrReadOnly},
		{"a standby", "postgres", raises("25006"), raisesNothing, storage.ErrReadOnly},
		{"no rights", "postgres", raises("42501"), raisesNothing, storage.ErrReadOnly},
		{"a full disk", "postgres", raises("53100"), raisesNothing, storage.ErrFull},
	} {
		for _, of := range implementations {
			if tt.store != "" && tt.store != of.name {
				continue
			}
			t.Run(of.name+" "+tt.name, func(t *testing.T) {
				t.Parallel()
				if tt.wrong == "chmod" && os.Geteuid() <= 0 {
					t.Skip("no modes for root, or none at all")
				}
				place := of.place(t)
				use := func(at int64) error {
					store, err := of.open(t.Context(), place)
					if err != nil {
						return err
					}
					head, events := Naming("M", at, "one more")
					_, failed := CheckLog(t.Context(), store, "L")
					return errors.Join(failed, store.Append(t.Context(), head, at, events, []byte("one more")), store.Close())
				}
				store, err := of.open(t.Context(), place)
				if err == nil {
					err = errors.Join(AppendMany(t.Context(), store, "L", "w", 5, nil), store.Close(), use(0))
				}
				if err != nil {
					t.Fatal(err)
				}
				if tt.wrong == "chmod" {
					chmod(t, place, 0o400, 0o500)
				} else {
					change(t, of, place, tt.wrong)
				}
				fault := new(loopstate.StoreError)
				err = use(1)
				if !errors.Is(err, tt.want) || !errors.As(err, &fault) || fault.Place == "" || fault.Remedy == "" {
					t.Errorf("%v, want %v with a place and a remedy", err, tt.want)
				}
				if tt.wrong == "chmod" {
					chmod(t, place, 0o600, 0o700)
				} else {
					change(t, of, place, tt.mends)
				}
				store, err = of.open(t.Context(), place)
				if err != nil {
					t.Fatal(err)
				}
				defer store.Close()
				if events, err := CheckLog(t.Context(), store, "L"); err != nil || len(events) != 5 {
					t.Errorf("afterwards: %d events, %v", len(events), err)
				}
			})
		}
	}
}

func chmod(t *testing.T, path string, file, folder os.FileMode) {
	t.Helper()
	if err := errors.Join(os.Chmod(path, file), os.Chmod(filepath.Dir(path), folder)); err != nil {
		t.Fatal(err)
	}
}
