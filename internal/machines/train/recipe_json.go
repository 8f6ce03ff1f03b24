package train

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"lapsvm/points"
)

// MarshalJSON writes the recipe by the table of settings. Fields that are open, or not of this kind
// of training, are left out. A kernel of the program's own is written by its description and cannot
// be read again.
func (r Recipe) MarshalJSON() ([]byte, error) {
	d := draftOf(r)
	text := []byte{'{'}
	for _, s := range Settings() {
		if !s.written(d) {
			continue
		}
		value, err := json.Marshal(s.at(d))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Key, err)
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = slices.Concat(strconv.AppendQuote(text, s.Key), []byte{':'}, value)
	}
	return append(text, '}'), nil
}

// written reports whether the JSON of a draft has the setting. A supervised machine has no graph.
func (s Setting) written(d *Draft) bool {
	if s.Group == GraphGroup && d.Recipe.Supervised {
		return false
	}
	at := s.at(d)
	if own, is := at.(interface{ empty() bool }); is {
		return !own.empty()
	}
	v := reflect.ValueOf(at).Elem()
	if kind := v.Kind(); kind == reflect.Slice || kind == reflect.Map {
		return v.Len() > 0
	}
	return s.always || !v.IsZero()
}

// UnmarshalJSON reads what MarshalJSON writes, and the configurations in model files of older
// programs. These do not tell the members of a mean, and may have settings of a solver other than
// theirs, which are dropped.
func (r *Recipe) UnmarshalJSON(text []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	d := new(Draft)
	d.Recipe.Standardise, d.Recipe.Describe = points.AsIs, Undescribed // what older files leave out they do not do
	for _, s := range Settings() {
		value, given := values[s.Key]
		if !given || string(value) == "null" {
			continue
		}
		if err := json.Unmarshal(value, s.at(d)); err != nil {
			return fmt.Errorf("%s: %w", s.Key, err)
		}
	}
	if err := checkKeys(values); err != nil {
		return err
	}
	if s := d.Recipe.Solver; s != "" && s != Auto {
		d.Recipe = d.Recipe.By(s)
	}
	return d.finish(r)
}
