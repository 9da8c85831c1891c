//go:build !runner

package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"skald/frontend/diag"
)

// interruptible is a command's RunE whose context ends when the user interrupts it. It then ends by itself, so that it leaves no
// half-written file and no child; a second interrupt ends the process at once.
func interruptible(run func(ctx context.Context, cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop)
		err := run(ctx, cmd, args)
		if ctx.Err() != nil {
			return fail(exitUser, "interrupted")
		}
		return err
	}
}

// asReport is the failure for an error that may be a diagnostic, which is printed with its place.
func asReport(err error) error {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return report(d)
	}
	return fail(exitUser, "%v", err)
}
