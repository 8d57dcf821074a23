package main

import "io"

func scoreFiles(set, string, string, io.Writer) error { return nil }
