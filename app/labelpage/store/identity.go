package store

import "context"

// ID returns what names this store and no other, wherever its file is; a copy has the ID of
// the store that was copied. It is made at the first call, and kept in the file.
func (s *Store) ID(ctx context.Context) (id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err = s.db.ExecContext(ctx, "INSERT INTO meta VALUES('id', ?) ON CONFLICT DO NOTHING", newKey()); err == nil {
		err = s.db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'id'").Scan(&id)
	}
	return id, inWords(s.path, err)
}
