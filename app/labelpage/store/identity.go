package store

import "context"

// ID returns a unique identifier of the store, wherever its file is. A copy has the ID of
// its original. It is made at the first call, and kept in the file.
func (s *Store) ID(ctx context.Context) (id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err = s.db.ExecContext(ctx, "INSERT INTO meta VALUES('id', ?) ON CONFLICT DO NOTHING", newKey()); err == nil {
		err = s.db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'id'").Scan(&id)
	}
	return id, inWords(s.path, err)
}
