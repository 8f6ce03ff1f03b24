package embed

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// Numbers of fields in the messages of ONNX. Source: onnx.proto of ONNX 1.17.
const (
	modelGraph, modelFunctions               = 7, 25
	graphNode, graphInitializer, graphSparse = 1, 5, 15
	functionNode                             = 7
	nodeAttribute                            = 5
	attributeTensor, attributeGraph          = 5, 6
	attributeTensors, attributeGraphs        = 10, 11
	attributeSparse, attributeSparses        = 22, 23
	sparseValues, sparseIndices              = 1, 2
	tensorExternal, entryKey, entryValue     = 13, 1, 2
	deepest                                  = 400 // messages in messages
)

// inside says which fields of a message hold messages that lead to the files of weights. The entry of such a file has none.
type inside map[protowire.Number]inside

// inNetwork returns the roads from a model to the entries of its files.
func inNetwork() inside {
	tensor := inside{tensorExternal: inside{}}
	sparse := inside{sparseValues: tensor, sparseIndices: tensor}
	graph := inside{graphInitializer: tensor, graphSparse: sparse}
	graph[graphNode] = inside{nodeAttribute: {attributeTensor: tensor, attributeTensors: tensor, attributeGraph: graph, attributeGraphs: graph, attributeSparse: sparse, attributeSparses: sparse}}
	return inside{modelGraph: graph, modelFunctions: {functionNode: graph[graphNode]}}
}

// externalFiles returns the names of the files beside a network that hold weights of it, sorted.
func externalFiles(network []byte) ([]string, error) {
	all, err := locations(nil, network, inNetwork(), 0)
	if err != nil {
		return nil, err
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, name := range all {
		if !filepath.IsLocal(name) || strings.ContainsRune(name, 0) {
			return nil, fmt.Errorf("its weights are in %q, which is no file beside it", name)
		}
	}
	return all, nil
}

// locations adds the files that a message names, which is so deep within others.
func locations(all []string, data []byte, in inside, depth int) ([]string, error) {
	if depth > deepest {
		return nil, errors.New("it has graphs within graphs without end")
	}
	if len(in) == 0 {
		key, value, err := entryOf(data)
		if key == "location" {
			all = append(all, value)
		}
		return all, err
	}
	err := fields(data, func(number protowire.Number, value []byte) (err error) {
		if inner, has := in[number]; has {
			all, err = locations(all, value, inner, depth+1)
		}
		return err
	})
	return all, err
}

// entryOf reads a pair of texts.
func entryOf(data []byte) (key, value string, err error) {
	err = fields(data, func(number protowire.Number, text []byte) error {
		switch number {
		case entryKey:
			key = string(text)
		case entryValue:
			value = string(text)
		}
		return nil
	})
	return key, value, err
}

// fields calls f for each field of a message that has bytes.
func fields(data []byte, f func(number protowire.Number, value []byte) error) error {
	for len(data) > 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return errNoNetwork
		}
		data = data[n:]
		if kind != protowire.BytesType {
			if n = protowire.ConsumeFieldValue(number, kind, data); n < 0 {
				return errNoNetwork
			}
			data = data[n:]
			continue
		}
		value, n := protowire.ConsumeBytes(data)
		if n < 0 {
			return errNoNetwork
		}
		if err := f(number, value); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

var errNoNetwork = errors.New("it is no network of ONNX, or it is cut off")

// writeExternal writes the names and the hashes of the files of a network's weights.
func writeExternal(w io.Writer, folder string, names []string) error {
	for _, name := range names {
		own, err := fileHash(filepath.Join(folder, name))
		if err != nil {
			return fmt.Errorf("its weights in %s cannot be read: %w", name, err)
		}
		fmt.Fprintf(w, "%q %x\n", name, own)
	}
	return nil
}
