//go:build tools

// Package runc pins the programs built from this folder.
package runc

import (
	_ "github.com/opencontainers/runc"
)
