package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// sum is a checksum: half of a SHA-256.
type sum [16]byte

// digest collects the bytes of a checksum. Texts have their lengths before them, so that none runs
// into the next.
type digest []byte

func (d *digest) text(all ...string) {
	for _, text := range all {
		*d = append(binary.AppendUvarint(*d, uint64(len(text))), text...)
	}
}

func (d *digest) number(all ...int64) {
	for _, v := range all {
		*d = binary.LittleEndian.AppendUint64(*d, uint64(v))
	}
}

func (d digest) sum() sum {
	whole := sha256.Sum256(d)
	return sum(whole[:len(sum{})])
}

// sumAfter returns the checksum of an event that follows another. It covers all fields of the event
// in the file and the checksum before, so that no event can be changed, left out or moved
// unnoticed. The buffer room is overwritten.
func (e *Event) sumAfter(before sum, room *digest) sum {
	blind := int64(0)
	if e.Blind {
		blind = 1
	}
	d := append((*room)[:0], before[:]...)
	d.text(e.Person, string(e.Kind), e.Name, e.Comment, e.Key, e.Source)
	d.number(e.Seq, e.Time.UnixMilli(), int64(e.id), int64(e.Class), int64(e.Into), int64(math.Float64bits(math.Abs(e.Seconds))), blind, int64(e.Predicted), int64(e.Learnt), e.Batch, e.Ref)
	*room = d
	return d.sum()
}

// sumOf returns the checksum of a row of the store. room is overwritten.
func (p *places) sumOf(id int, room *digest) sum {
	d := (*room)[:0]
	d.text(p.hashes[id-1], p.names[id-1])
	d.number(int64(id), int64(p.rows[id-1]))
	*room = d
	return d.sum()
}

// seal adds checksums to the rows and events of an older version, after checking that they are
// complete.
func (s *Store) seal(ctx context.Context, tx *sql.Tx) error {
	if err := s.read(ctx, tx, false); err != nil {
		return err
	}
	var room digest
	for id := range s.places.rows {
		sum := s.places.sumOf(id+1, &room)
		if _, err := tx.ExecContext(ctx, "UPDATE rows SET sum = ? WHERE id = ?", sum[:], id+1); err != nil {
			return err
		}
	}
	var head sum
	for k := range s.events {
		head = s.events[k].sumAfter(head, &room)
		if _, err := tx.ExecContext(ctx, "UPDATE events SET sum = ? WHERE seq = ?", head[:], s.events[k].Seq); err != nil {
			return err
		}
	}
	return setMeta(ctx, tx, "head", hex.EncodeToString(head[:]))
}

// setMeta writes a property of the whole store.
func setMeta(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO meta VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", key, value)
	return err
}
