package files

import (
	"errors"
	"maps"
	"slices"

	"lapsvm/dataset"
)

// embedImages makes a data set of the vectors of images. Those that cannot be read are left out, or the error is that of the first of them, see
// [Options].Strict.
func embedImages(place string, all []imageFile, o Options) (set *dataset.Dataset, unread []unreadImage, err error) {
	origin := dataset.Origin{File: place, Memory: o.memory(), Own: o.Ranks.Part().Range(len(all)), Check: o.Check}
	if set, err = nameImages(all, &origin, o); err != nil {
		return nil, nil, err
	}
	if o.Embedder != nil && o.Encoding != nil && !o.Encoding.Learnt() {
		return nil, nil, &dataset.Error{File: place, Msg: dataset.Messagef("the model was trained on the dots of images, not on vectors made of them: leave out %s", dataset.Option{Name: "Embedder"})}
	}
	from, to := origin.Own.Between(len(all))
	paths := make([]string, to-from)
	for i := range paths {
		paths[i] = all[from+i].path
	}
	set, err = set.EmbedPictures(o.Embedder, paths, o.Encoding)
	var unmade dataset.Unmade
	if o.Strict || len(all) == 1 || !errors.As(err, &unmade) {
		return set, nil, err
	}
	for _, i := range slices.Sorted(maps.Keys(unmade)) {
		if fatal(unmade[i]) {
			return nil, nil, unmade[i]
		}
		unread = append(unread, unreadImage{from + i, unmade[i].Error()})
	}
	return nil, unread, nil
}

// remembered is an embedder that makes no vector of a picture twice.
type remembered struct {
	dataset.Embedder
	made map[string][]float32 // by path
}

// Embed implements [dataset.Embedder].
func (r *remembered) Embed(inputs []string, pictures bool) ([][]float32, error) {
	var lacking []string
	var at []int
	all := make([][]float32, len(inputs))
	for i, path := range inputs {
		if all[i] = r.made[path]; all[i] == nil {
			lacking, at = append(lacking, path), append(at, i)
		}
	}
	if len(lacking) == 0 {
		return all, nil
	}
	vectors, err := r.Embedder.Embed(lacking, pictures)
	var unmade dataset.Unmade
	if err != nil && !errors.As(err, &unmade) {
		return nil, err
	}
	for k, v := range vectors {
		all[at[k]] = v
		if v != nil {
			r.made[lacking[k]] = v
		}
	}
	if err == nil {
		return all, nil
	}
	moved := make(dataset.Unmade, len(unmade))
	for k, err := range unmade {
		moved[at[k]] = err
	}
	return all, moved
}
