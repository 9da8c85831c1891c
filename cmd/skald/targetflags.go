package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"skald/targets"
)

// targetFlag is a flag that one target has; its value goes into a map.
type targetFlag struct {
	flag   targets.Flag
	values map[string]string
}

// String returns the value.
func (f *targetFlag) String() string { return f.values[f.flag.Name] }

// Type says what values are.
func (f *targetFlag) Type() string {
	if f.flag.Bool {
		return "bool"
	}
	return "string"
}

// Set notes a value; of a flag that takes none it is the word true or false.
func (f *targetFlag) Set(value string) error {
	if f.flag.Bool {
		given, err := strconv.ParseBool(value)
		if err != nil {
			return err
		}
		value = strconv.FormatBool(given)
	}
	f.values[f.flag.Name] = value
	return nil
}

// addTargetFlags adds the flags of all targets that wanted accepts, and notes what they are given in o.
func addTargetFlags(fs *pflag.FlagSet, o *targets.Options, wanted func(targets.Flag) bool) {
	if o.Flags == nil {
		o.Flags = map[string]string{}
	}
	for _, t := range targets.All {
		for _, f := range t.Flags {
			if !wanted(f) {
				continue
			}
			added := fs.VarPF(&targetFlag{f, o.Flags}, f.Name, "", f.Doc)
			if f.Bool {
				added.NoOptDefVal = "true"
			}
		}
	}
}

// targetList says what programs can run on, a line each.
func targetList() string {
	var b strings.Builder
	for _, t := range targets.All {
		fmt.Fprintf(&b, "  %-8s %s\n", t.Name, t.Doc)
	}
	return b.String()
}

// bundleNames lists what --bundle takes, with what that is.
func bundleNames() string {
	var names []string
	example := ""
	for _, t := range targets.All {
		if t.Bundle != nil {
			names = append(names, t.Name+" ("+t.Bundled+")")
		}
		if t.CompileFor != nil {
			names = append(names, t.Name+":MACHINE ("+t.MachinesDoc+": "+targets.Listed(t.Machines)+")")
		}
		if t.Code != nil && example == "" {
			example = ", such as " + t.Name + ":" + t.Profiles[0].Name
		}
	}
	return strings.Join(names, ", ") + ", or a profile of devices" + example + ", for which the program is compiled when it is built: " +
		targets.Listed(targets.ProfileNames())
}
