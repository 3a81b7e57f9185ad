// Renders the chart for tests without Helm, with the same template language and functions (Go's text/template and sprig) and the few that
// Helm adds. Reads values (JSON) from standard input and writes the manifests.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type object = map[string]interface{}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(path string) object {
	text, err := os.ReadFile(path)
	fail(err)
	read := object{}
	fail(yaml.Unmarshal(text, &read))
	return read
}

// Merges like Helm: objects member by member, everything else replaced.
func merged(below, above object) object {
	for name, value := range above {
		inner, is_object := value.(object)
		before, was_object := below[name].(object)
		if is_object && was_object {
			below[name] = merged(before, inner)
		} else {
			below[name] = value
		}
	}
	return below
}

func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	// Helm takes these away: a chart may not read its environment.
	delete(known, "env")
	delete(known, "expandenv")
	known["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	known["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	known["required"] = func(warning string, value interface{}) (interface{}, error) {
		if text, is_text := value.(string); value == nil || is_text && text == "" {
			return nil, errors.New(warning)
		}
		return value, nil
	}
	return known
}

func main() {
	chart := os.Args[1]
	values := object{}
	fail(json.NewDecoder(os.Stdin).Decode(&values))
	about := readYaml(filepath.Join(chart, "Chart.yaml"))
	data := object{
		"Values":  merged(readYaml(filepath.Join(chart, "values.yaml")), values),
		"Release": object{"Name": os.Args[2], "Namespace": "analysis", "Service": "Helm"},
		"Chart":   object{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
	}
	all := template.New("chart").Option("missingkey=error")
	all.Funcs(functions(all))
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	fail(err)
	sort.Strings(paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		fail(err)
		_, err = all.New(filepath.Base(path)).Parse(string(text))
		fail(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text strings.Builder
		fail(all.ExecuteTemplate(&text, name, data))
		fmt.Printf("---\n# Source: %s\n%s\n", name, text.String())
	}
}
