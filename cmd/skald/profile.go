//go:build !runner

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"skald/tooling/artifact"
	"skald/tooling/bench"
	"skald/tooling/profile"
)

func newProfile() *cobra.Command {
	return &cobra.Command{
		Use:   "profile FILE.json...",
		Short: "Show where the time of programs goes, from reports of `skald bench --profile`",
		Long: "Show where the time of programs goes. For each FILE.json, which `skald bench --profile --json` or Futhark's bench\n" +
			"wrote, or which is a profiling report of a program, the folder FILE.prof gets for each data set: NAME.summary, time by\n" +
			"kernel and by line of the source, and what is not attributed; NAME.timeline, all events; NAME.svg, a flame graph. The\n" +
			"summaries are printed, too.",
		Args: atLeastOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, file := range args {
				if err := showProfile(cmd.OutOrStdout(), file); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// showProfile makes the folder of one file.
func showProfile(w io.Writer, file string) error {
	dir := strings.TrimSuffix(file, ".json") + ".prof"
	if raw, err := rawProfile(file); err != nil {
		return fail(exitUser, "%v", err)
	} else if raw != nil {
		return writeProfile(w, dir, strings.TrimSuffix(filepath.Base(file), ".json"), raw)
	}
	report, err := bench.ReadReport(file)
	if err != nil {
		return fail(exitUser, "%v", err)
	}
	found := false
	for _, prog := range report.Programs() {
		within := dir
		if len(report) > 1 {
			within = filepath.Join(dir, fileName(strings.Replace(prog, ".fut", "", 1)))
		}
		for _, set := range report[prog].Names() {
			if p := report[prog].Datasets[set].Profiling; p != nil {
				found = true
				fmt.Fprintf(w, "%s, %s\n", prog, set)
				if err := writeProfile(w, within, fileName(set), p); err != nil {
					return err
				}
			}
		}
	}
	if !found {
		return fail(exitUser, "%s has no profile: give --profile to `skald bench`", file)
	}
	return nil
}

// rawProfile reads a profiling report of a program; nil if the file is something else.
func rawProfile(file string) (*bench.Profile, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var parts map[string]json.RawMessage
	if json.Unmarshal(data, &parts) != nil || parts["events"] == nil || parts["memory"] == nil {
		return nil, nil //nolint:nilnil // it is for others to say what the file is
	}
	p := &bench.Profile{}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("%s is no profiling report: %w", file, err)
	}
	return p, nil
}

// writeProfile writes the files of one data set, and prints its summary.
func writeProfile(w io.Writer, dir, name string, p *bench.Profile) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fail(exitUser, "%v", err)
	}
	for ending, write := range map[string]func(w io.Writer) error{
		".summary":  func(w io.Writer) error { return profile.Summary(w, p) },
		".timeline": func(w io.Writer) error { return profile.Timeline(w, p) },
		".svg":      func(w io.Writer) error { return profile.Flame(w, name, p) },
	} {
		if err := artifact.Write(filepath.Join(dir, name+ending), write); err != nil {
			return fail(exitUser, "%v", err)
		}
	}
	return profile.Summary(w, p)
}

// fileName makes a name of a file of the name of a data set.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| ()`, r) {
			return '-'
		}
		return r
	}, name)
}
