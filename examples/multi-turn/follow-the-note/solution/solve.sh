#!/bin/bash
cat note.txt
cat kept-3f9a1c.dat > answer.txt
