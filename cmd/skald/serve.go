package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/runtime/bundle"
	"skald/runtime/host"
	"skald/runtime/server"
)

// sectionServer is the section of a bundle that makes an executable a server. It is empty.
const sectionServer = "server"

// interrupted says which signal ended a server.
type interrupted struct{ syscall.Signal }

func (i interrupted) Error() string { return "interrupted: " + i.Signal.String() }

// exitSignal is what the number of a signal is added to in the exit code of what it ended.
const exitSignal = 128

// runServer serves the program behind this executable on standard input and output.
func runServer(b bundle.Bundle, args []string) int {
	var f programFlags
	cmd := &cobra.Command{
		Use:   os.Args[0],
		Short: "A program compiled by skald: it takes commands of Futhark's server protocol from standard input and answers on standard output",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%q is too much: commands are read from standard input; --help lists the options", args[0])
			}
			return nil
		},
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			serving := false
			err := f.loaded(b, cmd.OutOrStdout(), func(compiled *compiler.Program, _ *compiler.Device, p *host.Program) error {
				ctx, stop := untilSignal()
				defer stop()
				described, err := compiled.Manifest()
				if err != nil {
					return err
				}
				if err := p.Init(ctx); err != nil {
					return err
				}
				serving = true
				err = server.New(p, described).Serve(ctx, os.Stdin, os.Stdout)
				if errors.Is(err, server.ErrGone) {
					return nil // nobody is there to be told
				}
				return err
			})
			if err != nil && !serving { // so that clients know why it did not start
				fmt.Fprintf(cmd.OutOrStdout(), "%%%%%% FAILURE\n%s\n", strings.TrimPrefix(err.Error(), "Error: "))
			}
			return err
		},
	}
	f.add(cmd)
	return f.start(cmd, args)
}

// untilSignal returns a context that ends when the process is asked to. If it does not end by itself soon after, because a kernel is
// running, the process is ended.
func untilSignal() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if sig, ok := (<-signals).(syscall.Signal); ok {
			cancel(interrupted{sig})
			time.Sleep(forgotten)
			os.Exit(exitSignal + int(sig))
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}

// sectionDevice is the section of a bundle that names the device to take unless another is asked for.
const sectionDevice = "device"
