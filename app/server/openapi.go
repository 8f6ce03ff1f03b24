package server

import (
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// document gives the OpenAPI document: GET /openapi.json.
func (s *Server) document(w http.ResponseWriter, r *http.Request) error {
	writeJSON(w, http.StatusOK, document(s.Version))
	return nil
}

// object is a JSON object that is put together here.
type object = map[string]any

// document describes the table of routes in OpenAPI 3.1.
func document(version string) object {
	schemas := object{}
	paths := object{}
	all := routes()
	for k := range all {
		r := &all[k]
		item, ok := paths[r.path].(object)
		if !ok {
			item = object{}
			paths[r.path] = item
		}
		item[strings.ToLower(r.method)] = r.operation(schemas)
	}
	return object{
		"openapi": "3.1.0",
		"info":    object{"title": "lapsvm serve", "version": version, "description": "Models behind the Open Inference Protocol, version 2, and rows as people have them."},
		"servers": []object{{"url": "/"}},
		"paths":   paths,
		"components": object{
			"schemas":         schemas,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "Where the server was given a token."}},
		},
	}
}

var inPath = regexp.MustCompile(`\{(\w+)\}`)

// operation describes a route; schemas gets the types that it names.
func (r *route) operation(schemas object) object {
	o := object{"operationId": r.id, "summary": r.summary, "security": []object{}}
	if !r.open { // by a token, or by none where the server has none
		o["security"] = []object{{"token": []string{}}, {}}
	}
	parameters := []object{}
	for _, name := range inPath.FindAllStringSubmatch(r.path, -1) {
		parameters = append(parameters, object{"name": name[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	add := func(place string, all []parameter) {
		for _, p := range all {
			parameters = append(parameters, object{"name": p.name, "in": place, "description": p.says, "schema": object{"type": p.kind}})
		}
	}
	add("query", r.query)
	add("header", r.headers)
	if len(parameters) > 0 {
		o["parameters"] = parameters
	}
	if r.takes != nil {
		o["requestBody"] = object{"required": true, "content": contents(r.takes, schemas)}
	}
	responses := object{"200": object{"description": "The answer.", "content": contents(r.gives, schemas)}}
	for _, status := range r.statuses() {
		response := object{"description": http.StatusText(status) + ".", "content": contents(inJSON(errorBody{}), schemas)}
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			response["headers"] = object{"Retry-After": object{"description": "Seconds to wait.", "schema": object{"type": "integer"}}}
		}
		responses[strconv.Itoa(status)] = response
	}
	o["responses"] = responses
	return o
}

func contents(all []content, schemas object) object {
	o := object{}
	for _, c := range all {
		switch {
		case c.body != nil:
			o[c.media] = object{"schema": schemaOf(reflect.TypeOf(c.body), schemas)}
		case strings.HasPrefix(c.media, "text/"):
			o[c.media] = object{"schema": object{"type": "string"}}
		default: // bytes have no schema in OpenAPI 3.1
			o[c.media] = object{}
		}
	}
	return o
}

// schemaOf describes a Go type as encoding/json writes it. Structs are named by their type
// and described once.
func schemaOf(t reflect.Type, schemas object) object {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), schemas)
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 { // json.RawMessage
			return object{"type": "array"}
		}
		return object{"type": "array", "items": schemaOf(t.Elem(), schemas)}
	case reflect.Map:
		if t.Elem().Kind() == reflect.Interface {
			return object{"type": "object"}
		}
		return object{"type": "object", "additionalProperties": schemaOf(t.Elem(), schemas)}
	case reflect.Struct:
		name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
		if schemas[name] == nil {
			schemas[name] = object{} // before its fields, which may have it
			schemas[name] = structSchema(t, schemas)
		}
		return object{"$ref": "#/components/schemas/" + name}
	}
	panic("server: no schema of " + t.String())
}

func structSchema(t reflect.Type, schemas object) object {
	properties, required := object{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || !f.IsExported() {
			continue
		}
		schema := schemaOf(f.Type, schemas)
		if f.Type.Kind() == reflect.Pointer && options == "" { // null where there is none
			schema = object{"type": []any{schema["type"], "null"}}
		}
		if text := f.Tag.Get("doc"); text != "" {
			schema["description"] = text
		}
		if words := f.Tag.Get("enum"); words != "" {
			schema["enum"] = strings.Split(words, ",")
		}
		properties[name] = schema
		if options == "" {
			required = append(required, name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required}
}
