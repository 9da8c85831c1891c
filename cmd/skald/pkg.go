//go:build !runner

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"skald/tooling/pkg"
)

func newPkg() *cobra.Command {
	var verbose bool
	root := &cobra.Command{
		Use:   "pkg",
		Short: "Manage the packages that a program requires, in futhark.pkg and lib/",
		Long: "Manage the packages that a program requires: futhark.pkg lists them, lib/ has their files. Packages are Git repositories,\n" +
			"which are fetched by the program git with its configuration. Only sync and init change lib/.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fail(exitUser, "there is no command `skald pkg %s`; `skald pkg --help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().BoolVarP(&verbose, "verbose", "v", false, "tell which commands of git are run")
	add := func(use, short string, least, most int, run func(ctx context.Context, p *pkg.Project, args []string) error) {
		root.AddCommand(&cobra.Command{
			Use: use, Short: short, Args: cobra.RangeArgs(least, most),
			RunE: interruptible(func(ctx context.Context, cmd *cobra.Command, args []string) error {
				repos := &pkg.Repositories{Log: pkgLog(cmd, verbose)}
				err := run(ctx, &pkg.Project{Repos: repos, Out: cmd.OutOrStdout()}, args)
				if err = errors.Join(err, repos.Close()); err != nil {
					return fail(exitUser, "%v", err)
				}
				return nil
			}),
		})
	}
	add("init NAME", "Make a futhark.pkg and a folder for a new package", 1, 1,
		func(_ context.Context, p *pkg.Project, args []string) error { return p.Init(args[0]) })
	add("add NAME [X.Y.Z]", "Require a package, the newest version unless one is given", 1, 2,
		func(ctx context.Context, p *pkg.Project, args []string) error {
			var v pkg.Version
			if len(args) > 1 {
				var err error
				if v, err = pkg.ParseVersion(args[1]); err != nil {
					return err
				}
			}
			return p.Add(ctx, args[0], v)
		})
	add("remove NAME", "Require a package no longer", 1, 1,
		func(_ context.Context, p *pkg.Project, args []string) error { return p.Remove(args[0]) })
	add("sync", "Make lib/ what futhark.pkg says; what else is there goes", 0, 0,
		func(ctx context.Context, p *pkg.Project, _ []string) error { return p.Sync(ctx) })
	add("upgrade", "Require the newest version of each package", 0, 0,
		func(ctx context.Context, p *pkg.Project, _ []string) error { return p.Upgrade(ctx) })
	add("versions NAME", "List the versions of a package", 1, 1,
		func(ctx context.Context, p *pkg.Project, args []string) error { return p.Versions(ctx, args[0]) })
	add("check", "Check that all that is required is there, and list the versions that sync fetches", 0, 0,
		func(ctx context.Context, p *pkg.Project, _ []string) error { return p.Check(ctx) })
	add("fmt", "Format futhark.pkg", 0, 0,
		func(_ context.Context, p *pkg.Project, _ []string) error { return p.Format() })
	return root
}

// pkgLog tells what is run: all of it, or at a terminal that something is, since fetching takes time.
func pkgLog(cmd *cobra.Command, verbose bool) func(string) {
	line := newStatus(cmd.ErrOrStderr())
	return func(text string) {
		if verbose {
			fmt.Fprintln(cmd.ErrOrStderr(), text)
			return
		}
		line.set("%s", text)
	}
}
